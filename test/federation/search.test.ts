/** One search over several knowledge bases, through the real reader: its order, its faults, its bounds, its cursors. */
import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import type { FakePage } from "../harness/fake-upstream.ts";
import { rateLimited, searchTimeout, serviceUnavailable } from "../harness/fake-upstream.ts";
import { type Library, library, named, reference, walkAll } from "./library.ts";

const WORDS = 24;
const word = (index: number) => `word${String(index).padStart(2, "0")}x`;

/** Pages of which each holds some of the words; every third lies where some may not look. */
function shelf(seed: number, count: number): { pages: FakePage[] } {
  const pages = Array.from({ length: count }, (_, page) => {
    const words = Array.from({ length: WORDS }, (_, index) => index).filter(
      (index) => ((page + 3) * (index + 5) * (seed + 7)) % 11 < 6
    );
    const folder = page % 3 === 0 ? "private" : "open";
    return { path: `pages/${folder}/${seed}-${page}.md`, content: `common ${words.map(word).join(" ")}` };
  });
  return { pages };
}

const SHELVES = { ants: shelf(1, 17), bees: shelf(2, 30), cats: shelf(3, 5) };
const found = (query: string, shelves: Record<string, { pages: FakePage[] }> = SHELVES, open = false) =>
  Object.fromEntries(
    Object.entries(shelves).map(([key, { pages }]) => [
      key,
      pages
        .filter(({ path, content }) => content?.includes(query) && !(open && path.startsWith("pages/private/")))
        .map(({ path }) => path)
    ])
  );
