/** Random lists, rules, sizes, resume points and publications, through the reader to an upstream over HTTP. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import type { Page, PageInput, Reader } from "../../src/knowledge/types.ts";
import type { FakeRelation } from "../harness/fake-upstream.ts";
import { type ReadingRoom, readingRoom, tenant } from "../harness/reader.ts";

const RUNS = { numRuns: 40 };
const SEED = "pages/seed.md";
const DIRECTORY = "pages/walk";
/** What no rule opens carries this in its name. */
const HIDDEN = "-x";
const RULES = { allow: ["pages/**"], deny: [`**/*${HIDDEN}.md`] };

/** One row of a directory: a file, or a directory with one file in it. */
const row = fc.record({ visible: fc.boolean(), directory: fc.boolean() });
type RowInput = { readonly visible: boolean; readonly directory: boolean };

/** A page of a walk: its size, and which of its rows the client goes on behind; null is the last. */
const step = fc.record({ first: fc.integer({ min: 1, max: 12 }), resume: fc.option(fc.nat(11)) });
type Step = { readonly first: number; readonly resume: number | null };

const setting = fc.record({
  /** With the generated two, fewer than the pages that one request looks through. */
  rows: fc.array(row, { maxLength: 22 }),
  ruled: fc.boolean(),
  maximum: fc.integer({ min: 1, max: 12 }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  cacheBytes: fc.constantFrom(0, 10_000_000),
  revisionCheckMs: fc.constantFrom(0, 600_000),
  /** After which page the content is published anew; beyond the walk it never is. */
  publishAfter: fc.nat(12)
});
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never;

function pathOf({ visible, directory }: RowInput, index: number): string {
  const name = `${String(index).padStart(2, "0")}${visible ? "" : HIDDEN}`;
  return directory ? `${DIRECTORY}/${name}/file${visible ? "" : HIDDEN}.md` : `${DIRECTORY}/${name}.md`;
}

function roomOf({ rows, ruled, maximum, cacheBytes, revisionCheckMs }: Setting, chain: boolean): Promise<ReadingRoom> {
  const paths = rows.map(pathOf);
  const limits = { tree: maximum, search: maximum, related: maximum, expand: maximum };
  const relations: FakeRelation[] = paths.map((to, index) => ({
    // In a chain, each third row is reached through the one before it.
    from: chain && index % 3 === 2 ? (paths[index - 1] ?? SEED) : SEED,
    to
  }));
  return readingRoom({
    knowledgeBases: [
      {
        pages: [SEED, ...paths].map((path) => ({ path, content: path === SEED ? "# Seed\n" : "About caches.\n" })),
        relations
      }
    ],
    maxima: limits,
    defaults: limits,
    cacheBytes,
    revisionCheckMs,
    tenants: { acme: tenant(ruled ? { paths: RULES } : {}) }
  });
}

interface Named {
  readonly path: string;
  readonly fromFileId?: string | null | undefined;
}

interface List {
  readonly chain: boolean;
  ask(reader: Reader, room: ReadingRoom, page: PageInput): Promise<Page<Named, unknown>>;
  /** The upstream's address of the list. */
  target(room: ReadingRoom): string;
}

const reads = (reader: Reader, room: ReadingRoom) => reader.knowledgeBase(room.fake.knowledgeBase().id);
const seedOf = (room: ReadingRoom) => room.fake.fileId(SEED);

const LISTS: Readonly<Record<string, List>> = {
  tree: {
    chain: false,
    ask: async (reader, room, page) => (await reads(reader, room)).tree({ parentPath: DIRECTORY }, page),
    target: () => `tree?parentPath=${encodeURIComponent(DIRECTORY)}`
  },
  search: {
    chain: false,
    ask: async (reader, room, page) => (await reads(reader, room)).search({ query: "caches", mode: "file" }, page),
    target: () => "files/search?query=caches&mode=file"
  },
  related: {
    chain: false,
    ask: async (reader, room, page) => (await reads(reader, room)).related(seedOf(room), page),
    target: (room) => `files/${seedOf(room)}/related?`
  },
  expand: {
    chain: true,
    ask: async (reader, room, page) =>
      (await reads(reader, room)).expand({ fileId: seedOf(room), depth: 2, fanout: 25 }, page),
    target: (room) => `graph/expand?fileId=${seedOf(room)}&depth=2&fanout=25`
  }
};

/** The whole list as the upstream gives it to the gateway's key. */
async function plainList(room: ReadingRoom, list: List): Promise<Named[]> {
  const { fake } = room;
  const rows: Named[] = [];
  for (let cursor = ""; ; ) {
    const url = `${fake.url}/openapi/v2/knowledge-bases/${fake.knowledgeBase().id}/${list.target(room)}&cursor=${cursor}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${fake.key}` } });
    const body = await response.json();
    rows.push(...(body.items ?? body.relationships));
    if (body.nextCursor === null) return rows;
    cursor = body.nextCursor;
  }
}

