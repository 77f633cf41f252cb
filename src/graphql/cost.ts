/**
 * What fields cost, in the unit of `queryComplexity`. One is a row of an answer, or a field that may need a file's detail;
 * reads that are one call to the upstream cost more, and a list multiplies what is selected of each row by its `first`.
 * Source: docs/invariants.md 10.
 */
import type { ListSpec } from "../knowledge/lists.ts";

export const COST = {
  /** A field that rows carry anyway. */
  plain: 0.1,
  row: 1,
  detail: 1,
  /** One call that finds one thing. */
  read: 5,
  content: 10,
  list: 10,
  search: 20
} as const;

/**
 * A list field's cost: its own, and how many rows multiply what is selected below it. A `first` that the reader refuses
 * brings no rows, so it multiplies nothing: the caller is told of the argument, not of a cost that never arises.
 */
export function listCost(list: ListSpec, first: number | null | undefined, field: number = COST.list) {
  const rows = first ?? list.default;
  return { field, multiplier: rows >= 0 && rows <= list.maximum ? rows : 1 };
}
