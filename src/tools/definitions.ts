/** The tools' definitions in the words of those who offer them to a model. */
import * as z from "zod";
import { invalid } from "../errors.ts";
import { TOOLS } from "./call.ts";
import { withPageSize } from "./page-size.ts";
import type { Tool } from "./tool.ts";

export const DEFINITION_FORMATS = ["mcp", "openai", "anthropic"] as const;
export type DefinitionFormat = (typeof DEFINITION_FORMATS)[number];

export type JsonObjectSchema = { type: "object"; [keyword: string]: unknown };

/** As in MCP's tools/list. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonObjectSchema;
  outputSchema: JsonObjectSchema;
  annotations: { readOnlyHint: true };
}

/** As in OpenAI's chat completions. */
interface OpenAiTool {
  type: "function";
  function: { name: string; description: string; parameters: JsonObjectSchema };
}

/** As in Anthropic's messages. */
interface AnthropicTool {
  name: string;
  description: string;
  input_schema: JsonObjectSchema;
}

export interface DefinitionsByFormat {
  mcp: McpTool[];
  openai: OpenAiTool[];
  anthropic: AnthropicTool[];
}

const RENDER: { [F in DefinitionFormat]: (tool: Tool) => DefinitionsByFormat[F][number] } = {
  mcp: (tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: objectSchema(tool.input),
    outputSchema: objectSchema(tool.output),
    annotations: { readOnlyHint: true }
  }),
  openai: (tool) => ({
    type: "function",
    function: { name: tool.name, description: tool.description, parameters: objectSchema(tool.input) }
  }),
  anthropic: (tool) => ({
    name: tool.name,
    description: tool.description,
    input_schema: objectSchema(tool.input)
  })
};

/**
 * Definitions to hand on as they are.
 * @param tools those that the caller may use; left out, all six
 * @param pageSize `limits.pageSize` of the caller; left out, each list's own maximum is shown
 * @throws VALIDATION_ERROR with `allowedValues` for an unknown format
 */
export function toolDefinitions<F extends DefinitionFormat>(
  format: F,
  tools?: readonly Tool[],
  pageSize?: number
): DefinitionsByFormat[F];
export function toolDefinitions(
  format: string,
  tools?: readonly Tool[],
  pageSize?: number
): DefinitionsByFormat[DefinitionFormat];
export function toolDefinitions(
  format: string,
  tools: readonly Tool[] = TOOLS,
  pageSize = Number.POSITIVE_INFINITY
): object[] {
  const known = DEFINITION_FORMATS.find((candidate) => candidate === format);
  if (known === undefined) {
    throw invalid("format", `format must be one of ${DEFINITION_FORMATS.join(", ")}.`, {
      allowedValues: DEFINITION_FORMATS
    });
  }
  const render: (tool: Tool) => object = RENDER[known];
  return tools.map((tool) => render({ ...tool, input: withPageSize(tool.input, pageSize) }));
}

/** All formats, as `schema/tools.json` publishes them. */
export function toolsDocument(): DefinitionsByFormat {
  return {
    mcp: toolDefinitions("mcp"),
    openai: toolDefinitions("openai"),
    anthropic: toolDefinitions("anthropic")
  };
}

/**
 * A plain JSON Schema of an object, in the dialect that MCP assumes. As an input's schema it admits fields that it does
 * not name: agents send some, and answers hold more than their schemas say.
 */
export function objectSchema(schema: z.ZodObject): JsonObjectSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "input" });
  return { ...rest, type: "object" };
}
