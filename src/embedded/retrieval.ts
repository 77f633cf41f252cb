/** Which pages answer a question, how well, and on what evidence. */
import { excerptOf } from "./excerpt.ts";
import type { Page } from "./page.ts";
import type { Relation } from "./relations.ts";
import type { Field, SearchIndex } from "./search-index.ts";
import type { SearchQuery } from "./search-query.ts";
import type { Snapshot } from "./snapshot.ts";
import { queryTerms } from "./tokens.ts";
import { signalsOf } from "./wire.ts";

export interface Hit {
  readonly path: string;
  readonly score: number;
  readonly matchType: "file_direct" | "graph_node" | "graph_edge" | "graph_neighbor" | "hybrid";
  readonly matchedFields: readonly string[];
  readonly evidenceTypes: readonly string[];
  /** Index terms to mark in the excerpt. */
  readonly terms: ReadonlySet<string>;
}

/** A search ends here, however many pages share a word with the question. */
const MAX_HITS = 500;
/** The best hits whose neighbours are hits as well, and what a neighbour's score is of theirs. */
const SEEDS = 3;
const NEIGHBOR_SHARE = 0.2;

const FIELDS: Record<SearchQuery["scope"], readonly Field[]> = {
  all: ["title", "description", "tags", "metadata", "path", "content"],
  metadata: ["title", "description", "tags", "metadata"],
  path: []
};
/** What a page is called in the graph. */
const NODE_FIELDS: readonly Field[] = ["title", "description", "tags", "path"];

/** Hits in order: the best first, then by path. */
export function retrieve(snapshot: Snapshot, index: SearchIndex, query: SearchQuery): Hit[] {
  const hits = new Map<string, Hit>();
  const kept = ({ path }: Hit) => keeps(query, snapshot.pages.get(path));
  for (const hit of direct(snapshot, index, query).filter(kept)) hits.set(hit.path, hit);
  for (const hit of exact(snapshot, query, hits).filter(kept)) hits.set(hit.path, hit);
  if (query.scope === "all" && query.mode !== "file") addNeighbors(snapshot, query, hits);
  return [...hits.values()].filter(kept).sort(bestFirst).slice(0, MAX_HITS);
}

/** The excerpt is cut when a hit is shown, not for all that were found. */
export function excerptFor(hit: Hit, page: Page): string | null {
  return hit.terms.size === 0 ? null : excerptOf(page.body, hit.terms);
}

function direct(snapshot: Snapshot, index: SearchIndex, { query, scope, mode }: SearchQuery): Hit[] {
  const nodes = mode === "graph" && scope === "all";
  const fields = nodes ? NODE_FIELDS : FIELDS[scope];
  if (fields.length === 0) return [];
  const matches = index.search(queryTerms(query), fields);
  // A page that relates to nothing is not in the graph.
  const known = matches.filter(({ path }) => !nodes || snapshot.relations.of.has(path));
  return known.map(({ path, score, fields: matched, terms }) => {
    const named = nodes ? ["graph_node"] : scope === "metadata" ? ["metadata"] : fieldNames(matched);
    return {
      path,
      score,
      terms,
      matchType: nodes ? "graph_node" : "file_direct",
      matchedFields: named,
      evidenceTypes: [...new Set(named.map((name) => (name === "description" ? "metadata" : name)))]
    };
  });
}

function fieldNames(fields: ReadonlySet<Field>): string[] {
  return [...new Set([...fields].map((field) => (field === "tags" ? "metadata" : field)))].sort();
}

/** A page whose title, or path without `pages/`, is what was asked for stands before all others. */
function exact(snapshot: Snapshot, { query, scope }: SearchQuery, hits: ReadonlyMap<string, Hit>): Hit[] {
  if (scope === "metadata") return [];
  const best = Math.max(1, ...Array.from(hits.values(), ({ score }) => score));
  const wanted = query.toLowerCase();
  const found: Hit[] = [];
  const add = (page: Page, field: "title" | "path", rank: number) => {
    const known = hits.get(page.path);
    found.push({
      path: page.path,
      score: best * rank + (known?.score ?? 0),
      matchType: "file_direct",
      matchedFields: [...new Set([...(known?.matchedFields ?? []), field])].sort(),
      evidenceTypes: [...new Set([...(known?.evidenceTypes ?? []), field])].sort(),
      terms: known?.terms ?? new Set()
    });
  };
  for (const page of snapshot.pages.values()) {
    if (page.path === `pages/${query}`) add(page, "path", 3);
    else if (page.title.toLowerCase() === wanted) add(page, "title", 1);
  }
  return found;
}

/**
 * In the hybrid mode what the best hits link to, and what links to them; in the graph mode all that relates to them.
 * `graphDepth` or `graphFanout` of 0 leaves neighbours out.
 */
function addNeighbors(snapshot: Snapshot, query: SearchQuery, hits: Map<string, Hit>): void {
  if (query.graphDepth === 0) return;
  const seeds = [...hits.values()].sort(bestFirst).slice(0, SEEDS);
  for (const seed of seeds) {
    const relations = snapshot.relations.of.get(seed.path) ?? [];
    const followed = query.mode === "graph" ? relations : relations.filter(isReference);
    for (const { target } of followed.slice(0, query.graphFanout)) {
      hits.set(target.path, withRelationship(hits.get(target.path), target.path, seed, query.mode));
    }
  }
}

function isReference({ relationType }: Relation): boolean {
  return relationType === "references";
}

function withRelationship(known: Hit | undefined, path: string, seed: Hit, mode: SearchQuery["mode"]): Hit {
  const evidence = "file_relationship";
  if (known === undefined) {
    const matchType = mode === "graph" ? "graph_neighbor" : "graph_edge";
    const score = seed.score * NEIGHBOR_SHARE;
    return { path, score, matchType, matchedFields: [evidence], evidenceTypes: [evidence], terms: new Set() };
  }
  if (known.evidenceTypes.includes(evidence)) return known;
  return {
    ...known,
    matchType: mode === "hybrid" ? "hybrid" : known.matchType,
    matchedFields: [...known.matchedFields, evidence].sort(),
    evidenceTypes: [...known.evidenceTypes, evidence].sort()
  };
}

/** Whether the page is there and carries the signals that are asked for; one without a signal has none of its values. */
function keeps(query: SearchQuery, page: Page | undefined): boolean {
  if (page === undefined) return false;
  const signals = signalsOf(page);
  if (query.okfStatus !== null && signals.effectiveStatus !== query.okfStatus) return false;
  if (query.okfTrustTier !== null && signals.trustTier !== query.okfTrustTier) return false;
  return query.okfFreshness === null || signals.isStale === (query.okfFreshness === "stale");
}

function bestFirst(left: Hit, right: Hit): number {
  return right.score - left.score || (left.path < right.path ? -1 : 1);
}
