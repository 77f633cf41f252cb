/** Which knowledge bases one search goes through. docs/invariants.md 2, 3 and 8. */
import { GatewayError, invalid, notFound } from "../errors.ts";
import type { KnowledgeBaseAccess } from "../policy/access.ts";
import { grantedKnowledgeBases } from "./granted.ts";
import type { Shelves } from "./knowledge-bases.ts";
import { candidatesOf, resolveKnowledgeBase } from "./resolve.ts";

const OPERATION = "search_files";

/** A knowledge base to be searched, or why it cannot be. */
export interface ChosenSource {
  readonly access: KnowledgeBaseAccess;
  readonly error: GatewayError | null;
}

/**
 * The named ones, or all that the caller may search, by key.
 * @throws NOT_FOUND for a named one that is not granted; FORBIDDEN where the caller may search none of what it may see;
 *   VALIDATION_ERROR (`details {field, limit}`) for more than `searchSources`
 */
export async function chooseSources(shelves: Shelves, named: readonly string[] | undefined): Promise<ChosenSource[]> {
  const chosen = named === undefined ? await all(shelves) : await byName(shelves, named);
  return chosen.sort((one, other) => compare(one.access.key, other.access.key));
}

/** Checks the names alone, without a call. @throws as `chooseSources` does */
export function checkNames({ access, request }: Shelves, named: readonly string[]): void {
  const limit = request.limits.searchSources;
  if (named.length === 0) {
    throw invalid("knowledgeBases", "knowledgeBases names none. Name one, or leave it out to search all of them.");
  }
  if (named.length > limit) {
    throw invalid("knowledgeBases", `knowledgeBases takes at most ${limit} (limit searchSources).`, { limit });
  }
  if (named.some((key) => candidatesOf(access, key).length === 0)) throw notFound();
}

async function byName(shelves: Shelves, named: readonly string[]): Promise<ChosenSource[]> {
  checkNames(shelves, named);
  const found = await Promise.all(named.map((key) => resolveKnowledgeBase(shelves, key)));
  const distinct = new Map(found.map((access) => [JSON.stringify([access.upstream, access.id]), access]));
  return [...distinct.values()].map((access) => ({ access, error: null }));
}

async function all(shelves: Shelves): Promise<ChosenSource[]> {
  const limit = shelves.request.limits.searchSources;
  const { knowledgeBases, unlisted } = await grantedKnowledgeBases(shelves, limit + 1);
  const searchable = knowledgeBases.filter(({ operations }) => operations.has(OPERATION));
  if (searchable.length === 0 && knowledgeBases.length > 0) {
    const message = `The operation ${OPERATION} is not granted in any knowledge base.`;
    throw new GatewayError("FORBIDDEN", { message, details: { operation: OPERATION } });
  }
  if (searchable.length > limit) {
    const message = `More than ${limit} knowledge bases are granted (limit searchSources). Name up to ${limit} in knowledgeBases.`;
    throw invalid("knowledgeBases", message, { limit });
  }
  // What else an upstream holds is not known until it lists it, so that none of it can be taken for searched.
  return searchable.map((access) => ({ access, error: unlisted.get(access.upstream) ?? null }));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
