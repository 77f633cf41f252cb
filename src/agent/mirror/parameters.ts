/**
 * The upstream's query parameters: published with its defaults, passed on as they came, and read as it reads them, so
 * that policy and cursors know what was asked.
 */
import * as z from "zod";
import { LISTS, type ListSpec } from "../../knowledge/lists.ts";
import type { PageInput } from "../../knowledge/types.ts";
import { expandGraph } from "../../tools/expand-graph.ts";
import { cursor, limit, PAGE_NAMES } from "../../tools/fields.ts";
import { listTree } from "../../tools/list-tree.ts";
import { searchFiles } from "../../tools/search-files.ts";
import { type AgentContext, parametersOf } from "../route.ts";

/** With the default that the upstream has, which is not always the reader's. */
const asUpstream = (list: ListSpec) => limit(list.maximum, list.upstreamDefault);

export const PARAMETERS = {
  knowledgeBases: z.object({ limit: asUpstream(LISTS.knowledgeBases), cursor }),
  tree: z.object({ ...listTree.input.shape, limit: asUpstream(LISTS.tree) }),
  search: searchFiles.input,
  related: z.object({ cursor, limit: asUpstream(LISTS.related) }),
  expand: expandGraph.input
};

export type Values = Readonly<Record<string, string>>;

/** A list's parameters: the operation's own by name, and the page that asks with all of them as they came. */
export interface Asked {
  readonly values: Values;
  readonly page: PageInput;
}

/** The first value of each parameter counts, as upstream; what is repeated or unknown goes along. */
export function asked(context: AgentContext, schema: z.ZodObject): Asked {
  const values: Record<string, string> = Object.create(null);
  const extra: [string, string][] = [];
  for (const [name, value] of parametersOf(context)) {
    if (Object.hasOwn(schema.shape, name) && values[name] === undefined) values[name] = value;
    else extra.push([name, value]);
  }
  const page = { after: values.cursor, names: PAGE_NAMES, verbatim: values };
  return { values, page: extra.length === 0 ? page : { ...page, extra } };
}

/** Text; an empty parameter is one that was left out. */
export function word(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}

/** Anything JavaScript reads as a number; what it does not is NaN, which the upstream refuses in its own words. */
export function number(value: string | undefined): number | undefined {
  return value === undefined || value.trim() === "" ? undefined : Number(value);
}
