/** The arguments of every list, and how the range of a number is told. Source: docs/invariants.md 5 and 8. */
import type { ArgBuilder } from "@pothos/core";
import { BOUNDS } from "../knowledge/bounds.ts";
import type { ListSpec } from "../knowledge/lists.ts";
import type { PageInput } from "../knowledge/types.ts";
import type { SchemaTypes } from "./builder.ts";

export function pageArgs(arg: ArgBuilder<SchemaTypes>, { maximum, default: byDefault }: ListSpec) {
  return {
    first: arg.int({
      description: `How many items: 0 to ${maximum}, or the tenant's pageSize if that is less. Left out: ${byDefault}.`
    }),
    after: arg.string({
      description: "A cursor of this list, asked with the same arguments. Left out or empty: the first page."
    })
  };
}

/** What a bounded number may be, and what leaving it out means. */
export function rangeOf(name: "depth" | "fanout" | "graphDepth" | "graphFanout"): string {
  const { least, most, byDefault } = BOUNDS[name];
  return `${least} to ${most}. Left out: ${byDefault}.`;
}

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** Null means what leaving an argument out means. */
export function pageInput({ first, after }: PageArgs): PageInput {
  return { first: first ?? undefined, after };
}
