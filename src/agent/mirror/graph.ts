import { GraphExpansion, GraphOverview } from "../../knowledge/answers.ts";
import { wholePage } from "../../tools/tool.ts";
import { json } from "../respond.ts";
import type { Route } from "../route.ts";
import { BASE, knowledgeBaseOf } from "./knowledge-bases.ts";
import { asked, number, PARAMETERS } from "./parameters.ts";

export const graphRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${BASE}/graph/expand`,
    operationId: "expandGraph",
    summary: "The relations around a file, up to two steps out.",
    query: PARAMETERS.expand,
    answer: GraphExpansion,
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      const { values, page } = asked(context, PARAMETERS.expand);
      const args = { fileId: values.fileId ?? "", depth: number(values.depth), fanout: number(values.fanout) };
      return json(wholePage(await knowledgeBase.expand(args, page)));
    }
  },
  {
    method: "GET",
    path: `${BASE}/graph/overview`,
    operationId: "getGraphOverview",
    summary: "How many files and relations there are, and where the graph's own files lie.",
    answer: GraphOverview,
    handle: async (context) => json(await (await knowledgeBaseOf(context)).overview())
  }
];
