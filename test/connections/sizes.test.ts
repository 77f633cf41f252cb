import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ask, askConnection, LISTS, type List, rowsOf, SURFACES, walk } from "./surfaces.ts";
import { type Side, shelf, side } from "./world.ts";

const MAXIMA: Readonly<Record<List, number>> = { tree: 500, search: 50, related: 200, expand: 200 };
/** Of a surface's own, as its documentation says; the mirror leaves it to the upstream. */
const DEFAULTS: Readonly<Record<"graphql" | "tools", Readonly<Record<List, number>>>> = {
  graphql: { tree: 50, search: 10, related: 20, expand: 20 },
  tools: { tree: 50, search: 10, related: 20, expand: 50 }
};
const UPSTREAM_MAXIMUM = 20;
const GATEWAY_SURFACES = SURFACES.filter((surface) => surface !== "mirror");

/** The same with and without path rules; what the upstream generates is closed to these unless a rule names it. */
const TENANTS = {
  open: { grants: [{ upstream: "main" }] },
  ruled: { grants: [{ upstream: "main", paths: { allow: ["pages/**", "pages/notes/index*.md"] } }] }
};

let world: Side;
beforeAll(async () => {
  world = await side({ knowledgeBases: [shelf(3)], gateway: { tenants: TENANTS } });
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => world.fake.reset());

describe.each(Object.keys(TENANTS))("invariant 8: a page's size, asked by a tenant that is %s", (tenant) => {
  describe.each(LISTS)("of %s", (list) => {
    it.each(GATEWAY_SURFACES)(
      "is refused beyond its bounds without a call, naming them, through %s",
      async (surface) => {
        const { fake, gateway, question } = world;
        const token = gateway.token(tenant);
        const field = surface === "graphql" ? "first" : "limit";
        const least = surface === "graphql" ? 0 : 1;
        for (const size of [MAXIMA[list] + 1, -1, 2_147_483_647, ...(least === 1 ? [0] : [])]) {
          const { error, rows } = await ask(surface, gateway, question(list, { size, token }));
          expect([size, rows]).toEqual([size, []]);
          expect(error).toMatchObject({
            code: "VALIDATION_ERROR",
            httpStatus: 422,
            message: expect.stringMatching(new RegExp(`^${field} must be .* ${least} to ${MAXIMA[list]}\\.`)),
            details: { field, limit: MAXIMA[list] }
          });
        }
        expect(fake.count()).toBe(0);
      }
    );

    it("is refused by the mirror, naming it", async () => {
      const { gateway, question } = world;
      const token = gateway.token(tenant);
      for (const size of [MAXIMA[list] + 1, 0, -1, 2_147_483_647]) {
        const { error } = await ask("mirror", gateway, question(list, { size, token }));
        expect(error).toMatchObject({ code: "VALIDATION_ERROR", httpStatus: 422 });
        expect(error?.message).toContain("limit");
      }
    });

    it("of none is an empty page without a call, and its end is where it was asked from", async () => {
      const { fake, gateway, question } = world;
      const token = gateway.token(tenant);
      const page = { hasNextPage: true, startCursor: null };
      const start = await askConnection(gateway, question(list, { size: 0, token }));
      expect(start).toMatchObject({ rows: [], error: null, pageInfo: { ...page, endCursor: null } });
      expect(fake.count()).toBe(0);
      const [cursor] = (await askConnection(gateway, question(list, { size: 1, token }))).cursors;
      fake.reset();
      const inside = await askConnection(gateway, question(list, { size: 0, token, cursor }));
      expect(inside).toMatchObject({ rows: [], error: null, pageInfo: { ...page, endCursor: cursor } });
      expect(fake.count()).toBe(0);
      const last = (await askConnection(gateway, question(list, { token }))).pageInfo.endCursor;
      fake.reset();
      const end = await askConnection(gateway, question(list, { size: 0, token, cursor: last }));
      expect(end).toMatchObject({ rows: [], error: null, pageInfo: { hasNextPage: false, endCursor: last } });
      expect(fake.count()).toBe(0);
    });

    it.each(SURFACES)("is the default where it is null or left out, through %s", async (surface) => {
      const { gateway, question } = world;
      const token = gateway.token(tenant);
      const whole = await world.whole(list);
      for (const size of [null, undefined]) {
        expect((await ask(surface, gateway, question(list, { size, cursor: size, token }))).rows).toEqual(whole);
      }
      const limits = world.asked(list).map(({ query }) => query.limit || undefined);
      const wanted =
        surface === "mirror"
          ? { tree: 100, search: 10, related: 50, expand: 50 }[list]
          : DEFAULTS[surface === "graphql" ? "graphql" : "tools"][list];
      // Where rows may be hidden, one more tells whether there is a next page.
      const sent = tenant === "ruled" ? String(wanted + 1) : surface === "mirror" ? undefined : String(wanted);
      expect(limits).toEqual([sent, sent]);
    });
  });
});

describe("an upstream whose maximum is lower than documented", () => {
  const lower = {
    tree: UPSTREAM_MAXIMUM,
    search: UPSTREAM_MAXIMUM,
    related: UPSTREAM_MAXIMUM,
    expand: UPSTREAM_MAXIMUM
  };
  const options = {
    knowledgeBases: [shelf(45)],
    maxima: lower,
    defaults: { ...lower, search: 10 },
    gateway: { tenants: TENANTS }
  };

  describe.each(Object.keys(TENANTS))("for a tenant that is %s", (tenant) => {
    describe.each(LISTS)("%s", (list) => {
      it.each(GATEWAY_SURFACES)("is stitched right through %s", async (surface) => {
        await using world = await side(options);
        const { gateway, question } = world;
        const whole = await world.whole(list);
        const token = gateway.token(tenant);
        for (const sizes of [[50], [7, 33], [undefined]]) {
          const pages = await walk(surface, gateway, question(list, { token }), sizes);
          expect(rowsOf(pages)).toEqual(whole);
          for (const [index, { rows, next }] of pages.entries()) {
            const size = sizes[index % sizes.length];
            if (next !== null && size !== undefined) expect(rows).toHaveLength(size);
          }
        }
        // The maximum is learned once.
        const refused = world.asked(list).filter(({ query }) => Number(query.limit) > UPSTREAM_MAXIMUM);
        expect(refused).toHaveLength(1);
      });
    });
  });

  it.each(LISTS)("is the mirror's own: %s", async (list) => {
    await using world = await side(options);
    const { gateway, question } = world;
    const whole = await world.whole(list);
    const token = gateway.token("open");
    expect(rowsOf(await walk("mirror", gateway, question(list, { token }), [UPSTREAM_MAXIMUM]))).toEqual(whole);
    expect(rowsOf(await walk("mirror", gateway, question(list, { token })))).toEqual(whole);
    const { error } = await ask("mirror", gateway, question(list, { size: UPSTREAM_MAXIMUM + 1, token }));
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", httpStatus: 422 });
    expect(error?.message).toContain("limit");
    const ruled = question(list, { token: gateway.token("ruled") });
    expect(rowsOf(await walk("mirror", gateway, ruled, [50]))).toEqual(whole);
  });
});

describe("a search that does not ask to be reranked", () => {
  it.each(SURFACES)("sends no rerank parameters through %s", async (surface) => {
    await using world = await side({ knowledgeBases: [shelf(3)] });
    const { fake, gateway, question } = world;
    await ask(surface, gateway, question("search"));
    const [asked] = world.asked("search");
    expect(Object.keys(asked?.query ?? {}).filter((name) => name.startsWith("rerank"))).toEqual([]);
    expect(fake.count("searchGeneratedFiles")).toBe(1);
  });
});