const spread = { main: { ants: SHELVES.ants, cats: SHELVES.cats }, second: { bees: SHELVES.bees } };
const all = { grants: [{ upstream: "main" }, { upstream: "second" }] };
const codeOf = async (read: Promise<unknown>) => {
  const error = await read.then(
    () => null,
    (thrown: unknown) => thrown
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
};

describe("a walk over three knowledge bases of two upstreams", () => {
  let shelves: Library;
  beforeAll(async () => {
    shelves = await library({ upstreams: spread, tenant: all });
  });
  afterAll(() => shelves[Symbol.asyncDispose]());

  const sizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 4 });

  test("invariant 5: gives each item once, in the order of the reference merge, for pages of any sizes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(WORDS - 1), sizes, async (index, sizes) => {
        const pages = await walkAll(shelves, { query: word(index) }, sizes);
        expect(pages.flatMap(named)).toEqual(reference(found(word(index))));
        for (const page of pages) {
          expect(page.sources.map(({ error }) => error)).toEqual([null, null, null]);
          const counts = page.sources.map(({ resultCount }) => resultCount ?? 0);
          expect(counts.reduce((sum, count) => sum + count, 0)).toBe(page.rows.length);
        }
      }),
      { numRuns: 40 }
    );
  });

  test("invariant 5: goes on from any item, with any size", async () => {
    const [whole] = await walkAll(shelves, { query: "common" }, [50]);
    const rest = reference(found("common"));
    await fc.assert(
      fc.asyncProperty(fc.nat(49), sizes, async (index, sizes) => {
        const pages = await walkAll(shelves, { query: "common" }, sizes, whole?.cursor(index));
        expect(pages.flatMap(named)).toEqual(rest.slice(index + 1));
      }),
      { numRuns: 20 }
    );
  });

  it("tells of each source its status, revision and share of the page, by key", async () => {
    const page = await shelves.reader().search({ query: "common" }, { first: 7 });
    expect(page.sources).toEqual(
      [3, 2, 2].map((resultCount, index) => ({
        knowledgeBase: expect.objectContaining({ key: ["ants", "bees", "cats"][index] }),
        searchStatus: "ok",
        activeContentRevision: 1,
        resultCount,
        error: null
      }))
    );
  });

  it("says no_candidates of a source only where it has nothing at all, on every page", async () => {
    const query = "2-";
    const pages = await walkAll(shelves, { query, scope: "path" }, [11]);
    expect(pages.length).toBeGreaterThan(2);
    for (const page of pages) {
      expect(page.sources.map(({ searchStatus }) => searchStatus)).toEqual(["no_candidates", "ok", "no_candidates"]);
    }
    const ended = (await walkAll(shelves, { query: "common" }, [30])).at(-1);
    expect(ended?.sources.map(({ searchStatus, resultCount }) => [searchStatus, resultCount])).toEqual([
      ["ok", 4],
      ["ok", 18],
      ["ok", 0]
    ]);
  });

  it("searches the named ones alone, by slug or id, in whatever order, once each", async () => {
    const { ants, cats } = found("common");
    for (const knowledgeBases of [
      ["cats", "ants"],
      ["knowledge-base-ants", "cats", "ants"]
    ]) {
      const page = await shelves.reader().search({ query: "common", knowledgeBases }, { first: 50 });
      expect(named(page)).toEqual(reference({ ants: ants ?? [], cats: cats ?? [] }));
      expect(page.sources.map((source) => source.knowledgeBase.key)).toEqual(["ants", "cats"]);
    }
  });

  it("costs one search a source, and a list an upstream that is granted whole", async () => {
    await using cold = await library({ upstreams: spread, tenant: all });
    await cold.reader().search({ query: "common" }, { first: 10 });
    const { count } = cold.upstream("main");
    expect([count("listKnowledgeBases"), count("getKnowledgeBase"), count("searchGeneratedFiles")]).toEqual([1, 2, 2]);
    await cold.reader().search({ query: "common" }, { first: 10 });
    expect(count("searchGeneratedFiles")).toBe(2);
  });

  it("invariant 8: is asked for nothing with `first: 0`, and refuses what is too large before any call", async () => {
    const before = shelves.count();
    const page = await shelves.reader().search({ query: "common" }, { first: 0 });
    expect([page.rows, page.sources, page.hasNextPage, page.endCursor()]).toEqual([[], [], true, null]);
    for (const first of [-1, 51, 2_147_483_647]) {
      const error = await codeOf(shelves.reader().search({ query: "common" }, { first }));
      expect([error.code, error.details?.limit]).toEqual(["VALIDATION_ERROR", 50]);
    }
    expect(shelves.count()).toBe(before);
  });

  it("refuses a question that no source takes as the question's own fault", async () => {
    const error = await codeOf(shelves.reader().search({ query: "x" }, {}));
    expect([error.code, error.details?.code]).toEqual(["VALIDATION_ERROR", "FILE_SEARCH_QUERY_TOO_SHORT"]);
    expect((await codeOf(shelves.reader().search({ query: "common", rerank: true }, {}))).code).toBe("FORBIDDEN");
  });
});

