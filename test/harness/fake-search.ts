/** The fake upstream's search: its answer's shape, its cursors and its statuses. */
import { randomUUID } from "node:crypto";
import { fileDetail, graphPaths, readActions, relatedFile, walk } from "./fake-files.ts";
import { type Match, matchesIn } from "./fake-matches.ts";
import { graphPathOf, type KnowledgeBaseModel } from "./fake-model.ts";
import { limitOf, Refused } from "./fake-paging.ts";
import { bounded, type Query, type World } from "./fake-reads.ts";
import { invalidCode, invalidCursor } from "./fake-refusals.ts";

/** How much of the search's evidence works: all, some, or none, which the upstream dresses as an empty success. */
export type Evidence = "complete" | "partial" | "none";

const FAMILIES = ["content_vector", "exact_path", "exact_title", "file_graph", "file_relationship", "lexical"];
const FILE_FAMILIES = ["content_vector", "exact_path", "exact_title", "lexical"];
const QUERY_CHARACTERS = 512;
const QUERY_BYTES = 2048;

const CHOICES = {
  mode: { values: ["hybrid", "file", "graph"], fallback: "hybrid", code: "INVALID_FILE_SEARCH_MODE" },
  scope: { values: ["all", "path", "metadata"], fallback: "all", code: "INVALID_FILE_SEARCH_SCOPE" },
  fileKind: { values: ["page", "all"], fallback: "page", code: "INVALID_FILE_SEARCH_KIND" },
  okfStatus: { values: ["draft", "stable", "deprecated"], fallback: null, code: "INVALID_FILE_SEARCH_OKF_STATUS" },
  okfTrustTier: {
    values: ["unverified", "machine-confirmed", "human-reviewed"],
    fallback: null,
    code: "INVALID_FILE_SEARCH_OKF_TRUST_TIER"
  },
  okfFreshness: { values: ["fresh", "stale"], fallback: null, code: "INVALID_FILE_SEARCH_OKF_FRESHNESS" }
} as const;

/** Positions that search cursors stand for; they live in the server, not in the cursor. */
export type SearchCursors = Map<string, { readonly bound: string; readonly offset: number }>;

/** `kb` is undefined for one that does not exist, which is an empty success too. */
export function search(
  world: World,
  kb: KnowledgeBaseModel | undefined,
  query: Query,
  label: number | null,
  cursors: SearchCursors,
  evidence: Evidence
) {
  const asked = question(world, query);
  const bound = JSON.stringify([kb?.id, { ...asked, limit: 0, graphDepth: 0, graphFanout: 0 }]);
  const position = query.cursor ? cursors.get(query.cursor) : undefined;
  if (query.cursor && position?.bound !== bound) throw new Refused(invalidCursor());
  const start = position?.offset ?? 0;
  const empty = kb === undefined || kb.revision === 0;
  const matches = empty || evidence === "none" ? [] : matchesIn(kb, asked);
  const page = matches.slice(start, start + asked.limit);
  let nextCursor: string | null = null;
  if (start + asked.limit < matches.length) {
    nextCursor = `search-cursor-${randomUUID()}`;
    cursors.set(nextCursor, { bound, offset: start + asked.limit });
  }
  const items =
    kb === undefined || label === null ? [] : page.map((match, index) => hit(kb, match, asked, label, start + index));
  return {
    activeContentRevision: empty ? null : label,
    query: { ...asked, cursorProvided: Boolean(query.cursor) },
    items,
    nextCursor,
    ...statuses(kb, asked, empty, evidence),
    searchStatus: items.length > 0 ? "ok" : "no_candidates",
    searchMode: asked.mode,
    resultSummary: {
      resultCount: items.length,
      hasMore: nextCursor !== null,
      sort: ["relevance_desc", "logical_path_asc", "source_file_id_asc"],
      meaning:
        items.length > 0
          ? "Results match the current readable knowledge base."
          : "No current readable files matched the search."
    },
    ...(items.length > 0 || empty
      ? {}
      : {
          message: "No generated files matched this query.",
          nextActions: ["Split the user question into shorter terms and search again."]
        })
  };
}

type Question = ReturnType<typeof question>;

function question(world: World, query: Query) {
  const normalizedQuery = normalized(query.query);
  const chosen = (name: keyof typeof CHOICES): string | null => {
    const { values, fallback, code } = CHOICES[name];
    const value = query[name];
    if (value === undefined || value === "") return fallback;
    if (!(values as readonly string[]).includes(value)) throw new Refused(invalidCode(code));
    return value;
  };
  const limit = limitOf("search", query.limit, world.maxima, world.defaults);
  return {
    query: query.query ?? "",
    normalizedQuery,
    scope: chosen("scope"),
    fileKind: chosen("fileKind"),
    mode: chosen("mode"),
    graphDepth: bounded(query.graphDepth, 1, 2, "INVALID_FILE_SEARCH_GRAPH_DEPTH"),
    graphFanout: bounded(query.graphFanout, 10, 25, "INVALID_FILE_SEARCH_GRAPH_FANOUT"),
    okfStatus: chosen("okfStatus"),
    okfTrustTier: chosen("okfTrustTier"),
    okfFreshness: chosen("okfFreshness"),
    limit,
    ...rerankControls(query, limit)
  };
}

