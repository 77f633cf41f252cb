/**
 * search_files over several knowledge bases: for callers who name none and are granted more than one.
 *
 * The answer is `{items, sources, nextCursor}`; each item says its `knowledgeBaseId`, which every other read takes.
 */
import * as z from "zod";
import { SearchHit } from "../knowledge/answers.ts";
import type { FederatedPage, Reader, SearchSource } from "../knowledge/types.ts";
import { parseArguments } from "./arguments.ts";
import { optional, PAGE_NAMES, text } from "./fields.ts";
import { withPageSize } from "./page-size.ts";
import { compactHits, hitShape, searchInput } from "./search-files.ts";
import type { View } from "./tool.ts";

const input = z.object({
  ...searchInput.shape,
  knowledgeBases: optional(text, "Keys or ids, separated by commas. Left out: all that the caller may search.")
});

/** How the search of one knowledge base went. */
export const searchSource = z.object({
  knowledgeBaseId: z.string(),
  key: z.string().describe("Names it in URLs and arguments, as its id does."),
  searchStatus: z.string().nullable().describe("ok, no_candidates, or null where the search failed."),
  activeContentRevision: z.int().nullable(),
  resultCount: z.int().nullable().describe("How many items of this page are from it."),
  error: z
    .looseObject({ code: z.string(), message: z.string(), httpStatus: z.int(), requestId: z.string() })
    .nullable()
    .describe("Why its search failed. The other sources' items are complete without it.")
});

const answerOf = (hit: z.ZodType) =>
  z.object({
    items: z.array(z.intersection(hit, z.object({ knowledgeBaseId: z.string() }))),
    sources: z.array(searchSource),
    nextCursor: z.string().nullable()
  });

export const searchAll = {
  input,
  /** The answer by view. */
  output: { whole: answerOf(SearchHit), compact: answerOf(z.object(hitShape)) },

  /**
   * @param given arguments as they came: see `parseArguments`
   * @throws VALIDATION_ERROR for the arguments; what `Reader.search` throws; and where every source failed, the first
   *   one's error, because an answer without items would be taken for one that found nothing
   */
  async answer(reader: Reader, given: unknown, view: View): Promise<object> {
    const args = parseArguments(withPageSize(input, reader.viewer.limits.pageSize), given);
    const { cursor: after, limit: first, knowledgeBases: named, ...question } = args;
    const knowledgeBases = named?.split(",").map((key) => key.trim());
    const page = await reader.search({ ...question, knowledgeBases }, { first, after, names: PAGE_NAMES });
    const [failed] = page.sources;
    if (failed?.error && page.sources.every(({ error }) => error !== null)) throw failed.error;
    return {
      items: itemsOf(page, view),
      sources: page.sources.map((each) => sourceOf(each, reader)),
      nextCursor: page.nextCursor()
    };
  }
};

function itemsOf({ rows }: FederatedPage, view: View): object[] {
  const hits = rows.map(({ hit }) => hit);
  const shown: readonly object[] = view === "compact" ? compactHits(hits) : hits;
  return shown.map((item, index) => ({ knowledgeBaseId: rows[index]?.knowledgeBase.id, ...item }));
}

function sourceOf({ knowledgeBase, error, ...status }: SearchSource, { requestId, noteError }: Reader): object {
  const { id, key } = knowledgeBase;
  if (error !== null) noteError(error.code);
  const shown = error === null ? null : { ...error.body(), requestId: error.requestId ?? requestId };
  return { knowledgeBaseId: id, key, ...status, error: shown };
}
