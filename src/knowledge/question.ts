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
  const { ids, query, extra } = input;
  const knowledgeBaseId = ids?.knowledgeBaseId ?? null;
  const asked = query === undefined ? null : Object.entries(query).sort(([a], [b]) => (a < b ? -1 : 1));
  const name = JSON.stringify([knowledgeBaseId, revision, operation, ids?.fileId, asked, extra]);
  return { operation, input, knowledgeBaseId, revision, name };
}
