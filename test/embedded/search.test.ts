import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddedUpstream } from "../../src/embedded/embedded.ts";
import { SearchCursors } from "../../src/embedded/search-cursors.ts";
import { startEmbeddedSample } from "../contract/sample.ts";
import { fetchReply } from "../contract/world.ts";
import { type Json, manyPages, Served } from "./folder.ts";

const paths = (body: Json): string[] => body.items.map((item: Json) => item.path);

describe("questions of everyday words, asked of the sample", () => {
  let sample: EmbeddedUpstream;
  beforeAll(async () => {
    sample = await startEmbeddedSample();
  });
  afterAll(() => sample?.close());

  test.for<[slug: string, question: string, path: string]>([
    ["engineering", "How do I restore a backup after a failed deployment?", "pages/operations/backup-and-restore.md"],
    ["engineering", "what should I do when a deployment went wrong", "pages/operations/deployments.md"],
    ["engineering", "who gets woken up at night if something breaks?", "pages/operations/incident-response.md"],
    ["engineering", "why do we keep raw readings for only a year", "pages/decisions/0015-retention.md"],
    ["engineering", "how do I authenticate against the API?", "pages/api/authentication.md"],
    ["engineering", "缓存一致性如何保证", "pages/architecture/数据校验.md"],
    ["engineering", "当番の手順", "pages/operations/当番手順.md"],
    ["handbook", "I have lost my laptop, what now?", "pages/security/lost-laptop.md"],
    ["handbook", "How many days of holiday do I have?", "pages/people/time-off.md"],
    ["handbook", "how do I get my money back for a train ticket?", "pages/people/expenses.md"],
    ["handbook", "横浜オフィスへの出張", "pages/日本オフィス/出張ガイド.md"]
  ])("%s: %s", async ([slug, question, path]) => {
    const { id } = sample.knowledgeBases.find((held) => held.slug === slug) ?? { id: "" };
    const query = `query=${encodeURIComponent(question)}`;
    const world = { url: sample.url, key: sample.apiKey };
    const { body } = await fetchReply(world, `/openapi/v2/knowledge-bases/${id}/files/search?${query}`);
    expect(body.items[0].path).toBe(path);
    expect(body.items[0].sourceExcerpt).toMatch(/<em>/);
  });
});

const PAGES = {
  "kb/tides/spring.md":
    "---\ntitle: Spring tides\ndescription: When sun and moon pull together.\ntags: [moon]\ntype: explanation\n---\n\nThe range is largest.\n\nSee [neap](neap.md).",
  "kb/tides/neap.md": "---\ntitle: Neap tides\ntags: [moon]\n---\n\nThe range is smallest, says the almanac.",
  "kb/harbour.md": "# Harbour\n\nBoats wait for the spring. The range matters here.",
  "kb/lonely.md": "# Lonely\n\nNothing links here."
};