describe("cursors", () => {
  it("serve one question, one choice of knowledge bases, one tenant and one subject", async () => {
    await using shelves = await library({ upstreams: spread, tenant: all });
    const asked = { query: "common", knowledgeBases: ["ants", "bees"] };
    const page = await shelves.reader().search(asked, { first: 3 });
    const after = page.endCursor();
    const again = await shelves.reader().search({ ...asked, knowledgeBases: ["bees", "ants"] }, { first: 3, after });
    expect(named(again)).toEqual(reference({ ...found("common"), cats: [] }).slice(3, 6));
    const before = shelves.count();
    const others = [
      [{}, { ...asked, query: "other" }],
      [{}, { ...asked, knowledgeBases: ["ants"] }],
      [{}, { query: "common" }],
      [{}, { ...asked, mode: "file" }],
      [{ tenant: "other" }, asked],
      [{ subject: "somebody" }, asked]
    ] as const;
    for (const [who, args] of others) {
      const error = await codeOf(shelves.reader(who).search(args, { after }));
      expect(error.details).toEqual({ field: "cursor", reason: "INVALID", restart: true });
    }
    for (const junk of ["x", "x".repeat(10_000), `${after}A`, `${after?.slice(0, -1)}`]) {
      expect((await codeOf(shelves.reader().search(asked, { after: junk }))).details?.reason).toBe("INVALID");
    }
    expect(shelves.count()).toBe(before);
  });

  it("are the same for the same place, and of one length", async () => {
    await using shelves = await library({ upstreams: spread, tenant: all });
    const [one, other] = [
      await shelves.reader().search({ query: "common" }, { first: 9 }),
      await shelves.reader().search({ query: "common" }, { first: 9 })
    ];
    const tokens = one.rows.map((_, index) => one.cursor(index));
    expect(other.rows.map((_, index) => other.cursor(index))).toEqual(tokens);
    expect(new Set(tokens).size).toBe(9);
    expect(new Set(tokens.map(({ length }) => length)).size).toBe(1);
  });

  it("hold the places of fifty sources", async () => {
    const slugs = Array.from({ length: 50 }, () => randomUUID());
    const held = Object.fromEntries(slugs.map((slug) => [slug, { pages: SHELVES.ants.pages }]));
    const limits = { searchSources: 50 };
    await using shelves = await library({
      upstreams: { main: held },
      tenant: { grants: [{ upstream: "main" }], limits }
    });
    const pages = await walkAll(shelves, { query: "common" }, [50]);
    expect(new Set(pages.flatMap(named)).size).toBe(50 * 17);
    expect(pages.every(({ sources }) => sources.every(({ error }) => error === null))).toBe(true);
  }, 60_000);

  it("invariant 6: end with the revision of any of their sources", async () => {
    await using shelves = await library({ upstreams: spread, tenant: all, revisionCheckMs: 0 });
    const after = (await shelves.reader().search({ query: "common" }, { first: 1 })).endCursor();
    shelves.upstream("second").knowledgeBase().publish();
    const error = await codeOf(shelves.reader().search({ query: "common" }, { first: 1, after }));
    expect(error.details).toEqual({ field: "cursor", reason: "REVISION_CHANGED", restart: true });
  });

  it("end where a source is gone, and where it is no longer granted", async () => {
    await using shelves = await library({ upstreams: spread, tenant: all });
    const after = (await shelves.reader().search({ query: "common" }, { first: 1 })).endCursor();
    shelves.reload({ grants: [{ upstream: "main" }] });
    expect((await codeOf(shelves.reader().search({ query: "common" }, { after }))).details?.reason).toBe("INVALID");
    expect((await shelves.reader().search({ query: "common" }, {})).sources).toHaveLength(2);
  });
});

