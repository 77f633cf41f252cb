/** What one walk has seen so far: the visible rows, each with the place before it. */
import { crc32 } from "node:zlib";
import { GatewayError } from "../errors.ts";
import type { Position } from "./position.ts";
import type { UpstreamPage, Walk, WalkRequest } from "./walk-types.ts";

/** An upstream page, and how it was asked for; `limit` null where it was left out. */
export interface Opened<P> {
  readonly page: P;
  readonly cursor: string | null;
  readonly limit: number | null;
}

export class Trail<Row, P extends UpstreamPage<Row>> {
  readonly #revision: number | null;
  readonly #identity: (row: Row) => string;
  readonly #pages: P[] = [];
  readonly #found: { readonly row: Row; readonly before: Position }[] = [];
  readonly #seen = new Set<string>();
  readonly #cursors = new Set<string | null>();
  readonly #start: Position;
  #reached: Position;
  #checksum = 0;
  #whole = true;

  constructor(revision: number | null, after: Position | null, identity: (row: Row) => string) {
    this.#revision = revision;
    this.#identity = identity;
    this.#start = after ?? this.#place(null, 0, null, 0);
    this.#reached = this.#start;
  }

  /** Visible rows found so far, those beyond the request included. */
  get count(): number {
    return this.#found.length;
  }

  /** Whether a page was read. */
  get begun(): boolean {
    return this.#pages.length > 0;
  }

  /** Whether a row was consumed. */
  get advanced(): boolean {
    return this.#reached !== this.#start;
  }

  /** Where the walk stands: the next row to take, or the end. */
  get reached(): Position {
    return this.#reached;
  }

  /**
   * Opens the page that the walk stands in, and passes the rows that are already consumed.
   * @returns false where it is not the page in which the place was taken
   * @throws GatewayError UPSTREAM_INVALID_RESPONSE where the upstream sends the walk round in a circle
   */
  open({ page, cursor }: Opened<P>, stable: boolean): boolean {
    const { offset, checksum } = this.#reached;
    this.#cursors.add(cursor);
    if (page.next !== null && this.#cursors.has(page.next)) {
      const message = "The knowledge service gave the same page cursor twice.";
      throw new GatewayError("UPSTREAM_INVALID_RESPONSE", { message });
    }
    // Smaller pages than the place's own go on in the next, where rows keep their order.
    if (offset > page.rows.length && (!stable || page.next === null)) return false;
    this.#checksum = 0;
    for (const row of page.rows.slice(0, offset)) this.#pass(row);
    if (offset <= page.rows.length && checksum !== null && checksum !== this.#checksum) return false;
    this.#pages.push(page);
    this.#whole &&= offset === 0;
    return true;
  }

  /**
   * Takes rows of the page that was opened last.
   * @param shown the page's rows as the caller may see them, index by index
   */
  take({ page, cursor, limit }: Opened<P>, shown: readonly (Row | null)[], from: number, to: number): void {
    for (const [distance, original] of page.rows.slice(from, to).entries()) {
      const index = from + distance;
      const before = this.#place(cursor, index, limit, this.#checksum);
      const isNew = this.#pass(original);
      const row = shown[index] ?? null;
      if (row !== null && isNew) this.#found.push({ row, before });
      this.#whole &&= row === original && isNew;
    }
    this.#reached = this.#place(cursor, to, limit, this.#checksum);
  }

  /** Leaves the page that was opened last, all of whose rows are consumed, for what follows it. */
  leave({ page }: Opened<P>): void {
    const left = Math.max(0, this.#reached.offset - page.rows.length);
    const next = this.#place(page.next, left, null, null);
    this.#reached = page.next === null ? { ...next, offset: 0, end: true } : next;
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
      untouched: this.#pages.length === 1 && this.#whole && reached.offset === 0 && rows.length === found.length,
      positionOf(index) {
        if (rows[index] === undefined) throw new RangeError(`No row ${index} among ${rows.length}.`);
        return after(index);
      },
      endPosition: () => (rows.length === 0 && !hasNextPage && request.after === null ? null : last),
      nextPosition: () => (hasNextPage ? last : null)
    };
  }

  /** Counts a row as consumed. Returns whether it was not seen before. */
  #pass(row: Row): boolean {
    const identity = this.#identity(row);
    this.#checksum = crc32(`${identity}\n`, this.#checksum);
    const isNew = !this.#seen.has(identity);
    this.#seen.add(identity);
    return isNew;
  }

  /** One place has one spelling: before a page's first row there is nothing to remember of the page. */
  #place(page: string | null, offset: number, limit: number | null, checksum: number | null): Position {
    const inside = offset > 0;
    return {
      revision: this.#revision,
      page,
      limit: inside ? limit : null,
      offset,
      checksum: inside && this.#revision !== null ? checksum : null,
      end: false
    };
  }
}