function rerankControls(query: Query, limit: number) {
  const refuse = () => new Refused(invalidCode("INVALID_FILE_SEARCH_RERANK_CONTROLS"));
  const { rerank = "false", rerankTopK, rerankScoreThreshold } = query;
  if (rerank !== "true" && rerank !== "false") throw refuse();
  const topK = rerankTopK === undefined ? null : Number(rerankTopK);
  const threshold = rerankScoreThreshold === undefined ? null : Number(rerankScoreThreshold);
  if (rerank === "false" && (topK !== null || threshold !== null)) throw refuse();
  if (topK !== null && !(Number.isInteger(topK) && topK >= limit && topK <= 50)) throw refuse();
  if (threshold !== null && !(threshold >= 0 && threshold <= 1)) throw refuse();
  return { rerank: rerank === "true", rerankTopK: topK, rerankScoreThreshold: threshold };
}

function normalized(raw: string | undefined): string {
  const query = (raw ?? "").replace(/[\t\p{Zs}]+/gu, " ").trim();
  if (query === "") throw new Refused(invalidCode("FILE_SEARCH_QUERY_REQUIRED"));
  if (/\p{Cc}/u.test(query)) throw new Refused(invalidCode("INVALID_FILE_SEARCH_QUERY"));
  const characters = [...query].length;
  if (characters < 2) throw new Refused(invalidCode("FILE_SEARCH_QUERY_TOO_SHORT"));
  if (characters > QUERY_CHARACTERS || Buffer.byteLength(query) > QUERY_BYTES) {
    throw new Refused(invalidCode("FILE_SEARCH_QUERY_TOO_LONG"));
  }
  return query;
}

function hit(kb: KnowledgeBaseModel, { file, own, record }: Match, asked: Question, label: number, rank: number) {
  const {
    contentType: _1,
    sizeBytes: _2,
    okfType: _3,
    deletable: _4,
    readActions: _5,
    ...detail
  } = fileDetail(kb, file, label);
  const graph = asked.mode !== "file" && file.page !== null;
  const relationships = graph
    ? walk(kb, file, asked.graphDepth, asked.graphFanout).map(({ neighbor, depth }) =>
        relatedFile(kb, neighbor, depth, label)
      )
    : [];
  const evidence = [
    ...(own ? ["content"] : []),
    ...(record === undefined ? [] : ["file_relationship"]),
    ...(own && graph ? ["graph_node"] : [])
  ];
  return {
    ...detail,
    matchedFields: evidence,
    evidenceTypes: evidence,
    sourceExcerpt: excerpt(own || record === undefined ? file.content : record, asked.normalizedQuery),
    score: 1 / (60 + rank + 1),
    matchType: own ? matchTypeOf(asked) : "graph_edge",
    ...(graph
      ? {
          graphContext: {
            graphRef: graphPathOf(file.path),
            depth: asked.graphDepth,
            seedSourceFileId: file.id,
            relationships,
            graphPaths: graphPaths(file, relationships)
          }
        }
      : {}),
    readActions: readActions(kb, file)
  };
}

function matchTypeOf({ mode }: Question): string {
  return mode === "file" ? "file_direct" : mode === "graph" ? "graph_neighbor" : "hybrid";
}

function excerpt(content: string, query: string): string {
  const words = query.split(" ").map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return content.slice(0, 400).replace(new RegExp(words.join("|"), "giu"), "<em>$&</em>");
}

function statuses(kb: KnowledgeBaseModel | undefined, asked: Question, empty: boolean, evidence: Evidence) {
  const families = asked.mode === "file" ? FILE_FAMILIES : FAMILIES;
  const degraded = empty || evidence === "complete" ? [] : evidence === "none" ? families : families.slice(0, 1);
  const graph = !empty && asked.mode !== "file";
  return {
    semanticStatus: empty
      ? { state: "unavailable", safeCode: "SEMANTIC_ADOPTION_REQUIRED" }
      : degraded.length > 0
        ? { state: "degraded", safeCode: "SEMANTIC_LANE_PARTIAL_FAILURE" }
        : { state: "ready", safeCode: null },
    evidenceStatus: {
      completedFamilies: empty ? [] : families.filter((family) => !degraded.includes(family)),
      degradedFamilies: degraded
    },
    rerankerStatus: asked.rerank
      ? { state: "applied", safeCode: null }
      : { state: "skipped", safeCode: "RERANKER_DISABLED" },
    graphStatus: empty ? "index_unavailable" : graph ? "available" : "disabled_for_file_mode",
    graphSummary: {
      available: graph,
      indexedDocumentCount: graph ? (kb?.pages.length ?? 0) : 0,
      indexedRelationshipCount: graph ? (kb?.relations.length ?? 0) : 0,
      depth: asked.graphDepth,
      fanout: asked.graphFanout
    }
  };
}
