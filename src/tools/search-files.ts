/** search_files: candidates for a question. */
import * as z from "zod";
import { BOUNDS } from "../knowledge/bounds.ts";
import { LISTS } from "../knowledge/lists.ts";
import type { SearchHit } from "../knowledge/types.ts";
import { pick, pickLinks } from "./compact.ts";
import { fitExcerpts } from "./excerpts.ts";
import { bounded, cursor, defaulted, limit, optional, PAGE_NAMES, text } from "./fields.ts";
import { fields, fileRow, page } from "./shapes.ts";
import { defineTool, wholePage } from "./tool.ts";

export const searchInput = z.object({
  query: text.describe("The complete question, 2 to 512 characters, on one line."),
  mode: defaulted(z.enum(["hybrid", "file", "graph"]), "hybrid", "Kinds of evidence to search; hybrid is both."),
  scope: defaulted(z.enum(["all", "path", "metadata"]), "all", "What to match; path is without the pages/ prefix."),
  fileKind: defaulted(z.enum(["page", "all"]), "page", "page leaves generated files out."),
  graphDepth: bounded(BOUNDS.graphDepth, "Steps of relations to follow."),
  graphFanout: bounded(BOUNDS.graphFanout, "Relations of a file to follow."),
  okfStatus: optional(z.enum(["draft", "stable", "deprecated"]), "Only files of this status."),
  okfTrustTier: optional(z.enum(["unverified", "machine-confirmed", "human-reviewed"]), "Only files trusted so far."),
  okfFreshness: optional(z.enum(["fresh", "stale"]), "Only fresh or only stale files."),
  rerank: defaulted(z.boolean(), false, "Reorder the best hits with a model, where the tenant allows it."),
  rerankTopK: bounded(BOUNDS.rerankTopK, "With rerank: hits to reorder, not fewer than limit."),
  rerankScoreThreshold: bounded(BOUNDS.rerankScoreThreshold, "With rerank: the least score to keep."),
  cursor,
  limit: limit(LISTS.search.maximum, LISTS.search.default)
});

/** What every release sends of a compact hit. */
export const hitShape = { ...fileRow, ...fields("title", "score", "sourceExcerpt", "graphRef", "readActions") };

const output = z.object({
  ...page,
  items: z.array(z.object(hitShape)),
  ...fields("searchStatus", "message", "nextActions")
});

const ITEM = [
  "fileId",
  "sourceFileId",
  "path",
  "title",
  "description",
  "score",
  "matchType",
  "matchedFields",
  "evidenceTypes",
  "sourceExcerpt",
  "contentAvailable"
] as const;
const STATUS = [
  "searchStatus",
  "searchMode",
  "semanticStatus",
  "evidenceStatus",
  "rerankerStatus",
  "graphStatus",
  "message",
  "nextActions",
  "nextCursor"
] as const;

export const searchFiles = defineTool({
  name: "search_files",
  title: "Search files",
  description:
    "Find files that may answer a question. Begin here, once, with the whole question worded to stand alone. Hits and " +
    "excerpts are leads, not evidence: open them with read_file. Search again at most twice, each time in terms taken " +
    "from text you have read. If nothing is found (no_candidates), explore with list_tree.",
  input: searchInput,
  output,
  async read(knowledgeBase, { cursor: after, limit: first, ...args }) {
    return wholePage(await knowledgeBase.search(args, { first, after, names: PAGE_NAMES }));
  },
  compact: (whole) => ({
    ...pick(whole, ["activeContentRevision"]),
    items: compactHits(whole.items),
    ...pick(whole, STATUS)
  })
});

/** The hits of one page, whose excerpts share one budget. */
export function compactHits(hits: readonly SearchHit[]): object[] {
  const excerpts = fitExcerpts(hits.map((hit) => hit.sourceExcerpt ?? ""));
  return hits.map((hit, index) => compactHit(hit.sourceExcerpt ? { ...hit, sourceExcerpt: excerpts[index] } : hit));
}

function compactHit(hit: SearchHit): object {
  const graphRef = pick(hit.graphContext ?? {}, ["graphRef"]);
  return { ...pick(hit, ITEM), ...graphRef, ...pickLinks(hit, ["fileContentById"]) };
}
