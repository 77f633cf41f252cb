import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  type Arguments,
  ask,
  askConnection,
  LISTS,
  type List,
  type Question,
  rowsOf,
  SURFACES,
  walk
} from "./surfaces.ts";
import { note, type Side, shelf, side } from "./world.ts";

const OTHER = "knowledge-base-other";
const EVERYTHING = { grants: [{ upstream: "main" }], limits: { requestsPerMinute: 1_000_000 } };
const TENANTS = { acme: EVERYTHING, zeta: EVERYTHING };

/** A change of each list's question, which the upstream itself would answer. */
const CHANGED: Readonly<Record<List, readonly Arguments[]>> = {
  tree: [{ parentPath: "pages" }, { parentPath: "pages/notes", entryType: "file" }],
  search: [{ query: "about" }, { query: "caches", mode: "file" }, { query: "caches", graphDepth: 0 }],
  related: [],
  expand: []
};

let world: Side;
let token: string;
beforeAll(async () => {
  world = await side({ knowledgeBases: [shelf(20), shelf(20, OTHER)], gateway: { tenants: TENANTS } });
  token = world.gateway.token("acme");
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => world.fake.reset());

const question = (list: List, page: Partial<Question> = {}) => world.question(list, { token, ...page });

async function cursorOf(list: List): Promise<string> {
  const { cursors } = await askConnection(world.gateway, question(list, { size: 5 }));
  world.fake.reset();
  return cursors[2] ?? "";
}

function flip(cursor: string, at: number): string {
  const bytes = Buffer.from(cursor, "base64url");
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString("base64url");
}

describe.each(SURFACES)("invariant 5: cursors through %s", (surface) => {
  const field = surface === "graphql" ? "after" : "cursor";

  async function expectRefused(asked: Question): Promise<void> {
    const { rows, next, error } = await ask(surface, world.gateway, asked);
    expect({ rows, next }).toEqual({ rows: [], next: null });
    expect(error).toMatchObject({
      code: "VALIDATION_ERROR",
      httpStatus: 422,
      message: expect.stringMatching(new RegExp(`Leave ${field} out to start again from the first page\\.$`)),
      details: { field: "cursor", reason: "INVALID", restart: true }
    });
    expect(world.fake.countReads()).toBe(0);
  }

  describe.each(LISTS)("of %s", (list) => {
    it("are refused without data for another question", async () => {
      const cursor = await cursorOf(list);
      for (const args of CHANGED[list]) await expectRefused(question(list, { args, cursor }));
      for (const other of LISTS) if (other !== list) await expectRefused(question(other, { cursor }));
      await expectRefused(question(list, { cursor, token: world.gateway.token("zeta") }));
      const { fileId, ...args } = question(list).args;
      const moved = fileId === undefined ? args : { ...args, fileId: world.fake.fileId("pages/seed.md", OTHER) };
      await expectRefused(question(list, { args: moved, cursor, knowledgeBase: OTHER }));
      if (fileId === undefined) return;
      await expectRefused(question(list, { args: { ...args, fileId: world.fake.fileId(note(0)) }, cursor }));
    });

    it("are refused without data where they are not the gateway's", async () => {
      const cursor = await cursorOf(list);
      const { length } = Buffer.from(cursor, "base64url");
      for (const at of [0, 1, 12, 13, length >> 1, length - 17, length - 1]) {
        await expectRefused(question(list, { cursor: flip(cursor, at) }));
      }
      const upstreams = Buffer.from(JSON.stringify({ version: 1, offset: 5 })).toString("base64url");
      for (const junk of ["null", "undefined", "0", "A".repeat(10_240), upstreams, `${cursor}A`, cursor.slice(0, -4)]) {
        await expectRefused(question(list, { cursor: junk }));
      }
    });

    it("that are empty or null are the first page", async () => {
      const whole = await world.whole(list);
      for (const cursor of ["", null, undefined]) {
        const { rows } = await ask(surface, world.gateway, question(list, { size: 5, cursor }));
        expect(rows).toEqual(whole.slice(0, 5));
      }
    });

    it("of any edge go on behind it, with any size", async () => {
      const whole = await world.whole(list);
      const { cursors, pageInfo } = await askConnection(world.gateway, question(list, { size: 10 }));
      expect(pageInfo).toEqual({ hasNextPage: true, startCursor: cursors[0], endCursor: cursors[9] });
      for (const [index, size] of [
        [0, 1],
        [0, 15],
        [3, 4],
        [6, 10],
        [9, 3],
        [9, 50]
      ] as const) {
        const { rows } = await ask(surface, world.gateway, question(list, { size, cursor: cursors[index] }));
        expect([index, size, rows]).toEqual([index, size, whole.slice(index + 1, index + 1 + size)]);
      }
    });

    it("go on where any other surface left off", async () => {
      const whole = await world.whole(list);
      for (const other of SURFACES) {
        const first = await ask(other, world.gateway, question(list, { size: 7 }));
        const rest = await walk(surface, world.gateway, question(list, { cursor: first.next }), [10]);
        expect([other, ...first.rows, ...rowsOf(rest)]).toEqual([other, ...whole]);
      }
    });
  });
});

describe("invariant 5: one question has one cursor, however it is written", () => {
  const full: Arguments = {
    query: "caches",
    mode: "hybrid",
    scope: "all",
    fileKind: "page",
    graphDepth: 1,
    graphFanout: 10,
    okfStatus: "stable",
    okfTrustTier: "unverified"
  };
  const reversed = Object.fromEntries(Object.entries(full).reverse());
  const spaced = { ...full, query: "  caches " };
  const least = { query: "caches", okfStatus: "stable", okfTrustTier: "unverified" };

  it("on every surface, whatever the order, defaults and spaces", async () => {
    const seen = new Set<string | null>();
    for (const surface of SURFACES) {
      for (const args of [full, reversed, spaced, least]) {
        const first = await ask(surface, world.gateway, question("search", { args, size: 4 }));
        expect(first.rows).toHaveLength(4);
        const { cursors } = await askConnection(world.gateway, question("search", { args, size: 4 }));
        const again = await ask(
          surface,
          world.gateway,
          question("search", { args: reversed, size: 2, cursor: cursors[1] })
        );
        expect(again.rows).toEqual([note(2), note(3)]);
        seen.add(cursors[1] ?? null);
      }
    }
    expect(seen.size).toBe(1);
  });

  it.each([
    ["the root, left out and named", {}, { parentPath: "root" }],
    ["a path in another Unicode form", { parentPath: "pages/caf\u00e9" }, { parentPath: "pages/cafe\u0301" }]
  ])("%s", async (_, one, other) => {
    world.fake.knowledgeBase().addPage({ path: "pages/caf\u00e9/a.md" }).addPage({ path: "pages/caf\u00e9/b.md" });
    for (const surface of SURFACES.filter((each) => each !== "graphql")) {
      const first = await ask(surface, world.gateway, question("tree", { args: one, size: 1 }));
      const second = await ask(surface, world.gateway, question("tree", { args: other, size: 1, cursor: first.next }));
      expect(second.error).toBeNull();
      expect(second.rows).toHaveLength(1);
    }
  });

  it("and the same place has the same cursor again", async () => {
    const [one, two] = [await cursorOf("tree"), await cursorOf("tree")];
    expect(one).toBe(two);
  });
});

describe("invariant 5: cursors tell nothing", () => {
  it.each(LISTS)("all of one length, and no name in them: %s", async (list) => {
    const { cursors, pageInfo } = await askConnection(world.gateway, question(list, { size: 15 }));
    const lengths = new Set([...cursors, pageInfo.endCursor].map((cursor) => cursor.length));
    expect([...lengths]).toEqual([460]);
    for (const cursor of cursors) expect(Buffer.from(cursor, "base64url").toString("latin1")).not.toMatch(/note|pages/);
  });

  it("no longer for a path of 200 bytes", async () => {
    const directory = `pages/${"d".repeat(90)}`;
    const names = ["\u4e9c", "\u{1f600}", "z"].map((character) => {
      const room = 200 - Buffer.byteLength(`${directory}/.md`);
      return `${directory}/${character.repeat(Math.floor(room / Buffer.byteLength(character)))}.md`;
    });
    await using long = await side({ knowledgeBases: [{ pages: names.map((path) => ({ path })) }] });
    const asked = long.question("tree", { args: { parentPath: directory }, size: 5 });
    const { cursors } = await askConnection(long.gateway, asked);
    expect(cursors).toHaveLength(5);
    expect(Math.max(...cursors.map((cursor) => cursor.length))).toBeLessThanOrEqual(768);
    const paths = (await walk("agent", long.gateway, { ...asked, size: 1 })).flatMap(({ rows }) => rows);
    expect(paths).toEqual(expect.arrayContaining(names));
  });
});
