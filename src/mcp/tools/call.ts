/** tools/call: a tool's answer, or its error as a model can read it. Source: docs/invariants.md 4. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { errorEnvelope, GatewayError, invalid } from "../../errors.ts";
import { parseArguments } from "../../tools/arguments.ts";
import { TOOLS } from "../../tools/call.ts";
import { searchAll } from "../../tools/search-all.ts";
import type { Tool } from "../../tools/tool.ts";
import { isAboutAll, knowledgeBaseOf, type Scope } from "../scope.ts";
import { listKnowledgeBases } from "./list-knowledge-bases.ts";
import { offsetOf, partOf } from "./part.ts";
import { textOf } from "./text.ts";

const parameters = z.object({ name: z.string().describe("The name of a tool, from tools/list.") });

type Answer = (scope: Scope, given: unknown) => Promise<object>;

/**
 * Calls a tool. What goes wrong in a tool, its arguments included, is a result with `isError`, which hosts show to the
 * model: the error as a tool post answers it, as JSON text.
 * @throws VALIDATION_ERROR for a tool that does not exist
 */
export async function callTool(scope: Scope, params: unknown): Promise<CallToolResult> {
  const { name } = parseArguments(parameters, params);
  const answer = answerOf(scope, name);
  try {
    const structuredContent = { ...(await answer(scope, argumentsOf(params))) };
    return { content: [{ type: "text", text: textOf(structuredContent) }], structuredContent };
  } catch (thrown) {
    const error = scope.expected(thrown);
    scope.reader.noteError(error.code);
    const envelope = errorEnvelope(error, scope.reader.requestId);
    return { isError: true, content: [{ type: "text", text: JSON.stringify(envelope) }] };
  }
}

function answerOf({ boundTo }: Scope, name: string): Answer {
  if (boundTo === null && name === listKnowledgeBases.name) {
    return ({ reader }, given) => listKnowledgeBases.answer(reader, given);
  }
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool !== undefined) return (scope, given) => answerOfTool(tool, scope, given);
  const names = [...(boundTo === null ? [listKnowledgeBases.name] : []), ...TOOLS.map((known) => known.name)];
  throw invalid("name", `Unknown tool. Call one of ${names.join(", ")}.`, { allowedValues: names });
}

async function answerOfTool(tool: Tool, scope: Scope, given: unknown): Promise<object> {
  if (tool.name === "search_files" && (await isAboutAll(scope, given))) return searchEverything(scope, given);
  const knowledgeBase = await knowledgeBaseOf(scope, given);
  if (tool.name !== "read_file") return tool.answer(scope.reader, knowledgeBase, given, "compact");
  const offset = offsetOf(given);
  const whole = await tool.answer(scope.reader, knowledgeBase, given, "compact");
  if (!("content" in whole) || typeof whole.content !== "string") return whole;
  return { ...whole, ...partOf(whole.content, offset, scope.reader.viewer.limits.mcpContentBytes) };
}

/** Several knowledge bases are chosen one by one here, since a call names one or none. */
async function searchEverything({ reader }: Scope, given: unknown): Promise<object> {
  const args = typeof given === "object" && given !== null ? { ...given, knowledgeBases: undefined } : given;
  try {
    return await searchAll.answer(reader, args, "compact");
  } catch (error) {
    if (!(error instanceof GatewayError) || error.details?.field !== "knowledgeBases") throw error;
    const message = "There are too many knowledge bases to search at once. Send knowledgeBase, one key at a time.";
    throw invalid("knowledgeBase", message, { limit: error.details.limit });
  }
}

function argumentsOf(params: unknown): unknown {
  return typeof params === "object" && params !== null && "arguments" in params ? params.arguments : undefined;
}
