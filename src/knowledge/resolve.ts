/** Which knowledge base a key means. docs/invariants.md 2 and 9. */
import { GatewayError, notFound } from "../errors.ts";
import type { CallerAccess, KnowledgeBaseAccess } from "../policy/access.ts";
import { checkId } from "../upstream/ids.ts";
import { audited } from "./audit.ts";
import type { Reading } from "./budget.ts";
import type { Shelves } from "./knowledge-bases.ts";

/**
 * Costs a call only where an id may belong to several upstreams that are granted whole. Where the grants settle it, what
 * is then read writes the line in the audit log; else, and where nothing is meant, this does.
 * @param key a slug or an upstream id
 * @throws NOT_FOUND where it is not granted or does not exist
 */
export async function resolveKnowledgeBase(shelves: Shelves, key: string): Promise<KnowledgeBaseAccess> {
  const candidates = candidatesOf(shelves.access, key);
  const [first, ...others] = candidates;
  if (first !== undefined && others.length === 0) return first;
  const reading = shelves.request.reading();
  return audited(shelves.auditor, { operation: "getKnowledgeBase", knowledgeBase: key }, reading, () =>
    firstThatExists(shelves, candidates, reading)
  );
}

async function firstThatExists(
  { sources, request }: Shelves,
  candidates: readonly KnowledgeBaseAccess[],
  reading: Reading
): Promise<KnowledgeBaseAccess> {
  for (const candidate of candidates) {
    const source = sources.get(candidate.upstream);
    if (source === undefined) continue;
    try {
      await request.knowledgeBase(source, candidate.id, reading, false);
      return candidate;
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === "NOT_FOUND")) throw error;
    }
  }
  throw notFound();
}

/** A key that cannot be an id names nothing: there is no such knowledge base, and no upstream request. */
export function candidatesOf(access: CallerAccess, key: string): readonly KnowledgeBaseAccess[] {
  try {
    checkId("knowledgeBase", key);
  } catch {
    return [];
  }
  return access.candidates(key);
}
