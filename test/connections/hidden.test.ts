import { describe, expect, it } from "vitest";
import type { FakeKnowledgeBase } from "../harness/fake-upstream.ts";
import { ask, askConnection, LISTS, rowsOf, type Seen, SURFACES, walk } from "./surfaces.ts";
import { note, OPERATION, type SideOptions, side } from "./world.ts";

const PAGE = 10;
/** Pages that one request may look through before it says that there is more. */
const BOUND = 25;

/** Notes with hidden names that no other text holds: each list's rows in the same order, some of them hidden. */
function shelfOf(rows: readonly boolean[]): FakeKnowledgeBase {
  const path = (visible: boolean, index: number) =>
    visible ? note(index + 100) : note(index + 100).replace(".md", "-xsecretx.md");
  const paths = rows.map(path);
  return {
    revision: 41,
    pages: [
      { path: "pages/seed.md", content: "# Seed\n" },
      ...paths.map((each) => ({ path: each, content: "About caches.\n" }))
    ],
    relations: paths.map((to) => ({ from: "pages/seed.md", to }))
  };
}

function ruled(rows: readonly boolean[], limits: Record<string, number> = {}, page = PAGE): SideOptions {
  const maxima = { tree: page, search: page, related: page, expand: page };
  return {
    knowledgeBases: [shelfOf(rows)],
    maxima,
    defaults: maxima,
    gateway: {
      tenants: {
        acme: {
          grants: [{ upstream: "main", paths: { allow: ["pages/**", "_graph/**"], deny: ["**/*xsecretx*"] } }],
          limits
        }
      }
    }
  };
}

const hidden = (count: number) => Array<boolean>(count).fill(false);
const visible = (count: number) => Array<boolean>(count).fill(true);

/** All hidden, then nine of ten, then none: but for the tree, whose first page begins with two generated files. */
const CASE = [...hidden(10), ...hidden(4), true, ...hidden(5), ...visible(4)];

/** Everything readable in an answer: its text, and what its cursors decode to. */
function readable({ text }: Seen): string {
  const tokens = text.match(/[A-Za-z0-9_-]{40,}/g) ?? [];
  return [text, ...tokens.map((token) => Buffer.from(token, "base64url").toString("latin1"))].join("\n");
}

describe("invariant 5: with all of page 1 and nine of ten rows of page 2 hidden", () => {
  describe.each(LISTS)("%s", (list) => {
    it.each(SURFACES)(
      "gives each allowed file once, in bounded calls, and no hidden name through %s",
      async (surface) => {
        await using world = await side(ruled(CASE));
        const { gateway, question } = world;
        const whole = await world.whole(list);
        const token = gateway.token("acme");
        const allowed = whole.filter((path) => !path.includes("xsecretx") && !path.includes("/index"));
        expect(allowed).toHaveLength(5);
        for (const size of [1, 2, 10]) {
          const pages = await walk(surface, gateway, question(list, { token }), [size]);
          expect(rowsOf(pages)).toEqual(allowed);
          expect(pages.map(({ rows }) => rows.length)).toEqual(
            Array.from({ length: Math.ceil(5 / size) }, (_, index) => Math.min(size, 5 - index * size))
          );
          for (const page of pages) expect(readable(page)).not.toContain("xsecretx");
        }
        // Three pages of ten hold it all.
        world.fake.reset();
        await ask(surface, gateway, question(list, { token, size: 5 }));
        expect(world.asked(list)).toHaveLength(3);
      }
    );
  });
});

/** An expansion of one step has 25 rows at most, which is fewer. */
const LONG = LISTS.filter((list) => list !== "expand");

describe("invariant 5: more hidden rows than one request looks through", () => {
  const small = 2;
  const rows = [...hidden(small * BOUND + 8), true];

  describe.each(LONG)("%s", (list) => {
    it.each(SURFACES)("are an empty page with more to come, and the walk goes on through %s", async (surface) => {
      await using world = await side(ruled(rows, {}, small));
      const { gateway, fake, question } = world;
      const token = gateway.token("acme");
      const first = await ask(surface, gateway, question(list, { token, size: 5 }));
      expect(first).toMatchObject({ rows: [], error: null });
      expect(first.next).not.toBeNull();
      expect(readable(first)).not.toContain("xsecretx");
      expect(fake.count(OPERATION[list])).toBeLessThanOrEqual(BOUND + 1);
      const second = await ask(surface, gateway, question(list, { token, size: 5, cursor: first.next }));
      expect(second).toMatchObject({ rows: [note(small * BOUND + 108)], next: null, error: null });
    });
  });

  it("leave endCursor at the place reached, and startCursor null", async () => {
    await using world = await side(ruled(rows, {}, small));
    const { gateway, question } = world;
    const token = gateway.token("acme");
    const { pageInfo } = await askConnection(gateway, question("related", { token, size: 5 }));
    expect(pageInfo).toEqual({ hasNextPage: true, startCursor: null, endCursor: expect.any(String) });
  });
});