describe("invariant 3: a fault in one of three sources", () => {
  const faults = [
    ["a refusal", serviceUnavailable("SEARCH_UNAVAILABLE"), "SEARCH_UNAVAILABLE"],
    ["a timeout of its own", searchTimeout(), "SEARCH_TIMEOUT"],
    ["a limit", rateLimited(null), "RATE_LIMITED"],
    ["an answer cut in half", { fault: "cut-json" }, "UPSTREAM_INVALID_RESPONSE"],
    ["a page of HTML", { fault: "html" }, "UPSTREAM_UNAVAILABLE"]
  ] as const;

  it.each(faults)("%s: takes nothing from the others, and stays visible on every page", async (_, answer, code) => {
    await using shelves = await library({ upstreams: spread, tenant: all });
    shelves.upstream("second").on("searchGeneratedFiles", answer);
    const pages = await walkAll(shelves, { query: "common" }, [4, 9]);
    expect(pages.flatMap(named)).toEqual(reference({ ...found("common"), bees: [] }));
    expect(pages.length).toBeGreaterThan(2);
    for (const { sources } of pages) {
      expect(sources.map(({ error }) => error?.code ?? null)).toEqual([null, code, null]);
      expect(sources[1]).toMatchObject({ searchStatus: null, activeContentRevision: null, resultCount: null });
    }
    const asked = shelves.upstream("second").count("searchGeneratedFiles");
    await walkAll(shelves, { query: "common" }, [4], pages[0]?.endCursor());
    expect(shelves.upstream("second").count("searchGeneratedFiles")).toBe(asked);
  });

  test("whenever it comes, the walk holds all items of the others, and of its own those before it", async () => {
    const fault = fc.record({
      at: fc.integer({ min: 1, max: 6 }),
      answer: fc.constantFrom(searchTimeout(), rateLimited(null), { fault: "cut-json" as const })
    });
    const size = fc.integer({ min: 1, max: 12 });
    await fc.assert(
      fc.asyncProperty(fault, size, fc.boolean(), async ({ at, answer }, size, restricted) => {
        const paths = { deny: ["pages/private/**"] };
        const keys = ["ants", "bees", "cats"];
        const tenant = restricted ? { grants: [{ knowledgeBases: keys, paths }] } : all;
        await using shelves = await library({ upstreams: spread, tenant, cacheBytes: 0 });
        let asked = 0;
        shelves.upstream("second").on("searchGeneratedFiles", () => {
          asked += 1;
          return asked < at ? undefined : answer;
        });
        const pages = await walkAll(shelves, { query: "common" }, [size]);
        const items = pages.flatMap(named);
        expect(new Set(items).size).toBe(items.length);
        const lists = found("common", SHELVES, restricted);
        const of = (key: string) => items.filter((item) => item.startsWith(`${key}/`));
        const expected = (key: string) => (lists[key] ?? []).map((path) => `${key}/${path}`);
        expect(of("ants")).toEqual(expected("ants"));
        expect(of("cats")).toEqual(expected("cats"));
        expect(of("bees")).toEqual(expected("bees").slice(0, of("bees").length));
        const failed = pages.map(({ sources }) => sources[1]?.error != null);
        expect(failed).toEqual(failed.toSorted());
        if (of("bees").length < expected("bees").length) expect(failed.at(-1)).toBe(true);
      }),
      { numRuns: 25 }
    );
  }, 60_000);

  it("an outage that looks like an empty result is an error", async () => {
    await using shelves = await library({ upstreams: spread, tenant: all });
    shelves.upstream("second").evidence = "none";
    const { sources } = await shelves.reader().search({ query: "common" }, {});
    expect(sources[1]?.error).toMatchObject({
      code: "SEARCH_UNAVAILABLE",
      details: { reason: "ALL_EVIDENCE_DEGRADED" }
    });
  });

  it("a source that never answers ends by its own share of the time", async () => {
    await using shelves = await library({ upstreams: spread, tenant: all });
    await shelves.reader().search({ query: "warm" }, {});
    shelves.upstream("second").on("searchGeneratedFiles", { fault: "hang" });
    const page = await shelves.reader({ deadline: Date.now() + 800 }).search({ query: "common" }, { first: 50 });
    expect(named(page)).toEqual(reference({ ...found("common"), bees: [] }));
    expect(page.sources.map(({ error }) => error?.code ?? null)).toEqual([null, "UPSTREAM_TIMEOUT", null]);
    await shelves.upstream("second").until(() => shelves.upstream("second").requests.some(({ aborted }) => aborted));
  });

  it("one that fails later in the walk is visible from then on", async () => {
    await using shelves = await library({ upstreams: spread, tenant: all, cacheBytes: 0 });
    const first = await shelves.reader().search({ query: "common" }, { first: 4 });
    const heal = shelves.upstream("second").on("searchGeneratedFiles", searchTimeout());
    const next = await shelves.reader().search({ query: "common" }, { first: 4, after: first.endCursor() });
    expect(next.sources.map(({ error }) => error?.code ?? null)).toEqual([null, "SEARCH_TIMEOUT", null]);
    const last = await shelves.reader().search({ query: "common" }, { first: 4, after: next.endCursor() });
    expect(last.sources[1]?.error?.code).toBe("SEARCH_TIMEOUT");
    heal();
    const retried = await shelves.reader().search({ query: "common" }, { first: 4, after: first.endCursor() });
    expect([...named(first), ...named(retried)]).toEqual(reference(found("common")).slice(0, 8));
  });

  it("an upstream that cannot even be listed fails with what is known of it", async () => {
    for (const slugs of [true, false]) {
      await using shelves = await library({ upstreams: spread, tenant: all, slugs });
      if (!slugs) await shelves.reader().search({ query: "common" }, {});
      await shelves.upstream("second").goAway();
      const page = await shelves.reader().search({ query: "common" }, { first: 50 });
      expect(page.rows).toHaveLength(22);
      expect(page.sources.map(({ error }) => error?.code).filter(Boolean)).toEqual(["UPSTREAM_UNAVAILABLE"]);
    }
  });

  it("one of which nothing is known fails the search: its knowledge bases cannot be told from none", async () => {
    await using shelves = await library({ upstreams: spread, tenant: all, slugs: false });
    await shelves.upstream("second").goAway();
    expect((await codeOf(shelves.reader().search({ query: "common" }, {}))).code).toBe("UPSTREAM_UNAVAILABLE");
  });

  it("an abort is nobody's error", async () => {
    await using shelves = await library({ upstreams: spread, tenant: all });
    shelves.upstream("second").on("searchGeneratedFiles", { fault: "hang" });
    const leaving = new AbortController();
    const search = shelves.reader({ signal: leaving.signal }).search({ query: "common" }, {});
    await shelves.upstream("second").until(() => shelves.upstream("second").count("searchGeneratedFiles") === 1);
    const reason = new Error("left");
    leaving.abort(reason);
    await expect(search).rejects.toBe(reason);
  });
});