/** What the rules leave of the plain list, worked out from names alone. */
function visiblePaths(room: ReadingRoom, plain: readonly Named[], ruled: boolean): string[] {
  if (!ruled) return plain.map(({ path }) => path);
  const shown = (path: string) => !path.endsWith(HIDDEN) && !path.includes(`${HIDDEN}.`) && !path.includes("/index");
  const model = room.fake.knowledgeBase();
  return plain
    .filter(({ path, fromFileId }) => {
      const from = fromFileId ? model.fileById(fromFileId)?.path : undefined;
      return shown(path) && (from === undefined || shown(from));
    })
    .map(({ path }) => path);
}

/** Walks as a client does that keeps what it has, and may go on behind any row of the last page. */
async function walkWith(
  ask: (page: PageInput) => Promise<Page<Named, unknown>>,
  steps: readonly Step[],
  afterPage: (pages: number) => void = () => undefined
): Promise<{ readonly rows: string[]; readonly error: unknown }> {
  const rows: string[] = [];
  let after: string | null = null;
  let full = false;
  try {
    for (let pages = 0; ; ) {
      const { first, resume } = steps[pages % steps.length] as Step;
      const page: Page<Named, unknown> = await ask({ first, after });
      expect(page.rows.length).toBeLessThanOrEqual(first);
      // A page that is full knows whether a next one holds anything.
      if (full) expect(page.rows.length).toBeGreaterThan(0);
      full = page.rows.length === first;
      pages += 1;
      const kept = resume === null || page.rows.length === 0 ? page.rows.length : (resume % page.rows.length) + 1;
      rows.push(...page.rows.slice(0, kept).map(({ path }) => path));
      if (kept === page.rows.length && !page.hasNextPage) return { rows, error: null };
      after = kept === 0 ? page.endCursor() : page.cursor(kept - 1);
      afterPage(pages);
      if (pages > 500) throw new Error("the walk does not end");
    }
  } catch (error) {
    return { rows, error };
  }
}

describe.each(Object.entries(LISTS))("invariants 5 and 6: a walk over %s", (_, list) => {
  test("is the plain list filtered by policy, or ends in the revision error", async () => {
    await fc.assert(
      fc.asyncProperty(setting, async (given) => {
        await using room = await roomOf(given, list.chain);
        const before = visiblePaths(room, await plainList(room, list), given.ruled);
        let published = false;
        const { rows, error } = await walkWith(
          (page) => list.ask(room.reader(), room, page),
          given.steps,
          (pages) => {
            if (pages !== given.publishAfter) return;
            const added = `${DIRECTORY}/00-added.md`;
            room.fake.knowledgeBase().addPage({ path: added, content: "More about caches.\n" }).publish();
            room.fake.knowledgeBase().relations.unshift({ from: SEED, to: added });
            published = true;
          }
        );
        if (error === null) {
          expect(rows).toEqual(before);
          return;
        }
        expect(published).toBe(true);
        expect(error).toBeInstanceOf(GatewayError);
        expect((error as GatewayError).details).toEqual({ field: "cursor", reason: "REVISION_CHANGED", restart: true });
        expect(rows).toEqual(before.slice(0, rows.length));
        const after = visiblePaths(room, await plainList(room, list), given.ruled);
        const again = await walkWith((page) => list.ask(room.reader(), room, page), given.steps);
        expect(again).toEqual({ rows: after, error: null });
      }),
      RUNS
    );
  });
});

describe("invariant 5: a walk over knowledge bases", () => {
  const shelves = fc.record({
    count: fc.integer({ min: 0, max: 14 }),
    whole: fc.boolean(),
    /** Of those that are granted by name, in that order; some do not exist. */
    named: fc.uniqueArray(fc.nat(17), { maxLength: 12 }),
    maximum: fc.integer({ min: 1, max: 12 }),
    steps: fc.array(step, { minLength: 1, maxLength: 4 })
  });
  const idOf = (index: number) => `knowledge-base-${String(index).padStart(2, "0")}`;

  test("is the list of those that are granted and exist", async () => {
    await fc.assert(
      fc.asyncProperty(shelves, async ({ count, whole, named, maximum, steps }) => {
        fc.pre(whole || named.length > 0);
        const grants = whole ? { upstream: "main" } : { upstream: "main", knowledgeBases: named.map(idOf) };
        await using room = await readingRoom({
          knowledgeBases: Array.from({ length: count }, (_, index) => ({ id: idOf(index) })),
          maxima: { list: maximum },
          defaults: { list: maximum },
          tenants: { acme: tenant(grants) }
        });
        const existing = (whole ? Array.from({ length: count }, (_, index) => index) : named).filter((n) => n < count);
        const walked = await walkWith(async (page) => {
          const listed = await room.reader().knowledgeBases(page);
          const rows = listed.rows.map(({ knowledgeBase }) => ({ path: knowledgeBase.knowledgeBaseId }));
          return { ...listed, rows };
        }, steps);
        expect(walked).toEqual({ rows: existing.map(idOf), error: null });
      }),
      RUNS
    );
  });
});
