/**
 * What fields cost, in the unit of `queryComplexity`. One is a row of an answer, or a field that may need a file's detail;
 * reads that are one call to the upstream cost more, and a list multiplies what is selected of each row by its `first`.
 * Source: docs/invariants.md 10.
 */

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

export interface ListSize {
  readonly byDefault: number;
  readonly atMost: number;
}

/** Page sizes, as `KnowledgeBaseReader` has them. */
export const LISTS = {
  knowledgeBases: { byDefault: 50, atMost: 200 },
  tree: { byDefault: 50, atMost: 500 },
  related: { byDefault: 20, atMost: 200 },
  expand: { byDefault: 20, atMost: 200 },
  search: { byDefault: 10, atMost: 50 }
} as const satisfies Record<string, ListSize>;

/**
 * A list field's cost: its own, and how many rows multiply what is selected below it. A `first` that the reader refuses
 * brings no rows, so it multiplies nothing: the caller is told of the argument, not of a cost that never arises.
 */
export function listCost(size: ListSize, first: number | null | undefined, field: number = COST.list) {
  const rows = first ?? size.byDefault;
  return { field, multiplier: rows >= 0 && rows <= size.atMost ? rows : 1 };
}
