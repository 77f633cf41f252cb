/**
 * The upstream's query parameters: published with its defaults, passed on as they came, and read as it reads them, so
 * that policy and cursors know what was asked.
 */
import { z } from "zod";
import type { PageInput } from "../../knowledge/types.ts";
import { expandGraph } from "../../tools/expand-graph.ts";
import { cursor, limit, PAGE_NAMES } from "../../tools/fields.ts";
import { listTree } from "../../tools/list-tree.ts";
import { searchFiles } from "../../tools/search-files.ts";
import { type AgentContext, firstValues } from "../route.ts";

export const PARAMETERS = {
  knowledgeBases: z.object({ limit: limit(200, 50), cursor }),
  tree: z.object({ ...listTree.input.shape, limit: limit(500, 100) }),
  search: searchFiles.input,
  related: z.object({ cursor, limit: limit(200, 50) }),
  expand: expandGraph.input
};

export type Values = Readonly<Record<string, string>>;

/** The parameters that the operation has, as they came; the upstream ignores all others. */
export function verbatim(context: AgentContext, schema: z.ZodObject): Values {
  const values = firstValues(context);
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(schema.shape, name)));
}

export function pageOf(values: Values): PageInput {
  return { after: values.cursor, names: PAGE_NAMES, verbatim: values };
}

/** Text; an empty parameter is one that was left out. */
export function word(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

/** Anything JavaScript reads as a number; what it does not is NaN, which the upstream refuses in its own words. */
export function number(value: string | undefined): number | undefined {
  return value === undefined || value.trim() === "" ? undefined : Number(value);
}
