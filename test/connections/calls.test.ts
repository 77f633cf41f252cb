import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Arguments, ask, askConnection, LISTS, type List, rowsOf, SURFACES, walk } from "./surfaces.ts";
import { OPERATION, type Side, shelf, side } from "./world.ts";

const MAXIMA: Readonly<Record<List, number>> = { tree: 500, search: 50, related: 200, expand: 200 };
const ROWS = 60;
const unlimited = { requestsPerMinute: 1_000_000 };
const TENANTS = {
  open: { grants: [{ upstream: "main" }], limits: unlimited },
  ruled: { grants: [{ upstream: "main", paths: { allow: ["pages/**", "pages/notes/index*.md"] } }], limits: unlimited }
};

let world: Side;
beforeAll(async () => {
  world = await side({ knowledgeBases: [shelf(ROWS)], gateway: { tenants: TENANTS } });
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => world.fake.reset());

describe.each(SURFACES)("invariant 8: upstream calls without hidden items, through %s", (surface) => {
  describe.each(["open", "ruled"] as const)("for a tenant that is %s", (tenant) => {
    it.each(LISTS)("are at most one more than the pages that hold what is wanted: %s", async (list) => {
      const { fake, gateway } = world;
      const token = gateway.token(tenant);
      const { cursors } = await askConnection(gateway, world.question(list, { size: 20, token }));
      const sizes = [1, 10, 49, MAXIMA[list]];
      for (const cursor of [undefined, cursors[0], cursors[7], cursors[19]]) {
        for (const size of sizes) {
          fake.reset();
          const { error, rows, next } = await ask(surface, gateway, world.question(list, { size, cursor, token }));
          expect(error).toBeNull();
          const wanted = next === null ? rows.length : size;
          const calls = fake.count(OPERATION[list]);
          expect(calls).toBeLessThanOrEqual(Math.ceil(wanted / MAXIMA[list]) + 1);
          // From the start, and with nothing to find out, it is the fewest that there are.
          if (cursor === undefined && tenant === "open") expect(calls).toBe(1);
          // Beside pages, only the file of a question is looked up, for path rules, and the revision.
          const lookUps = tenant === "ruled" && (list === "related" || list === "expand") ? 1 : 0;
          expect(fake.countReads()).toBe(calls + lookUps);
          expect(fake.count("getKnowledgeBase")).toBeLessThanOrEqual(1);
        }
      }
    });
  });

  it.each(LISTS)("are one for each page of a walk: %s", async (list) => {
    const { fake, gateway } = world;
    const token = gateway.token("open");
    const whole = await world.whole(list);
    const pages = await walk(surface, gateway, world.question(list, { token }), [12]);
    expect(rowsOf(pages)).toEqual(whole);
    expect(pages).toHaveLength(Math.ceil(whole.length / 12));
    expect(fake.count(OPERATION[list])).toBe(pages.length);
  });
});

describe("where nothing is hidden", () => {
  describe.each(["agent", "mirror"] as const)("%s asks the upstream", (surface) => {
    it.each(LISTS)("for exactly the caller's page, and goes on with the upstream's own cursor: %s", async (list) => {
      const { gateway } = world;
      const token = gateway.token("open");
      const { fileId, ...others } = world.question(list).args;
      const sent = (args: Arguments) =>
        Object.fromEntries(Object.entries(args).map(([name, value]) => [name, String(value)]));
      const parameters = list === "expand" ? { fileId: String(fileId), ...sent(others) } : sent(others);
      const first = await ask(surface, gateway, world.question(list, { size: 7, token }));
      await ask(surface, gateway, world.question(list, { size: 9, cursor: first.next, token }));
      const [one, two] = world.asked(list);
      expect(one?.query).toEqual({ ...parameters, limit: "7" });
      expect(two?.query).toEqual({ ...parameters, limit: "9", cursor: expect.any(String) });
      expect(two?.query.cursor).not.toBe(first.next);
      expect(world.asked(list)).toHaveLength(2);
    });
  });

  it.each(LISTS)("the mirror leaves out what the caller leaves out: %s", async (list) => {
    const { gateway } = world;
    const { args } = world.question(list);
    await ask("mirror", gateway, world.question(list, { token: gateway.token("open") }));
    const [asked] = world.asked(list);
    const { fileId: _, ...others } = args;
    expect(Object.keys(asked?.query ?? {}).sort()).toEqual(Object.keys(list === "expand" ? args : others).sort());
  });
});
