/** What a tool is, to REST, MCP and the published definitions alike. */
import type * as z from "zod";
import { invalid } from "../errors.ts";
import type { KnowledgeBaseReader, OperationName, Page, Reader } from "../knowledge/types.ts";
import { parseArguments } from "./arguments.ts";
import { withPageSize } from "./page-size.ts";

/** `whole` is the upstream's answer as policy leaves it; `compact` what a model needs of it. */
export type View = "whole" | "compact";

export interface Tool {
  /** Also the operation that a grant must open. */
  readonly name: OperationName;
  readonly title: string;
  /** For a model: when to use the tool, and what to do with its answer. */
  readonly description: string;
  readonly input: z.ZodObject;
  /** The compact answer; unknown fields are admitted. */
  readonly output: z.ZodObject;
  /**
   * Reads, and renders the answer.
   * @param given arguments as they came: see `parseArguments`
   * @throws VALIDATION_ERROR for the arguments, and what the reader throws
   */
  answer(reader: Reader, knowledgeBase: KnowledgeBaseReader, given: unknown, view: View): Promise<object>;
}

interface ToolSpec<Input extends z.ZodObject, Whole extends object> extends Omit<Tool, "input" | "answer"> {
  readonly input: Input;
  read(knowledgeBase: KnowledgeBaseReader, args: z.output<Input>, reader: Reader): Whole | Promise<Whole>;
  compact(whole: Whole): object;
}

export function defineTool<Input extends z.ZodObject, Whole extends object>(spec: ToolSpec<Input, Whole>): Tool {
  const { read, compact, ...tool } = spec;
  return {
    ...tool,
    async answer(reader, knowledgeBase, given, view) {
      const input = withPageSize(spec.input, reader.viewer.limits.pageSize);
      const whole = await read(knowledgeBase, parseArguments(input, given), reader);
      return view === "compact" ? compact(whole) : whole;
    }
  };
}

/**
 * A page as REST answers it: the upstream's fields in their order, with the gateway's own cursor.
 * @throws VALIDATION_ERROR for a page of no items, which only GraphQL's `first` can ask for
 */
export function wholePage<Row, Body extends object>(page: Page<Row, Body>): Body & { nextCursor: string | null } {
  if (page.body === null) throw invalid("limit", "limit must be at least 1.");
  return { ...page.body, nextCursor: page.nextCursor() };
}