describe("invariant 10: a tenant whose calls are fewer than the hidden pages", () => {
  describe.each(LONG)("%s", (list) => {
    it.each(SURFACES)("gets what its calls found, and goes on from there through %s", async (surface) => {
      await using world = await side(ruled([...hidden(18), true, true], { upstreamCallsPerRequest: 6 }, 2));
      const { gateway, fake, question } = world;
      const token = gateway.token("acme");
      const pages = [];
      let cursor: string | null = null;
      do {
        fake.reset();
        const page: Seen = await ask(surface, gateway, question(list, { token, size: 5, cursor }));
        expect(page.error).toBeNull();
        expect(fake.count()).toBeLessThanOrEqual(6);
        pages.push(page);
        cursor = page.next;
      } while (cursor !== null);
      expect(pages.length).toBeGreaterThan(1);
      expect(rowsOf(pages)).toEqual([note(118), note(119)]);
    });
  });
});

describe("invariant 10: a tenant whose calls are fewer than the directories to look into", () => {
  const directories = Array.from({ length: 40 }, (_, index) => `pages/notes/d${index + 10}`);
  const pages = directories.map((path, index) => ({ path: `${path}/${index === 39 ? "" : "xsecretx-"}page.md` }));

  it.each(SURFACES)("gets what its calls found, and goes on from there through %s", async (surface) => {
    await using world = await side({ ...ruled([], { upstreamCallsPerRequest: 12 }), knowledgeBases: [{ pages }] });
    const { gateway, fake, question } = world;
    const asked = question("tree", { token: gateway.token("acme"), size: 1 });
    const seen: Seen[] = [];
    let cursor: string | null = null;
    do {
      const page: Seen = await ask(surface, gateway, { ...asked, cursor });
      expect(page.error).toBeNull();
      expect(readable(page)).not.toContain("xsecretx");
      seen.push(page);
      cursor = page.next;
    } while (cursor !== null);
    expect(seen.length).toBeGreaterThan(3);
    expect(fake.count()).toBeLessThanOrEqual(12 * seen.length);
    expect(rowsOf(seen)).toEqual(["pages/notes/d49"]);
  });
});

describe("invariant 2: what is told of hidden rows", () => {
  it.each(SURFACES)("is nothing in counts and graph paths through %s", async (surface) => {
    await using world = await side(ruled([...hidden(3), true, ...hidden(3), true]));
    const { gateway, question } = world;
    const token = gateway.token("acme");
    const expansion = await ask(surface, gateway, question("expand", { token, size: 10 }));
    const { graphPaths, resultSummary } = partOf(expansion.body);
    expect(resultSummary).toMatchObject({ relationshipCount: 2, hasMore: false });
    expect(graphPaths).toEqual([
      "_graph/by-file/seed.json",
      "_graph/by-file/notes/note-103.json",
      "_graph/by-file/notes/note-107.json"
    ]);
    const search = await ask(surface, gateway, question("search", { token, size: 10 }));
    expect(search.rows).toEqual([note(103), note(107)]);
    if (surface !== "tools" && surface !== "mcp") {
      expect(partOf(search.body).resultSummary).toEqual({ resultCount: 2, hasMore: false });
      expect(partOf(search.body).graphSummary).toBeNull();
    }
    for (const seen of [expansion, search]) expect(readable(seen)).not.toContain("xsecretx");
  });
});

describe("an upstream that repeats its cursor", () => {
  describe.each(LISTS)("%s", (list) => {
    it.each(SURFACES)("ends in an error, not in a loop, through %s", async (surface) => {
      await using world = await side({ ...ruled(CASE), gateway: {} });
      const { gateway, fake, question } = world;
      fake.on(OPERATION[list], (_, model) => {
        const answer = model();
        return { ...answer, body: { ...(answer.body as object), nextCursor: "round-and-round" } };
      });
      fake.on(
        ({ operation, query }) => operation === OPERATION[list] && query.cursor === "round-and-round",
        (request, model) => {
          Reflect.deleteProperty(request.query, "cursor");
          const answer = model();
          return { ...answer, body: { ...(answer.body as object), nextCursor: "round-and-round" } };
        }
      );
      const first = await ask(surface, gateway, question(list, { size: 5 }));
      expect(first.error).toBeNull();
      const second = await ask(surface, gateway, question(list, { size: 5, cursor: first.next }));
      expect(second.error).toMatchObject({ code: "UPSTREAM_INVALID_RESPONSE", httpStatus: 502 });
      expect(fake.count(OPERATION[list])).toBe(2);
    });
  });
});

/** The members of an answer that tell of the page, wherever the surface puts them. */
function partOf(body: ReturnType<typeof JSON.parse>): ReturnType<typeof JSON.parse> {
  if (body.data === undefined) return body;
  const { knowledgeBase } = body.data;
  return knowledgeBase.search ?? knowledgeBase.file.expand;
}
