/** Walks over random lists equal the plain list filtered by policy, or end in the revision error. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { RequestBudget } from "../../src/knowledge/budget.ts";
import { createCursors, type Position } from "../../src/knowledge/cursor.ts";
import { createSealer } from "../../src/knowledge/seal.ts";
import { createLearnedMaximum, type RowRange, type Walk, walk } from "../../src/knowledge/walk.ts";
import { ids, Model, type Page, type Row, request, rotate, walkAll } from "./walk-model.ts";

const RUNS = { numRuns: 400 };
const cursors = createCursors(createSealer(["a secret for property tests"]));
const scope = { tenant: "acme", knowledgeBaseId: "main:kb", operation: "tree", args: {} };
/** Every place goes through a sealed token, as a client carries it. */
const carry = (position: Position) => cursors.open(cursors.seal(position, scope), scope, "after");

const visibility = fc.array(fc.boolean(), { maxLength: 40 });
const named = (visible: readonly boolean[], name: string): Row[] =>
  visible.map((shown, index) => ({ id: `${name}${index}`, visible: shown }));
const sizes = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 });
const list = fc.record({
  visible: visibility,
  takes: fc.integer({ min: 1, max: 12 }),
  pageSize: fc.integer({ min: 1, max: 12 }),
  maximum: fc.integer({ min: 1, max: 12 }),
  maxPages: fc.integer({ min: 1, max: 4 }),
  stable: fc.boolean(),
  sizes
});

const rowsOf = (walks: readonly Walk<Row, Page>[]) => walks.flatMap(ids);
const visibleOf = (rows: readonly Row[]) => rows.filter((row) => row.visible).map((row) => row.id);

describe("invariant 5: a walk over all pages", () => {
  test("gives each visible row once, in the upstream's order", async () => {
    await fc.assert(
      fc.asyncProperty(list, async ({ visible, sizes, takes, pageSize, maximum, maxPages, stable }) => {
        const rows = named(visible, "a");
        const restricted = visible.includes(false);
        const model = new Model({ rows, takes, pageSize, stable });
        const walks = await walkAll(model, sizes, { restricted, maximum, maxPages, stable }, carry);
        const seed = model.fetches.find(({ limit }) => limit === undefined || limit <= takes)?.limit;
        const order = stable ? rows : rotate(rows, seed ?? Math.min(pageSize, takes));
        expect(rowsOf(walks)).toEqual(visibleOf(order));
        for (const walked of walks.slice(0, -1)) expect(walked.hasNextPage).toBe(true);
      }),
      RUNS
    );
  });

  test("resumes at any row, with any size", async () => {
    const resume = fc.record({ at: fc.nat(), first: fc.integer({ min: 1, max: 12 }) });
    await fc.assert(
      fc.asyncProperty(list, resume, async ({ visible, sizes, takes, pageSize, maximum, maxPages }, { at, first }) => {
        const restricted = visible.includes(false);
        const model = new Model({ rows: named(visible, "a"), takes, pageSize });
        const learned = createLearnedMaximum();
        const parts = { restricted, maximum, maxPages, learned };
        const walks = await walkAll(model, sizes, parts, carry);
        const places = walks.flatMap((walked) =>
          walked.rows.map((row, index) => ({ row, after: walked.positionOf(index) }))
        );
        fc.pre(places.length > 0);
        const chosen = at % places.length;
        const { row, after } = places[chosen] as (typeof places)[number];
        const rest = rowsOf(walks).slice(chosen + 1);
        expect(rest).not.toContain(row.id);

        const resumed = await walk(model, request({ ...parts, first, after: carry(after) }));
        expect(ids(resumed)).toEqual(rest.slice(0, ids(resumed).length));
        expect(resumed.rows.length).toBeLessThanOrEqual(first);
        if (resumed.rows.length < rest.length) expect(resumed.hasNextPage).toBe(true);
        if (resumed.pages.length < maxPages) {
          expect(resumed.rows).toHaveLength(Math.min(first, rest.length));
          if (restricted) expect(resumed.hasNextPage).toBe(rest.length > first);
        }
        const walkedOn = await walkAll(model, sizes, { ...parts, after: carry(after) }, carry);
        expect(rowsOf(walkedOn)).toEqual(rest);
      }),
      RUNS
    );
  });

  test("an unstable list is resumed inside a page in that page's own order", async () => {
    const size = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(visibility, size, size, fc.nat(), async (visible, first, next, at) => {
        const restricted = visible.includes(false);
        const model = new Model({ rows: named(visible, "a"), stable: false });
        const parts = { restricted, stable: false };
        const opened = await walk(model, request({ ...parts, first }));
        fc.pre(opened.rows.length > 0);
        const index = at % opened.rows.length;
        const after = carry(opened.positionOf(index));
        const order = visibleOf(rotate(model.rows, model.fetches[0]?.limit ?? 0));
        const resumed = await walkAll(model, [next], { ...parts, after }, carry);
        expect(rowsOf(resumed)).toEqual(order.slice(index + 1));
      }),
      RUNS
    );
  });

  test("with rows that pages repeat, gives no row twice in a page and leaves none out", async () => {
    const names = fc.array(fc.constantFrom("a", "b", "c", "d", "e", "f"), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(names, sizes, fc.boolean(), async (repeated, sizes, restricted) => {
        const model = new Model({ rows: repeated.map((id) => ({ id, visible: true })) });
        const walks = await walkAll(model, sizes, { restricted }, carry);
        for (const walked of walks) expect(new Set(ids(walked)).size).toBe(walked.rows.length);
        expect(new Set(rowsOf(walks))).toEqual(new Set(repeated));
      }),
      RUNS
    );
  });
});