describe("invariant 2: a tenant that may see only a part", () => {
  const paths = { deny: ["pages/private/**"] };

  it("gets the reference merge of what it may see: hidden hits take no rank", async () => {
    const tenant = { grants: [{ knowledgeBases: ["ants", "bees"], paths }, { knowledgeBases: ["cats"] }] };
    await using shelves = await library({ upstreams: spread, tenant });
    for (const sizes of [[50], [1], [7, 2]]) {
      const pages = await walkAll(shelves, { query: "common" }, sizes);
      const lists = { ...found("common", SHELVES, true), cats: found("common").cats ?? [] };
      expect(pages.flatMap(named)).toEqual(reference(lists));
    }
  });

  it("goes on through pages of which all is hidden, without passing anything", async () => {
    const hidden = Array.from({ length: 300 }, (_, index) => ({
      path: `pages/private/${index}.md`,
      content: "common"
    }));
    const deep = { pages: [...hidden, { path: "pages/open/last.md", content: "common" }] };
    const tenant = { grants: [{ upstream: "main", paths }], limits: { pageSize: 5 } };
    await using shelves = await library({ upstreams: { main: { aaa: deep, ants: SHELVES.ants } }, tenant });
    const pages = await walkAll(shelves, { query: "common" }, [5]);
    const lists = { aaa: ["pages/open/last.md"], ants: found("common", SHELVES, true).ants ?? [] };
    expect(pages.flatMap(named)).toEqual(reference(lists));
  });

  it("searches nothing where it is not granted, and tells of it nowhere", async () => {
    const tenant = {
      grants: [{ knowledgeBases: ["ants"] }, { knowledgeBases: ["cats"], operations: ["list_tree" as const] }]
    };
    await using shelves = await library({ upstreams: spread, tenant });
    const page = await shelves.reader().search({ query: "common" }, {});
    expect(page.sources.map((source) => source.knowledgeBase.key)).toEqual(["ants"]);
    expect(shelves.upstream("second").count()).toBe(0);
    expect(shelves.upstream("main").requests.every(({ path }) => path.includes("knowledge-base-ants"))).toBe(true);
  });

  it("gets NOT_FOUND for one that is not granted, like for one that does not exist, without a call", async () => {
    await using shelves = await library({ upstreams: spread, tenant: { grants: [{ knowledgeBases: ["ants"] }] } });
    for (const other of ["bees", "nowhere", "..", ""]) {
      const error = await codeOf(shelves.reader().search({ query: "common", knowledgeBases: ["ants", other] }, {}));
      expect(error.body()).toEqual({ code: "NOT_FOUND", message: "Resource was not found.", httpStatus: 404 });
    }
    expect(shelves.count()).toBe(0);
    await using emptied = await library({
      upstreams: spread,
      tenant: { grants: [{ knowledgeBases: ["ants", "bees"] }] }
    });
    emptied.upstream("second").on("getKnowledgeBase", { status: 404, body: { error: { code: "NOT_FOUND" } } });
    expect(
      (await codeOf(emptied.reader().search({ query: "common", knowledgeBases: ["ants", "bees"] }, {}))).code
    ).toBe("NOT_FOUND");
    expect((await emptied.reader().search({ query: "common" }, {})).sources).toHaveLength(1);
  });

  it("invariant 3: gets NOT_FOUND where all that it might search are gone, and no empty answer", async () => {
    await using emptied = await library({ upstreams: spread, tenant: all });
    const gone = { status: 404, body: { error: { code: "NOT_FOUND" } } };
    for (const name of ["main", "second"] as const) emptied.upstream(name).on("getKnowledgeBase", gone);
    expect((await codeOf(emptied.reader().search({ query: "common" }, {}))).code).toBe("NOT_FOUND");
  });

  it("gets FORBIDDEN of a named one without the operation, and from all where no other is left", async () => {
    const operations = ["list_tree" as const];
    const tenant = { grants: [{ knowledgeBases: ["ants"] }, { knowledgeBases: ["bees"], operations }] };
    await using shelves = await library({ upstreams: spread, tenant });
    const page = await shelves.reader().search({ query: "common", knowledgeBases: ["ants", "bees"] }, {});
    expect(page.sources.map(({ error }) => error?.code ?? null)).toEqual([null, "FORBIDDEN"]);
    expect(shelves.upstream("second").count()).toBe(0);
    const alone = shelves.reader().search({ query: "common", knowledgeBases: ["bees"] }, {});
    expect((await codeOf(alone)).code).toBe("FORBIDDEN");
    await using barred = await library({
      upstreams: spread,
      tenant: { grants: [{ knowledgeBases: ["bees"], operations }] }
    });
    expect((await codeOf(barred.reader().search({ query: "common" }, {}))).details).toEqual({
      operation: "search_files"
    });
  });

  it("without any knowledge base gets an empty page without sources", async () => {
    await using shelves = await library({ upstreams: spread, tenant: { grants: [] } });
    const page = await shelves.reader().search({ query: "common" }, {});
    expect([page.rows, page.sources, page.hasNextPage, page.endCursor()]).toEqual([[], [], false, null]);
  });
});