describe("what a hit says of itself", () => {
  test("fields and evidence are those that matched", async () => {
    await using served = await Served.start(PAGES);
    const { items } = await served.search("almanac", "&mode=file");
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({
      matchedFields: ["content"],
      evidenceTypes: ["content"],
      matchType: "file_direct"
    });
    const [hit] = (await served.search("moon", "&mode=file")).items;
    expect([hit.matchedFields, hit.evidenceTypes]).toEqual([["description", "metadata"], ["metadata"]]);
    expect(hit.sourceExcerpt).toBeNull();
  });

  test("a page that is linked to a good hit is one as well, in hybrid search alone", async () => {
    await using served = await Served.start(PAGES);
    const hybrid = (await served.search("almanac")).items;
    expect(hybrid.map((item: Json) => [item.path, item.matchType])).toEqual([
      ["pages/tides/neap.md", "file_direct"],
      ["pages/tides/spring.md", "graph_edge"]
    ]);
    expect(hybrid[1]).toMatchObject({ evidenceTypes: ["file_relationship"], sourceExcerpt: null });
    expect(paths(await served.search("almanac", "&mode=file"))).toEqual(["pages/tides/neap.md"]);
    expect(paths(await served.search("almanac", "&graphDepth=0"))).toEqual(["pages/tides/neap.md"]);
  });

  test("graph search finds nodes by their names, then what relates to them, and nothing without relations", async () => {
    await using served = await Served.start(PAGES);
    const { items } = await served.search("neap", "&mode=graph");
    expect(items.map((item: Json) => [item.path, item.matchType, item.evidenceTypes])).toEqual([
      ["pages/tides/neap.md", "graph_node", ["graph_node"]],
      ["pages/tides/spring.md", "graph_neighbor", ["file_relationship"]]
    ]);
    expect((await served.search("lonely rocks", "&mode=graph")).searchStatus).toBe("no_candidates");
    expect((await served.search("almanac", "&mode=graph")).items).toEqual([]);
  });

  test("a page without relations has no graph context", async () => {
    await using served = await Served.start(PAGES);
    const [hit] = (await served.search("lonely")).items;
    expect(hit.graphContext).toBeUndefined();
  });

  test("a title that is the question comes first, a path that is it before that", async () => {
    await using served = await Served.start({
      ...PAGES,
      "kb/range.md": "# Other\n\nx",
      "kb/largest.md": "# range.md\n\nx"
    });
    const { items } = await served.search("range.md");
    expect(paths({ items }).slice(0, 2)).toEqual(["pages/range.md", "pages/largest.md"]);
    expect(items[0].matchedFields).toContain("path");
    expect(items[1].matchedFields).toContain("title");
    expect(paths(await served.search("SPRING TIDES", "&scope=path"))).toEqual(["pages/tides/spring.md"]);
  });

  test("metadata is title, description, tags and the rest of the frontmatter, and no text", async () => {
    await using served = await Served.start(PAGES);
    const { items, evidenceStatus } = await served.search("explanation", "&scope=metadata");
    expect(items.map((item: Json) => [item.path, item.matchedFields])).toEqual([
      ["pages/tides/spring.md", ["metadata"]]
    ]);
    expect(evidenceStatus.completedFamilies).toEqual(["lexical"]);
    expect((await served.search("almanac", "&scope=metadata")).items).toEqual([]);
  });

  test("words are found in other forms, and without their accents", async () => {
    await using served = await Served.start({
      "kb/a.md": "# Café\n\nThe pilots restored the beacon.",
      "kb/b.md": "# Other"
    });
    for (const query of ["restoring", "pilot", "cafe", "CAFÉ", "beac"]) {
      expect([query, paths(await served.search(query))]).toEqual([query, ["pages/a.md"]]);
    }
  });

  test("a question of everyday words alone still asks for them", async () => {
    await using served = await Served.start({ "kb/a.md": "# A\n\nThe band The The." });
    expect(paths(await served.search("the the"))).toEqual(["pages/a.md"]);
  });
});

describe("okf filters", () => {
  const stamped = (title: string, fields: string) => `---\ntitle: ${title}\n${fields}\n---\nretention`;
  const OKF = {
    "kb/plain.md": "# Plain\n\nretention",
    "kb/draft.md": stamped("Draft", "status: draft"),
    "kb/odd.md": stamped("Odd", "status: odd"),
    "kb/machine.md": stamped(
      "Machine",
      'verified: [{ by: "process:x", at: 2026-01-01T00:00:00Z }]\nstale_after: 2020-01-01'
    ),
    "kb/human.md": stamped("Human", 'verified: [{ by: "human:x", at: 2026-01-01T00:00:00Z }]\nstale_after: 2999-01-01')
  };

  test.for<[string, string[]]>([
    ["okfStatus=stable", ["human", "machine", "plain"]],
    ["okfStatus=draft", ["draft"]],
    ["okfStatus=deprecated", []],
    ["okfTrustTier=unverified", ["draft", "odd", "plain"]],
    ["okfTrustTier=machine-confirmed", ["machine"]],
    ["okfTrustTier=human-reviewed", ["human"]],
    ["okfFreshness=fresh", ["human"]],
    ["okfFreshness=stale", ["machine"]],
    ["okfStatus=stable&okfFreshness=fresh&okfTrustTier=unverified", []]
  ])("%s", async ([filter, names]) => {
    await using served = await Served.start(OKF);
    const found = await served.search("retention", `&${filter}`);
    expect(paths(found).sort()).toEqual(names.map((name) => `pages/${name}.md`));
    expect(found.searchStatus).toBe(names.length === 0 ? "no_candidates" : "ok");
  });
});

