/** The arguments of every list. Source: docs/invariants.md 5 and 8. */
import type { ArgBuilder } from "@pothos/core";
import type { PageInput } from "../knowledge/types.ts";
import type { SchemaTypes } from "./builder.ts";
import type { ListSize } from "./cost.ts";

export function pageArgs(arg: ArgBuilder<SchemaTypes>, { byDefault, atMost }: ListSize) {
  return {
    first: arg.int({
      description: `How many items: 0 to ${atMost}, or the tenant's pageSize if that is less. Left out: ${byDefault}.`
    }),
    after: arg.string({
      description: "A cursor of this list, asked with the same arguments. Left out or empty: the first page."
    })
  };
}

export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** Null means what leaving an argument out means. */
export function pageInput({ first, after }: PageArgs): PageInput {
  return { first: first ?? undefined, after };
}
