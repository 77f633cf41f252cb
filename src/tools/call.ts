/** The six tools, and one call of one of them. */
import { GatewayError } from "../errors.ts";
import type { KnowledgeBaseReader, Reader } from "../knowledge/types.ts";
import { expandGraph } from "./expand-graph.ts";
import { getFile } from "./get-file.ts";
import { listTree } from "./list-tree.ts";
import { readFile } from "./read-file.ts";
import { readRelated } from "./read-related.ts";
import { searchFiles } from "./search-files.ts";
import type { Tool } from "./tool.ts";

/** In the order in which an exploration meets them. */
export const TOOLS: readonly Tool[] = [searchFiles, readFile, listTree, getFile, readRelated, expandGraph];

/** Those whose operation the caller has there. */
export function grantedTools(knowledgeBase: KnowledgeBaseReader): readonly Tool[] {
  return TOOLS.filter((tool) => knowledgeBase.may(tool.name));
}

/** @throws UNSUPPORTED_ROUTE, naming the tools there are */
export function toolNamed(name: string): Tool {
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool) return tool;
  const names = TOOLS.map((known) => known.name);
  throw new GatewayError("UNSUPPORTED_ROUTE", {
    message: `There is no such tool. Call one of ${names.join(", ")}.`,
    details: { field: "tool", allowedValues: names }
  });
}

/**
 * The tool's compact answer, the same for REST and MCP.
 * @param args as the agent sent them: see `parseArguments`
 * @throws UNSUPPORTED_ROUTE for an unknown tool, VALIDATION_ERROR for arguments, and what the reader throws
 */
export async function callTool(
  reader: Reader,
  knowledgeBase: KnowledgeBaseReader,
  name: string,
  args: unknown
): Promise<object> {
  return await toolNamed(name).answer(reader, knowledgeBase, args, "compact");
}
