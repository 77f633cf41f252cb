/** The mirror's files: search in them, their details, contents and relations. */
import * as z from "zod";
import { FileAnswer, FileContent, Related, Search } from "../../knowledge/answers.ts";
import type { SearchArgs } from "../../knowledge/types.ts";
import { text } from "../../tools/fields.ts";
import { wholePage } from "../../tools/tool.ts";
import { json } from "../respond.ts";
import { firstValues, parameter, type Route } from "../route.ts";
import { BASE, knowledgeBaseOf } from "./knowledge-bases.ts";
import { asked, number, PARAMETERS, type Values, word } from "./parameters.ts";

// `search` and `content` stand before `{fileId}`: they are reserved words and never ids.
export const fileRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${BASE}/files/search`,
    operationId: "searchGeneratedFiles",
    summary: "Files that may answer a question.",
    query: PARAMETERS.search,
    answer: Search,
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      const { values, page } = asked(context, PARAMETERS.search);
      return json(wholePage(await knowledgeBase.search(searchArgs(values), page)));
    }
  },
  {
    method: "GET",
    path: `${BASE}/files/content`,
    operationId: "getFileContentByPath",
    summary: "A file and its Markdown, by path.",
    query: z.object({ path: text.describe("The file's path.") }),
    answer: FileContent,
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      // A path that is left out is refused by the upstream, like an empty one.
      return json(await knowledgeBase.content({ path: firstValues(context).path ?? "" }));
    }
  },
  {
    method: "GET",
    path: `${BASE}/files/{fileId}`,
    operationId: "getFileById",
    summary: "A file's metadata.",
    answer: FileAnswer,
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      return json({ file: await knowledgeBase.file(parameter(context, "fileId")) });
    }
  },
  {
    method: "GET",
    path: `${BASE}/files/{fileId}/content`,
    operationId: "getFileContentById",
    summary: "A file and its Markdown, by id.",
    answer: FileContent,
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      return json(await knowledgeBase.content({ fileId: parameter(context, "fileId") }));
    }
  },
  {
    method: "GET",
    path: `${BASE}/files/{fileId}/related`,
    operationId: "listRelatedFiles",
    summary: "The files that a file is related to.",
    query: PARAMETERS.related,
    answer: Related,
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      const { page } = asked(context, PARAMETERS.related);
      return json(wholePage(await knowledgeBase.related(parameter(context, "fileId"), page)));
    }
  }
];

function searchArgs(values: Values): SearchArgs {
  return {
    query: values.query ?? "",
    mode: word(values.mode),
    scope: word(values.scope),
    fileKind: word(values.fileKind),
    graphDepth: number(values.graphDepth),
    graphFanout: number(values.graphFanout),
    okfStatus: word(values.okfStatus),
    okfTrustTier: word(values.okfTrustTier),
    okfFreshness: word(values.okfFreshness),
    rerank: word(values.rerank) === undefined ? undefined : values.rerank === "true",
    rerankTopK: number(values.rerankTopK),
    rerankScoreThreshold: number(values.rerankScoreThreshold)
  };
}
