/** What one walk has seen so far: the visible rows, each with the place before it. */
import { GatewayError } from "../errors.ts";
import type { Position } from "./position.ts";
import type { UpstreamPage, Walk, WalkRequest } from "./walk-types.ts";

/** Where the next upstream page opens, and how many of its rows are already consumed. */
export interface Place {
  readonly cursor: string | null;
  readonly skip: number;
  /** The limit with which the page was asked for before; null where unknown. */
  readonly limit: number | null;
}

export class Trail<Row, P extends UpstreamPage<Row>> {
  readonly #revision: number | null;
  readonly #identity: (row: Row) => string;
  readonly #pages: P[] = [];
  readonly #found: { readonly row: Row; readonly before: Position }[] = [];
  readonly #seen = new Set<string>();
  readonly #opened = new Set<string | null>();
  #reached: Position;
  #whole = true;

  constructor(revision: number | null, after: Position | null, identity: (row: Row) => string) {
    this.#revision = revision;
    this.#identity = identity;
    this.#reached = after ?? this.#position(null, 0, null);
  }

  /** Visible rows found so far, those beyond the request included. */
  get count(): number {
    return this.#found.length;
  }

  /** Whether a page was read. */
  get begun(): boolean {
    return this.#pages.length > 0;
  }

  /** Where the next page is to be asked for; null at the end. */
  place(): Place | null {
    const { page, offset, limit, end } = this.#reached;
    return end ? null : { cursor: page, skip: offset, limit };
  }

  /**
   * Takes a page in.
   * @param shown the page's rows as the caller may see them
   * @param limit with which the page was asked for
   * @throws GatewayError UPSTREAM_INVALID_RESPONSE where the upstream sends the walk round in a circle
   */
  add(page: P, shown: readonly (Row | null)[], place: Place, limit: number | null): void {
    this.#opened.add(place.cursor);
    if (page.next !== null && this.#opened.has(page.next)) {
      const message = "The knowledge service gave the same page cursor twice.";
      throw new GatewayError("UPSTREAM_INVALID_RESPONSE", { message });
    }
    this.#pages.push(page);
    for (const [index, original] of page.rows.entries()) {
      const row = shown[index] ?? null;
      const taken = this.#take(row, index >= place.skip, this.#position(place.cursor, index, limit));
      this.#whole &&= taken && row === original;
    }
    const left = Math.max(0, place.skip - page.rows.length);
    this.#reached =
      page.next === null ? { ...this.#position(null, 0, null), end: true } : this.#position(page.next, left, null);
  }

  /** The walk's result: the first rows found, and the places around them. */
  finish(request: WalkRequest): Walk<Row, P> {
    const found = this.#found;
    const reached = this.#reached;
    const rows = found.slice(0, request.exact ? found.length : request.first).map(({ row }) => row);
    const hasNextPage = found.length > rows.length || !reached.end;
    // After a row is before the next visible one, wherever that was found: what is hidden between is not read again.
    const after = (index: number) => found[index + 1]?.before ?? reached;
    const last = rows.length === 0 ? reached : after(rows.length - 1);
    return {
      rows,
      pages: this.#pages,
      revision: this.#revision,
      hasNextPage,
      untouched: this.#pages.length === 1 && this.#whole && rows.length === found.length,
      positionOf(index) {
        if (rows[index] === undefined) throw new RangeError(`No row ${index} among ${rows.length}.`);
        return after(index);
      },
      endPosition: () => (rows.length === 0 && !hasNextPage && request.after === null ? null : last),
      nextPosition: () => (hasNextPage ? last : null)
    };
  }

  #take(row: Row | null, due: boolean, before: Position): boolean {
    if (row === null) return false;
    const identity = this.#identity(row);
    if (this.#seen.has(identity)) return false;
    this.#seen.add(identity);
    if (due) this.#found.push({ row, before });
    return due;
  }

  /** One place has one spelling: before a page's first row its limit says nothing. */
  #position(page: string | null, offset: number, limit: number | null): Position {
    return { revision: this.#revision, page, limit: offset === 0 ? null : limit, offset, end: false };
  }
}
