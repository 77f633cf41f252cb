/** GET routes that put a tool's arguments into the URL, and answer with the upstream's whole object or the tool's. */
import * as z from "zod";
import { defaulted } from "../../tools/fields.ts";
import type { Tool } from "../../tools/tool.ts";
import { json } from "../respond.ts";
import { type AgentContext, knowledgeBaseOf, queryOf, type Route } from "../route.ts";

export const view = defaulted(z.enum(["whole", "compact"]), "whole", "compact answers with the tool's shape.");

interface ReadRoute extends Pick<Route, "path" | "operationId" | "summary"> {
  readonly tool: Tool;
  /** The upstream's whole object. */
  readonly whole: z.ZodType;
  /** The tool's arguments that are query parameters; left out, none. */
  readonly query?: z.ZodObject;
  /** Those that are in the path. */
  readonly fromPath?: (context: AgentContext) => Record<string, string>;
}

export function readRoute({ tool, whole, query = z.object({}), fromPath, ...route }: ReadRoute): Route {
  const parameters = z.object({ ...query.shape, view });
  return {
    ...route,
    method: "GET",
    query: parameters,
    answer: z.union([whole, tool.output]),
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      const { view = "whole", ...args } = queryOf(context, parameters);
      const given = { ...args, ...fromPath?.(context) };
      return json(await tool.answer(context.reader, knowledgeBase, given, view));
    }
  };
}
