/**
 * What a search hit tells beside its own page. The upstream also finds a page by the records of its relations, and such a
 * record holds the title and path of the page at the other end, in the hit's excerpt too. Which page that is the answer
 * does not say, so a caller with path rules is shown nothing that may rest on it. Source: docs/invariants.md 2.
 */
import type { SearchHit } from "../upstream/contract.ts";

/** Evidence from the record of a relation. */
const RELATION = "file_relationship";
/** Evidence from the page's own record in the graph, whose text also names what the page relates to. */
const NODE = "graph_node";
/** Evidence from the page's own text, from which the excerpt is then taken. */
const CONTENT = "content";
const BY_RELATIONS: readonly unknown[] = ["graph_edge", "graph_neighbor"];

/**
 * The hit as far as it rests on its own page; null where it may have been found through relations alone.
 * @param hit of a visible page, for a caller with path rules
 */
export function showOwnEvidence<H extends SearchHit>(hit: H): H | null {
  const evidence = hit.evidenceTypes ?? [];
  const own = withoutRelation(evidence) ?? [];
  if (own.length === 0 && (evidence.length > 0 || BY_RELATIONS.includes(hit.matchType))) return null;
  const fromGraph = evidence.includes(RELATION) || own.includes(NODE);
  if (!fromGraph) return hit;
  return {
    ...hit,
    evidenceTypes: own,
    matchedFields: withoutRelation(hit.matchedFields),
    // Without a relation, what matched by its own page alone is no mixture.
    matchType: hit.matchType === "hybrid" && !own.includes(NODE) ? "file_direct" : hit.matchType,
    sourceExcerpt: own.includes(CONTENT) ? hit.sourceExcerpt : null
  };
}

function withoutRelation<T extends readonly string[] | null | undefined>(families: T): string[] | T {
  return families ? families.filter((family) => family !== RELATION) : families;
}