describe("invariant 10: the number of sources", () => {
  const many = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`kb${index}`, SHELVES.cats]));

  it("is refused above the tenant's searchSources, named or not, and never cut", async () => {
    const tenant = { grants: [{ upstream: "main" }], limits: { searchSources: 4 } };
    await using shelves = await library({ upstreams: { main: many }, tenant });
    const asked = await codeOf(shelves.reader().search({ query: "common", knowledgeBases: Object.keys(many) }, {}));
    expect(shelves.count()).toBe(0);
    const meant = await codeOf(shelves.reader().search({ query: "common" }, {}));
    for (const error of [asked, meant]) {
      expect([error.code, error.details]).toEqual(["VALIDATION_ERROR", { field: "knowledgeBases", limit: 4 }]);
      expect(error.message).toContain("searchSources");
    }
    expect(shelves.upstream("main").count("searchGeneratedFiles")).toBe(0);
    const chosen = { query: "common", knowledgeBases: ["kb0", "kb1", "kb2", "kb3"] };
    expect((await shelves.reader().search(chosen, {})).sources).toHaveLength(4);
    expect((await codeOf(shelves.reader().search({ query: "common", knowledgeBases: [] }, {}))).code).toBe(
      "VALIDATION_ERROR"
    );
  });

  it("counts against the request's upstream calls, source by source", async () => {
    const tenant = { grants: [{ knowledgeBases: Object.keys(many) }], limits: { upstreamCallsPerRequest: 7 } };
    await using shelves = await library({ upstreams: { main: many }, tenant });
    const { sources } = await shelves.reader().search({ query: "common" }, {});
    const codes = sources.map(({ error }) => error?.code ?? null);
    expect(codes.filter((code) => code === null)).toHaveLength(2);
    expect(codes.filter((code) => code === "QUERY_TOO_COMPLEX")).toHaveLength(3);
    expect(shelves.count()).toBe(7);
  });
});
