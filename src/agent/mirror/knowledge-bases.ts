/** The mirror's knowledge bases, and the one that a path below them names. */
import { KnowledgeBaseAnswer, KnowledgeBaseList } from "../../knowledge/answers.ts";
import type { KnowledgeBaseReader } from "../../knowledge/types.ts";
import { wholePage } from "../../tools/tool.ts";
import { json } from "../respond.ts";
import { type AgentContext, parameter, type Route } from "../route.ts";
import { asked, PARAMETERS } from "./parameters.ts";

/** Below this path lies everything of one knowledge base. */
export const BASE = "/openapi/v2/knowledge-bases/{knowledgeBaseId}";

export function knowledgeBaseOf(context: AgentContext): Promise<KnowledgeBaseReader> {
  return context.reader.knowledgeBase(parameter(context, "knowledgeBaseId"));
}

export const knowledgeBaseRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/openapi/v2/knowledge-bases",
    operationId: "listKnowledgeBases",
    summary: "The knowledge bases that the caller may read.",
    query: PARAMETERS.knowledgeBases,
    answer: KnowledgeBaseList,
    async handle(context) {
      const { page } = asked(context, PARAMETERS.knowledgeBases);
      return json(wholePage(await context.reader.knowledgeBases(page)));
    }
  },
  {
    method: "GET",
    path: BASE,
    operationId: "getKnowledgeBase",
    summary: "One knowledge base.",
    answer: KnowledgeBaseAnswer,
    async handle(context) {
      return json({ knowledgeBase: await (await knowledgeBaseOf(context)).detail() });
    }
  }
];
