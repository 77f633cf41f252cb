/** What every resolver gets: the reader of this request, already bound to the caller. Source: docs/invariants.md 1. */
import type { Reader } from "../knowledge/types.ts";

export interface GraphQLContext {
  readonly reader: Reader;
}
