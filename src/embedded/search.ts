/** The search operation. */
import type { GraphContext, Search, SearchHit } from "../upstream/contract.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import type { Page } from "./page.ts";
import type { Parameters } from "./parameters.ts";
import { graphPathOf } from "./paths.ts";
import { graphPaths, reach, reachedFile } from "./reach.ts";
import { excerptFor, type Hit, retrieve } from "./retrieval.ts";
import type { SearchCursors } from "./search-cursors.ts";
import { readSearchQuery, type SearchQuery } from "./search-query.ts";
import type { Snapshot } from "./snapshot.ts";
import { fileObject } from "./wire.ts";

/** One page of hits, and how many of the remembered ones it used up. */
interface HitPage {
  readonly items: SearchHit[];
  readonly nextCursor: string | null;
}

/** @param knowledgeBase undefined for one that does not exist: as upstream, it answers like an empty one */
export function search(
  knowledgeBase: KnowledgeBase | undefined,
  parameters: Parameters,
  cursors: SearchCursors
): Search {
  const query = readSearchQuery(parameters);
  const snapshot = knowledgeBase?.snapshot;
  if (knowledgeBase === undefined || snapshot === undefined || snapshot.revision === 0) {
    return answer(null, query, { items: [], nextCursor: null });
  }
  return answer(snapshot, query, hitPage(knowledgeBase, query, parameters.text("cursor"), cursors));
}

function hitPage(
  knowledgeBase: KnowledgeBase,
  query: SearchQuery,
  cursor: string | null,
  cursors: SearchCursors
): HitPage {
  const { snapshot, index } = knowledgeBase;
  const question = bound(knowledgeBase.id, query);
  const place =
    cursor === null ? { question, hits: retrieve(snapshot, index, query), offset: 0 } : cursors.open(cursor, question);
  const items: SearchHit[] = [];
  let offset = place.offset;
  // A page that is gone since the search began leaves no gap.
  for (; offset < place.hits.length && items.length < query.limit; offset += 1) {
    const hit = place.hits[offset];
    const page = hit && snapshot.pages.get(hit.path);
    if (hit && page) items.push(searchHit(snapshot, query, hit, page));
  }
  const more = offset < place.hits.length;
  return { items, nextCursor: more ? cursors.issue({ ...place, offset }) : null };
}

/** What a cursor serves: neither the number of rows nor how far the graph is shown change what is found. */
function bound(knowledgeBaseId: string, query: SearchQuery): string {
  const { limit, graphDepth, graphFanout, cursorProvided, ...question } = query;
  return JSON.stringify([knowledgeBaseId, question]);
}

function searchHit(snapshot: Snapshot, query: SearchQuery, hit: Hit, page: Page): SearchHit {
  const { contentType, sizeBytes, okfType, deletable, contentAvailable, readActions, ...file } = fileObject(
    snapshot,
    page
  );
  const context = query.mode === "file" ? null : graphContext(snapshot, query, page);
  return {
    ...file,
    matchedFields: [...hit.matchedFields],
    evidenceTypes: [...hit.evidenceTypes],
    sourceExcerpt: excerptFor(hit, page),
    score: hit.score,
    contentAvailable,
    matchType: hit.matchType,
    ...(context === null ? {} : { graphContext: context }),
    readActions
  };
}

/** What relates to a hit, at most `graphFanout` of it; null for a page that relates to nothing. */
function graphContext(snapshot: Snapshot, query: SearchQuery, page: Page): GraphContext | null {
  if (!snapshot.relations.of.has(page.path)) return null;
  const steps = reach(snapshot, page, query.graphDepth, query.graphFanout).slice(0, query.graphFanout);
  return {
    graphRef: graphPathOf(page.path),
    depth: query.graphDepth,
    seedSourceFileId: page.id,
    relationships: steps.map((step) => reachedFile(snapshot, step)),
    graphPaths: graphPaths(snapshot, page, steps)
  };
}

/** @param snapshot null where there is no content to search */
function answer(snapshot: Snapshot | null, query: SearchQuery, { items, nextCursor }: HitPage): Search {
  const graph = snapshot !== null && query.mode !== "file";
  const found = items.length > 0;
  return {
    activeContentRevision: snapshot?.revision ?? null,
    query,
    items,
    nextCursor,
    // There are no embeddings here, and nothing has failed: words, titles, paths and relations are all the evidence.
    semanticStatus: { state: "unavailable", safeCode: "SEMANTIC_ADOPTION_REQUIRED" },
    evidenceStatus: { completedFamilies: snapshot === null ? [] : families(query), degradedFamilies: [] },
    rerankerStatus: query.rerank
      ? { state: "not_configured", safeCode: "RERANKER_NOT_CONFIGURED" }
      : { state: "skipped", safeCode: "RERANKER_DISABLED" },
    searchStatus: found ? "ok" : "no_candidates",
    searchMode: query.mode,
    graphStatus: query.mode === "file" ? "disabled_for_file_mode" : graph ? "available" : "index_unavailable",
    graphSummary: {
      available: graph,
      indexedDocumentCount: graph ? snapshot.pages.size : 0,
      indexedRelationshipCount: graph ? snapshot.relations.count : 0,
      depth: query.graphDepth,
      fanout: query.graphFanout
    },
    resultSummary: {
      resultCount: items.length,
      hasMore: nextCursor !== null,
      sort: ["relevance_desc", "logical_path_asc", "source_file_id_asc"],
      meaning: found ? "Pages of the current revision that match." : "No page of the current revision matches."
    },
    ...(found || snapshot === null ? {} : { message: NOTHING_FOUND, nextActions: NEXT_ACTIONS })
  };
}

function families({ scope, mode }: SearchQuery): string[] {
  if (scope === "path") return ["exact_path", "exact_title"];
  if (scope === "metadata") return ["lexical"];
  if (mode === "file") return ["exact_path", "exact_title", "lexical"];
  if (mode === "graph") return ["exact_path", "exact_title", "file_graph", "file_relationship"];
  return ["exact_path", "exact_title", "file_graph", "file_relationship", "lexical"];
}

const NOTHING_FOUND = "No page matched. What you look for may still be here under other words, titles or paths.";
const NEXT_ACTIONS = [
  "Ask again with fewer or shorter words.",
  "Try a title, a product's name, an identifier or another word for the subject.",
  "Read index.md.",
  "List the tree, and read on from the directories that look right."
];
