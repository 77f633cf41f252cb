import { GraphExpansion, GraphOverview } from "../../knowledge/answers.ts";
import { expandGraph } from "../../tools/expand-graph.ts";
import { json } from "../respond.ts";
import { knowledgeBaseOf, type Route } from "../route.ts";
import { readRoute } from "./read.ts";

export const graphRoutes: readonly Route[] = [
  readRoute({
    path: "/agent/{kb}/graph/expand",
    operationId: "readExpansion",
    summary: "The relations around a file, up to two steps out.",
    tool: expandGraph,
    whole: GraphExpansion,
    query: expandGraph.input
  }),
  {
    method: "GET",
    path: "/agent/{kb}/graph/overview",
    operationId: "readGraphOverview",
    summary: "How many files and relations there are, and where the graph's own files lie.",
    answer: GraphOverview,
    handle: async (context) => json(await (await knowledgeBaseOf(context)).overview())
  }
];
