/** tools/list: the six tools as REST defines them, with the arguments that only MCP has. */
import type { ListToolsResult } from "@modelcontextprotocol/sdk/types.js";
import { TOOLS } from "../../tools/call.ts";
import { type McpTool, objectSchema, toolDefinitions } from "../../tools/definitions.ts";
import { withPageSize } from "../../tools/page-size.ts";
import { fields } from "../../tools/shapes.ts";
import type { Tool } from "../../tools/tool.ts";
import { KNOWLEDGE_BASE_ARGUMENT, mayUse, type Scope, SEARCHED_ARGUMENT } from "../scope.ts";
import { listKnowledgeBases } from "./list-knowledge-bases.ts";
import { OFFSET_ARGUMENT } from "./part.ts";

const BOUND: readonly Tool[] = TOOLS.map((tool) =>
  tool.name === "read_file" ? { ...tool, input: tool.input.safeExtend(OFFSET_ARGUMENT) } : tool
);

/** Where no knowledge base is bound, a search may go through several, and its answer then says which and how. */
const UNBOUND: readonly Tool[] = BOUND.map((tool) =>
  tool.name === "search_files"
    ? { ...tool, input: tool.input.safeExtend(SEARCHED_ARGUMENT), output: tool.output.safeExtend(fields("sources")) }
    : { ...tool, input: tool.input.safeExtend(KNOWLEDGE_BASE_ARGUMENT) }
);

const knowledgeBasesTool = (pageSize: number): McpTool => ({
  name: listKnowledgeBases.name,
  title: listKnowledgeBases.title,
  description: listKnowledgeBases.description,
  inputSchema: objectSchema(withPageSize(listKnowledgeBases.input, pageSize)),
  outputSchema: objectSchema(listKnowledgeBases.output),
  annotations: { readOnlyHint: true }
});

/** The tools that the caller may use in this scope. */
export async function listTools(scope: Scope): Promise<ListToolsResult> {
  const all = scope.boundTo === null ? UNBOUND : BOUND;
  const may = await Promise.all(all.map((tool) => mayUse(scope, tool.name)));
  const { pageSize } = scope.reader.viewer.limits;
  const granted = all.filter((_tool, index) => may[index]);
  const definitions = toolDefinitions("mcp", granted, pageSize);
  return { tools: scope.boundTo === null ? [knowledgeBasesTool(pageSize), ...definitions] : definitions };
}
