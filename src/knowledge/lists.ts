/** The five lists: how many rows a page may have, and how `first` is read. Source: docs/invariants.md 8. */
import { type ErrorDetails, type GatewayError, invalid } from "../errors.ts";
import type { PageInput } from "./types.ts";

export interface ListSpec {
  readonly name: "knowledgeBases" | "tree" | "search" | "related" | "expand";
  /** The upstream's documented maximum. */
  readonly maximum: number;
  /** The reader's default. */
  readonly default: number;
  /** The upstream's default, which the mirror keeps. */
  readonly upstreamDefault: number;
  /** False where the order of rows depends on the page size, so that a page is refetched with its own. */
  readonly stable: boolean;
}

export const LISTS = {
  knowledgeBases: { name: "knowledgeBases", maximum: 200, default: 50, upstreamDefault: 50, stable: true },
  tree: { name: "tree", maximum: 500, default: 50, upstreamDefault: 100, stable: true },
  search: { name: "search", maximum: 50, default: 10, upstreamDefault: 10, stable: false },
  related: { name: "related", maximum: 200, default: 20, upstreamDefault: 50, stable: true },
  expand: { name: "expand", maximum: 200, default: 20, upstreamDefault: 50, stable: true }
} as const satisfies Record<string, ListSpec>;

/**
 * How many rows the caller wants.
 * @param pageSize the tenant's own bound
 * @throws VALIDATION_ERROR (`details {field, limit}`) for fewer than there can be, or above the list's or the tenant's
 *   maximum
 */
export function firstOf(list: ListSpec, page: PageInput, pageSize: number): number {
  const maximum = Math.min(list.maximum, pageSize);
  if (page.verbatim !== undefined) return verbatimLimit(list, page.verbatim.limit, maximum);
  const { first } = page;
  const field = page.names?.first ?? "first";
  if (first === undefined) return Math.min(list.default, maximum);
  // Only a connection can be asked for none of its rows.
  const least = field === "first" ? 0 : 1;
  if (Number.isInteger(first) && first >= least && first <= maximum) return first;
  throw refusal(field, least, maximum, list.default);
}

/** The upstream's own reading of a `limit` parameter: empty is the default, any JavaScript integer counts. */
function verbatimLimit(list: ListSpec, text: string | undefined, maximum: number): number {
  if (text === undefined || text.trim() === "") return Math.min(list.upstreamDefault, maximum);
  const limit = Number(text);
  if (Number.isInteger(limit) && limit >= 1 && limit <= maximum) return limit;
  // The upstream's search names a code beside the field.
  throw refusal(
    "limit",
    1,
    maximum,
    list.upstreamDefault,
    list.name === "search" ? { code: "INVALID_FILE_SEARCH_LIMIT" } : {}
  );
}

function refusal(
  field: string,
  least: number,
  maximum: number,
  preset: number,
  details: ErrorDetails = {}
): GatewayError {
  const expected = `${field} must be a whole number from ${least} to ${maximum}.`;
  return invalid(field, `${expected} Left out, it is ${Math.min(preset, maximum)}.`, { ...details, limit: maximum });
}

/** The page size that the caller's own parameters ask for; a `limit` that the upstream will refuse counts as none. */
export function verbatimPageSize(list: ListSpec, page: PageInput): number {
  const limit = Number(page.verbatim?.limit || list.upstreamDefault);
  return Number.isInteger(limit) && limit >= 1 && limit <= list.maximum ? limit : list.upstreamDefault;
}

/** Whether the caller's own `limit` may go to the upstream as it is: not where the tenant's bound is the lower one. */
export function passesVerbatim(list: ListSpec, page: PageInput, pageSize: number): boolean {
  if (page.verbatim === undefined) return false;
  const limit = Number(page.verbatim.limit ?? list.upstreamDefault);
  return pageSize >= list.maximum || (limit <= pageSize && list.upstreamDefault <= pageSize);
}
