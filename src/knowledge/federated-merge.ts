/**
 * Merging ranked lists by reciprocal rank. Source: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms
 * Condorcet and individual Rank Learning Methods", SIGIR 2009.
 *
 * A file is in one knowledge base only, so each item has one rank and its sum is one term. What matters is that a rank
 * goes on over the pages of a walk: then pages of any sizes, one after the other, are the one long list.
 */

/** The paper's constant. */
const K = 60;

export interface RankedList<Row> {
  /** Decides between equal ranks, before `path` does. */
  readonly key: string;
  readonly rows: readonly Row[];
  /** How many rows of the list came before these, on earlier pages. */
  readonly rank: number;
  /** Whether the list goes on after these rows. */
  readonly more: boolean;
  path(row: Row): string;
}

export interface Merged<Row, List> {
  readonly list: List;
  readonly row: Row;
}

/** A row that a list would give next; null where it has not shown that row yet. */
interface Offer<Row, List> {
  readonly list: List;
  readonly row: Row | null;
  readonly score: number;
  readonly path: string;
}

/**
 * The first rows of all lists together. Fewer than asked for where they end, or where the next one would be a row that
 * its list has not shown yet: what comes after it must not come before.
 */
export function mergeByRank<Row, List extends RankedList<Row>>(
  lists: readonly List[],
  first: number
): Merged<Row, List>[] {
  const taken = new Map<List, number>();
  const merged: Merged<Row, List>[] = [];
  while (merged.length < first) {
    const offers = lists
      .map((list) => offerOf<Row, List>(list, taken.get(list) ?? 0))
      .filter((offer) => offer !== null);
    const [best] = offers.sort(compare);
    if (best === undefined || best.row === null) break;
    const { list, row } = best;
    merged.push({ list, row });
    taken.set(list, (taken.get(list) ?? 0) + 1);
  }
  return merged;
}

/** Null where the list has ended. */
function offerOf<Row, List extends RankedList<Row>>(list: List, taken: number): Offer<Row, List> | null {
  const row = list.rows[taken] ?? null;
  if (row === null && !list.more) return null;
  return { list, row, score: 1 / (K + list.rank + taken + 1), path: row === null ? "" : list.path(row) };
}

function compare<Row, List extends RankedList<Row>>(one: Offer<Row, List>, other: Offer<Row, List>): number {
  return other.score - one.score || order(one.list.key, other.list.key) || order(one.path, other.path);
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