describe("invariant 6: publications under way", () => {
  const publication = fc.record({
    fetch: fc.integer({ min: 1, max: 8 }),
    when: fc.constantFrom("before" as const, "during" as const),
    visible: visibility
  });

  test("a walk gives one revision's visible rows, or ends in the revision error", async () => {
    const publications = fc.array(publication, { maxLength: 3 });
    const bound = fc.constantFrom("bound" as const, "silent" as const);
    await fc.assert(
      fc.asyncProperty(
        list,
        publications,
        bound,
        async ({ visible, sizes, maximum, maxPages, takes, pageSize }, published, cursors) => {
          const revisions = [visible, ...published.map((each) => each.visible)].map((each, index) =>
            named(each, `r${index}.`)
          );
          const model = new Model({
            rows: revisions[0] ?? [],
            cursors,
            takes,
            pageSize,
            publications: published.map(({ fetch, when }, index) => ({ fetch, when, rows: revisions[index + 1] ?? [] }))
          });
          const outcome = await walkAll(model, sizes, { restricted: true, maximum, maxPages }, carry).then(
            (walks) => {
              expect(new Set(walks.map((walked) => walked.revision)).size).toBe(1);
              return rowsOf(walks);
            },
            (error: unknown) => error
          );
          if (outcome instanceof GatewayError) {
            expect(outcome.details).toEqual({ field: "cursor", reason: "REVISION_CHANGED", restart: true });
            expect(model.actual).toBeGreaterThan(1);
          } else {
            expect(revisions.map(visibleOf)).toContainEqual(outcome);
          }
        }
      ),
      RUNS
    );
  });

  test("no place is given over a page that is labelled otherwise than the known revision", async () => {
    await fc.assert(
      fc.asyncProperty(list, publication, async ({ visible, maximum }, { when, visible: later }) => {
        const rows = named(later, "b");
        const model = new Model({ rows: named(visible, "a"), publications: [{ fetch: 1, when, rows }] });
        const walked = await walk(model, request({ first: 12, maximum, restricted: true }));
        for (const page of walked.pages) expect(page.label).toBe(walked.revision);
        expect(walked.revision).toBe(2);
        expect(ids(walked)).toEqual(visibleOf(rows).slice(0, 12));
      }),
      RUNS
    );
  });
});