describe("query rules beyond the recorded ones", () => {
  test.for<[string, string, string | null]>([
    ["one character", "缓", "FILE_SEARCH_QUERY_TOO_SHORT"],
    ["one emoji of seven code points", "👨‍👩‍👧‍👦", "FILE_SEARCH_QUERY_TOO_SHORT"],
    ["512 characters of three bytes", "缓".repeat(512), null],
    ["512 emoji of eight bytes", "👍🏽".repeat(512), "FILE_SEARCH_QUERY_TOO_LONG"],
    ["U+0085", "a\u0085b", "INVALID_FILE_SEARCH_QUERY"],
    ["a tab", "a\tb", null]
  ])("%s", async ([, query, code]) => {
    await using served = await Served.start(PAGES);
    const { body, status } = await served.get(`KB/files/search?query=${encodeURIComponent(query)}`);
    expect([status, body.error?.details.code ?? null]).toEqual([code === null ? 200 : 422, code]);
  });

  test("reranking everything asks for as many candidates as results", async () => {
    await using served = await Served.start(PAGES);
    const { query } = await served.search("range", "&rerank=true&limit=50");
    expect(query).toMatchObject({ limit: 50, rerankTopK: 50 });
  });
});

describe("search cursors", () => {
  const MANY = manyPages("kb/many", 30, (index) => `# Page ${index}\n\nbeacon ${"filler ".repeat(index)}`);

  test("serve any limit and graph depth, again and again, and no other question", async () => {
    await using served = await Served.start({ ...MANY, "other/a.md": "# beacon" });
    const { nextCursor } = (await served.get("KB:kb/files/search?query=beacon&limit=10")).body;
    const again = async (more: string) =>
      (await served.get(`KB:kb/files/search?query=beacon&cursor=${nextCursor}${more}`)).body;
    const second = await again("&limit=10");
    expect(paths(await again("&limit=10&graphDepth=2"))).toEqual(paths(second));
    expect(paths(await again("&limit=5"))).toEqual(paths(second).slice(0, 5));
    expect(second.query.cursorProvided).toBe(true);
    for (const more of ["&mode=file", "&scope=metadata", "&okfStatus=stable", "&rerank=true"]) {
      expect([more, (await again(more)).error?.details]).toEqual([more, { field: "cursor" }]);
    }
    const elsewhere = await served.get(`KB:other/files/search?query=beacon&cursor=${nextCursor}`);
    expect(elsewhere.body.error.details).toEqual({ field: "cursor" });
  });

  test("end when their time is over", async () => {
    await using served = await Served.start(MANY, { searchCursorSeconds: 0 });
    const { nextCursor } = await served.search("beacon");
    const { status, body } = await served.get(`KB/files/search?query=beacon&cursor=${nextCursor}`);
    expect([status, body.error.details]).toEqual([422, { field: "cursor" }]);
  });

  test("are bounded in number: the oldest gives way", () => {
    const cursors = new SearchCursors(900);
    const place = { question: "q", hits: [], offset: 0 };
    const issued = Array.from({ length: 1_001 }, () => cursors.issue(place));
    expect(() => cursors.open(issued[0] ?? "", "q")).toThrow("cursor");
    for (const kept of [issued[1], issued.at(-1)]) expect(cursors.open(kept ?? "", "q")).toMatchObject(place);
  });
});
