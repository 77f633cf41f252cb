/** Search in one knowledge base, and in all that the caller is granted. */
import * as z from "zod";
import { Search } from "../../knowledge/answers.ts";
import { searchAll } from "../../tools/search-all.ts";
import { searchFiles } from "../../tools/search-files.ts";
import { json } from "../respond.ts";
import { queryOf, type Route } from "../route.ts";
import { readRoute, view } from "./read.ts";

export const searchRoutes: readonly Route[] = [
  readRoute({
    path: "/agent/{kb}/search",
    operationId: "search",
    summary: "Files that may answer a question.",
    tool: searchFiles,
    whole: Search,
    query: searchFiles.input
  })
];

const parameters = z.object({ ...searchAll.input.shape, view });

/** Without a key: the caller's only knowledge base, or a search over several. */
export const searchAllRoute: Route = {
  method: "GET",
  path: "/agent/search",
  operationId: "searchAll",
  summary: "Files that may answer a question, from several knowledge bases.",
  description:
    "For callers granted more than one knowledge base, or with knowledgeBases: one search over all of them or the named " +
    "ones. Items say their knowledgeBaseId, and sources how each search went. For callers granted exactly one: as " +
    "/agent/{kb}/search.",
  query: parameters,
  answer: z.union([searchAll.output.whole, searchAll.output.compact, Search, searchFiles.output]),
  async handle(context) {
    const { reader } = context;
    const { view: shown = "whole", ...args } = queryOf(context, parameters);
    const sole = args.knowledgeBases === undefined ? await reader.soleKnowledgeBase() : null;
    if (sole === null) return json(await searchAll.answer(reader, args, shown));
    return json(await searchFiles.answer(reader, sole, args, shown));
  }
};
