/** One upstream read, named: the same question has the same name, whoever asks. docs/invariants.md 7. */
import type { Operation, OperationInput } from "../upstream/operations.ts";

export interface Question<O extends Operation> {
  readonly operation: O;
  readonly input: OperationInput;
  /** Null for what belongs to no knowledge base, and is not kept. */
  readonly knowledgeBaseId: string | null;
  /** The revision known before the question was asked; null where it plays no part. */
  readonly revision: number | null;
  /** Knowledge base, revision, operation and everything that is asked with. */
  readonly name: string;
}

export function questionOf<O extends Operation>(
  operation: O,
  input: OperationInput,
  revision: number | null
): Question<O> {
  const knowledgeBaseId = input.ids?.knowledgeBaseId ?? null;
  return { operation, input, knowledgeBaseId, revision, name: nameOf(operation, input, revision) };
}

/** Parts are apart by line ends, which no id can hold; what is asked with may hold anything, and is escaped. */
function nameOf(operation: Operation, { ids, query, extra }: OperationInput, revision: number | null): string {
  const about = `${ids?.knowledgeBaseId}\n${revision}\n${operation}\n${ids?.fileId}`;
  if (query === undefined && extra === undefined) return about;
  const asked = Object.entries(query ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${about}\n${JSON.stringify([asked, extra])}`;
}
