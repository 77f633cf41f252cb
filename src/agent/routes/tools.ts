/** The tools as posts, and their definitions for a model's API. */
import * as z from "zod";
import { callTool, grantedTools, TOOLS, toolNamed } from "../../tools/call.ts";
import { DEFINITION_FORMATS, toolDefinitions } from "../../tools/definitions.ts";
import { defaulted } from "../../tools/fields.ts";
import type { Tool } from "../../tools/tool.ts";
import { readJsonObject } from "../body.ts";
import { json } from "../respond.ts";
import { knowledgeBaseOf, parameter, queryOf, type Route, type RouteDocument } from "../route.ts";

const definitions = {
  query: z.object({
    format: defaulted(z.enum(DEFINITION_FORMATS), "mcp", "Whose API the definitions are for.")
  }),
  answer: z.object({
    tools: z.array(z.looseObject({})).describe("As the vendor's request takes them, under the same name.")
  })
};

export const toolRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/agent/{kb}/tools",
    operationId: "readToolDefinitions",
    summary: "Definitions of the tools that the caller may use here.",
    ...definitions,
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      // A grant of a whole upstream says of no name whether it exists there.
      await knowledgeBase.detail();
      const { pageSize } = context.reader.viewer.limits;
      const { format = "mcp" } = queryOf(context, definitions.query);
      return json({ tools: toolDefinitions(format, grantedTools(knowledgeBase), pageSize) });
    }
  },
  {
    method: "POST",
    path: "/agent/{kb}/tools/{tool}",
    operationId: "callTool",
    summary: "Calls a tool.",
    answer: z.looseObject({}),
    documentedAs: TOOLS.map(documentTool),
    async handle(context) {
      const name = parameter(context, "tool");
      toolNamed(name); // An unknown tool is told before anything is read.
      const args = readJsonObject(context.request);
      const knowledgeBase = await knowledgeBaseOf(context);
      return json(await callTool(context.reader, knowledgeBase, name, args));
    }
  }
];

function documentTool(tool: Tool): RouteDocument {
  return {
    method: "POST",
    path: `/agent/{kb}/tools/${tool.name}`,
    operationId: tool.name,
    summary: `${tool.title}.`,
    description: tool.description,
    body: tool.input,
    answer: tool.output
  };
}
