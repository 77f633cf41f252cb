/** prompts/list and prompts/get: one prompt, which carries the exploration rules. */
import type { GetPromptResult, ListPromptsResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { invalid } from "../../errors.ts";
import { parseArguments } from "../../tools/arguments.ts";
import { optional, text } from "../../tools/fields.ts";
import { KNOWLEDGE_BASE_ARGUMENT, knowledgeBaseOf, type Scope } from "../scope.ts";
import { rulesFor } from "./explore.ts";

const NAME = "explore_knowledge";
const DESCRIPTION = "How to answer a question from the knowledge base: search, read, follow, stop, cite.";

const parameters = z.object({
  name: z.string().describe("The name of a prompt, from prompts/list."),
  arguments: z.unknown().optional()
});
const QUESTION = { question: optional(text, "The question to answer, worded so that it needs no context.") };
const promptArguments = z.object({ ...QUESTION, ...KNOWLEDGE_BASE_ARGUMENT });

export function listPrompts({ boundTo }: Scope): ListPromptsResult {
  const offered: z.ZodRawShape = boundTo === null ? promptArguments.shape : QUESTION;
  const described = Object.entries(offered).map(([name, type]) => ({
    name,
    description: (type as z.ZodType).description ?? "",
    required: false
  }));
  return { prompts: [{ name: NAME, title: "Explore knowledge", description: DESCRIPTION, arguments: described }] };
}

/** @throws VALIDATION_ERROR for another name; NOT_FOUND for a knowledge base that is not granted */
export async function getPrompt(scope: Scope, params: unknown): Promise<GetPromptResult> {
  const { name, arguments: given } = parseArguments(parameters, params);
  if (name !== NAME)
    throw invalid("name", `There is no such prompt. The only one is ${NAME}.`, { allowedValues: [NAME] });
  const { question, knowledgeBase: named } = parseArguments(promptArguments, given);
  const key = scope.boundTo === null && named === undefined ? null : (await knowledgeBaseOf(scope, given)).key;
  const which = scope.boundTo === null && key !== null ? `Send knowledgeBase: ${key} with every call.\n` : "";
  const asked = question === undefined ? "" : `\n\nQuestion: ${question}`;
  const message = `Answer from the knowledge base, by these rules.\n${which}\n${rulesFor(scope, key)}${asked}`;
  return { description: DESCRIPTION, messages: [{ role: "user", content: { type: "text", text: message } }] };
}
