/** Which knowledge base a key means. docs/invariants.md 2 and 9. */
import { GatewayError, notFound } from "../errors.ts";
import type { CallerAccess, KnowledgeBaseAccess } from "../policy/access.ts";
import { checkId } from "./ids.ts";
import type { Shelves } from "./knowledge-bases.ts";

/**
 * Costs a call only where an id may belong to several upstreams that are granted whole.
 * @param key a slug or an upstream id
 * @throws NOT_FOUND where it is not granted or does not exist
 */
export async function resolveKnowledgeBase(shelves: Shelves, key: string): Promise<KnowledgeBaseAccess> {
  const candidates = candidatesOf(shelves.access, key);
  const [first, ...others] = candidates;
  if (first === undefined) throw notFound();
  if (others.length === 0) return first;
  for (const candidate of candidates) {
    const source = shelves.sources.get(candidate.upstream);
    if (source === undefined) continue;
    try {
      await shelves.request.knowledgeBase(source, candidate.id, shelves.request.reading(), false);
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
