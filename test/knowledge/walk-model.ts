/** An upstream list in memory that pages, refuses and moves as the real ones do, and counts what it is asked. */
import { GatewayError } from "../../src/errors.ts";
import type { Position } from "../../src/knowledge/position.ts";
import {
  createLearnedMaximum,
  type RowRange,
  type UpstreamPage,
  type Walk,
  type WalkRequest,
  type WalkSource,
  walk
} from "../../src/knowledge/walk.ts";

export interface Row {
  readonly id: string;
  readonly visible: boolean;
}

export type Page = UpstreamPage<Row>;

/** When a publication happens: before a fetch is answered, or after its rows were read and before its label was. */
export interface Publication {
  readonly fetch: number;
  readonly when: "before" | "during";
  readonly rows: readonly Row[];
}

export interface ModelOptions {
  readonly rows: readonly Row[];
  /** What the deployment takes, which may be less than documented. */
  readonly takes?: number;
  readonly pageSize?: number;
  /** `bound`: a cursor of an earlier revision is refused, as tree cursors are; `silent`: it goes on, as others do. */
  readonly cursors?: "bound" | "silent";
  /** Unstable: the order depends on the limit of the first page, which its cursors carry on, as in searches. */
  readonly stable?: boolean;
  readonly publications?: readonly Publication[];
}

export class Model implements WalkSource<Row, Page> {
  readonly fetches: { readonly cursor: string | null; readonly limit: number | undefined }[] = [];
  readonly checks: boolean[] = [];
  actual = 1;
  rows: readonly Row[];
  #known = 1;
  readonly #options: Required<ModelOptions>;

  constructor(options: ModelOptions) {
    const defaults = { takes: 1000, pageSize: 5, cursors: "bound", stable: true, publications: [] } as const;
    this.#options = { ...defaults, ...options };
    this.rows = options.rows;
  }

  publish(rows: readonly Row[]): void {
    this.rows = rows;
    this.actual += 1;
  }

  async revision(fresh: boolean): Promise<number> {
    this.checks.push(fresh);
    if (fresh) this.#known = this.actual;
    return this.#known;
  }

  async fetch(cursor: string | null, limit: number | undefined): Promise<Page> {
    const number = this.fetches.push({ cursor, limit });
    this.#publish(number, "before");
    const { takes, pageSize, cursors, stable } = this.#options;
    if (limit !== undefined && (limit < 1 || limit > takes)) throw refusal({ field: "limit" });
    const size = limit ?? Math.min(pageSize, takes);
    const [revision, seed, start] = (cursor ?? `${this.actual}:${size}:0`).split(":").map(Number) as [
      number,
      number,
      number
    ];
    if (cursors === "bound" && revision !== this.actual) throw refusal({ field: "cursor" });
    const listed = stable ? this.rows : rotate(this.rows, seed);
    const rows = listed.slice(start, start + size);
    const end = start + rows.length;
    const next = end < listed.length ? `${revision}:${seed}:${end}` : null;
    this.#publish(number, "during");
    return { rows, next, label: this.actual };
  }

  show(page: Page, _range: RowRange): (Row | null)[] {
    return page.rows.map((row) => (row.visible ? row : null));
  }

  identity(row: Row): string {
    return row.id;
  }

  #publish(fetch: number, when: Publication["when"]): void {
    for (const publication of this.#options.publications) {
      if (publication.fetch === fetch && publication.when === when) this.publish(publication.rows);
    }
  }
}

/** An unstable list's order for a first page of this size. */
export function rotate(rows: readonly Row[], by: number): Row[] {
  const at = rows.length === 0 ? 0 : by % rows.length;
  return [...rows.slice(at), ...rows.slice(0, at)];
}

export function refusal(details: Record<string, unknown>): GatewayError {
  return new GatewayError("VALIDATION_ERROR", { details, answered: true });
}

/** `count` visible rows named a0, a1, …; those in `hidden` are not visible. */
export function rowsOf(count: number, hidden: readonly number[] = [], name = "a"): Row[] {
  return Array.from({ length: count }, (_, index) => ({ id: `${name}${index}`, visible: !hidden.includes(index) }));
}

export function request(parts: Partial<WalkRequest>): WalkRequest {
  const defaults = { first: 10, after: null, maximum: 50, restricted: false, stable: true, exact: false, maxPages: 10 };
  return { ...defaults, learned: createLearnedMaximum(), ...parts };
}

export const ids = (walked: Walk<Row, Page>): string[] => walked.rows.map((row) => row.id);

/** Pages through a list with the given sizes, over and over, until it ends. `carry` is what a client does to a place. */
export async function walkAll(
  source: WalkSource<Row, Page>,
  sizes: readonly number[],
  parts: Partial<WalkRequest>,
  carry: (position: Position) => Position = (position) => position
): Promise<Walk<Row, Page>[]> {
  const walks: Walk<Row, Page>[] = [];
  const learned = createLearnedMaximum();
  let after = parts.after ?? null;
  for (;;) {
    const first = sizes[walks.length % sizes.length] ?? 1;
    const walked = await walk(source, request({ learned, ...parts, first, after }));
    walks.push(walked);
    const end = walked.endPosition();
    if (!walked.hasNextPage || end === null) return walks;
    if (walks.length > 2000) throw new Error("The walk makes no progress.");
    after = carry(end);
  }
}