describe("invariant 8: upstream calls", () => {
  test("without hidden rows, at most ceil(rows / page) + 1", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          count: fc.nat(40),
          maximum: fc.integer({ min: 1, max: 12 }),
          sizes,
          at: fc.nat(),
          first: fc.integer({ min: 1, max: 40 }),
          restricted: fc.boolean(),
          stable: fc.boolean()
        }),
        async ({ count, maximum, sizes, at, first, restricted, stable }) => {
          const model = new Model({ rows: named(Array<boolean>(count).fill(true), "a"), stable });
          const parts = { restricted, maximum, stable, maxPages: 100 };
          const walks = await walkAll(model, sizes, parts, carry);
          const places = walks.flatMap((walked) => walked.rows.map((_, index) => walked.positionOf(index)));
          const after = [null, ...places][at % (places.length + 1)] ?? null;
          const before = model.fetches.length;
          const walked = await walk(model, request({ ...parts, first, after }));
          expect(model.fetches.length - before).toBeLessThanOrEqual(Math.ceil(first / maximum) + 1);
          if (!restricted && after === null) {
            expect(model.fetches.length - before).toBe(Math.max(1, Math.ceil(Math.min(first, count) / maximum)));
          }
          expect(walked.pages).toHaveLength(model.fetches.length - before);
        }
      ),
      RUNS
    );
  });

  test("with hidden rows, at most maxPages; with a lower maximum, one refusal more", async () => {
    await fc.assert(
      fc.asyncProperty(list, async ({ visible, sizes, takes, pageSize, maximum, maxPages }) => {
        const model = new Model({ rows: named(visible, "a"), takes, pageSize });
        const walks = await walkAll(model, sizes, { restricted: true, maximum, maxPages }, carry);
        const served = walks.reduce((sum, walked) => sum + walked.pages.length, 0);
        for (const walked of walks) expect(walked.pages.length).toBeLessThanOrEqual(maxPages);
        const refusals = model.fetches.length - served;
        // A refused limit is learned from; below the page size that was learned, it is never asked for again.
        expect(refusals).toBeLessThanOrEqual(maximum > takes ? 1 : 0);
        expect(model.checks).toHaveLength(walks.length);
      }),
      RUNS
    );
  });
});

/** A list of which each request may make so many calls: one for a page, and one for each row that it shows. */
class Metered extends Model {
  #budget = new RequestBudget(0);
  readonly #calls: number;

  constructor(options: ConstructorParameters<typeof Model>[0], calls: number) {
    super(options);
    this.#calls = calls;
  }

  override revision(fresh: boolean): Promise<number> {
    this.#budget = new RequestBudget(this.#calls);
    return super.revision(fresh);
  }

  override async fetch(cursor: string | null, limit: number | undefined): Promise<Page> {
    this.#budget.charge();
    return super.fetch(cursor, limit);
  }

  override show(page: Page, range: RowRange): (Row | null)[] {
    for (let row = range.from; row < range.to; row += 1) this.#budget.charge();
    return super.show(page, range);
  }
}

describe("invariant 10: requests whose calls run out", () => {
  test("are pages of what was found, and the walk still gives each visible row once", async () => {
    await fc.assert(
      fc.asyncProperty(list, fc.nat(10), async ({ visible, sizes, maximum, stable }, more) => {
        const rows = named(visible, "a");
        // The least with which a request goes on: a page, and as many rows as it wants and one.
        const calls = Math.max(...sizes) + 2 + more;
        const model = new Metered({ rows, stable }, calls);
        const walks = await walkAll(model, sizes, { restricted: true, maximum, stable, maxPages: 100 }, carry);
        const order = stable ? rows : rotate(rows, model.fetches[0]?.limit ?? 0);
        expect(rowsOf(walks)).toEqual(visibleOf(order));
        for (const [index, walked] of walks.entries()) expect(walked.hasNextPage).toBe(index < walks.length - 1);
      }),
      RUNS
    );
  });

  test("that find nothing at all are the error", async () => {
    const model = new Metered({ rows: named([true], "a") }, 0);
    await expect(walk(model, request({}))).rejects.toMatchObject({ code: "QUERY_TOO_COMPLEX" });
  });
});
