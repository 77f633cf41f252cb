/** What a page walker is given and what it gives back. */
import type { Position } from "./position.ts";

/** One page as the upstream gave it. */
export interface UpstreamPage<Row> {
  readonly rows: readonly Row[];
  /** The upstream's cursor of the following page; null at the end. */
  readonly next: string | null;
  /** The content revision that the page carries; null counts as 0. */
  readonly label: number | null;
}

/** Indexes into a page's rows, `to` not included. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** A list of an upstream, as one caller may see it. */
export interface WalkSource<Row, P extends UpstreamPage<Row>> {
  /**
   * One upstream page.
   * @param cursor null for the first page
   * @param limit undefined where the parameter is to be left out, or to be the caller's own
   * @param revision the revision known before the call, under which the page may be cached
   */
  fetch(cursor: string | null, limit: number | undefined, revision: number | null): Promise<P>;
  /** The known revision, checked anew where `fresh`; null for a list without revisions. */
  revision(fresh: boolean): Promise<number | null>;
  /**
   * The page's rows as the caller may see them, index by index; null is hidden.
   * @param range the rows that the walk takes next: what is given for others is not looked at, so need not be found out
   */
  show(page: P, range: RowRange): readonly (Row | null)[] | Promise<readonly (Row | null)[]>;
  /**
   * Rows with one identity are one row, and hidden or shown alike: of a walk that meets it again, the first counts.
   * @param row as the upstream gave it
   */
  identity(row: Row): string;
}

/**
 * The largest limit that an upstream's operation was seen to take, where that is less than documented. One object an
 * upstream and operation, shared by all requests.
 */
export interface LearnedMaximum {
  /** Undefined: nothing learned. 0: limits were refused and none is known to be taken, so leave the parameter out. */
  get(): number | undefined;
  set(maximum: number): void;
}

export interface WalkRequest {
  /** At most this many rows; 0 asks nothing. Where `exact`, the page size that the caller's own parameters ask for. */
  readonly first: number;
  /** Where to go on; null is the start. */
  readonly after: Position | null;
  /** The documented maximum of a page of this list. */
  readonly maximum: number;
  /** Whether rows may be hidden from the caller. */
  readonly restricted: boolean;
  /** Whether the rows' order is the same for every limit. Where not, a page is resumed with the limit it had. */
  readonly stable: boolean;
  /** Nothing is hidden and the caller's own page is wanted: one upstream page with the caller's own parameters. */
  readonly exact: boolean;
  /** Upstream pages that may be asked for on one revision; at least one is. */
  readonly maxPages: number;
  readonly learned?: LearnedMaximum | undefined;
}

export interface Walk<Row, P extends UpstreamPage<Row>> {
  readonly rows: readonly Row[];
  /** Every upstream page that was read, in order; empty where none was. */
  readonly pages: readonly P[];
  readonly revision: number | null;
  /** True when another visible row is known or, where finding out would pass `maxPages`, when the upstream has more. */
  readonly hasNextPage: boolean;
  /** True for one upstream page whose rows all stand in `rows` as they came, so that its body can pass. */
  readonly untouched: boolean;
  /**
   * The place after `rows[index]`.
   * @throws RangeError outside `rows`
   */
  positionOf(index: number): Position;
  /** The place after the last row; without rows the place reached, or null for an empty list. */
  endPosition(): Position | null;
  /** Where the next page starts; null where `hasNextPage` is false, or where nothing was asked from the start. */
  nextPosition(): Position | null;
}

/** For one upstream and operation, living as long as the upstream's client does. */
export function createLearnedMaximum(): LearnedMaximum {
  let learned: number | undefined;
  return {
    get: () => learned,
    set(maximum) {
      learned = maximum;
    }
  };
}
