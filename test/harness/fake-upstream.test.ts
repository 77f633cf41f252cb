import { expect, test } from "vitest";
import { type FakeUpstream, fakeUpstream, rateLimited } from "./fake-upstream.ts";
import { loadRecordings, RECORDINGS_ABSENT, recordingsFolder } from "./recordings.ts";

const PAGES = ["pages/guides/cache.md", "pages/guides/deep/token.md", "pages/index.txt.md", "pages/notes/缓存 指南.md"];

async function get(upstream: FakeUpstream, path: string, signal?: AbortSignal) {
  const response = await fetch(`${upstream.url}/openapi/v2${path}`, {
    headers: { authorization: `Bearer ${upstream.key}` },
    redirect: "manual",
    signal: signal ?? null
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
}

function sample(options: Parameters<typeof fakeUpstream>[0] = {}) {
  return fakeUpstream({
    knowledgeBases: [
      {
        id: "kb-one",
        pages: PAGES.map((path) => ({ path })),
        relations: PAGES.slice(1).map((to) => ({ from: String(PAGES[0]), to, relationType: "references" }))
      },
      { id: "kb-empty" }
    ],
    ...options
  });
}

test("a test decides an answer, counts what was asked, and takes the decision back", async () => {
  await using upstream = await sample();
  const undo = upstream.on("listKnowledgeBaseTree", rateLimited(15));
  expect((await get(upstream, "/knowledge-bases/kb-one/tree")).headers.get("retry-after")).toBe("15");
  undo();
  upstream.on("getFileById", (_request, model) => ({ ...model(), headers: { "x-test": "yes" } }), 1);
  const file = `/knowledge-bases/kb-one/files/${upstream.fileId("pages/guides/cache.md")}`;
  expect((await get(upstream, file)).headers.get("x-test")).toBe("yes");
  expect((await get(upstream, file)).headers.get("x-test")).toBeNull();
  expect((await get(upstream, "/knowledge-bases/kb-one")).status).toBe(200);
  expect([upstream.count(), upstream.count("getFileById"), upstream.countReads()]).toEqual([4, 2, 3]);
});

test("a tree walk gives each entry once, and a tree cursor dies with its revision", async () => {
  await using upstream = await sample();
  const walked: string[] = [];
  let cursor = "";
  do {
    const { body } = await get(upstream, `/knowledge-bases/kb-one/tree?parentPath=pages&limit=2&cursor=${cursor}`);
    walked.push(...body.items.map((item: { path: string }) => item.path));
    cursor = body.nextCursor ?? "";
  } while (cursor !== "");
  const whole = (await get(upstream, "/knowledge-bases/kb-one/tree?parentPath=pages")).body.items;
  expect(walked).toEqual(whole.map((item: { path: string }) => item.path));
  expect(walked).toContain("pages/guides");
  const first = await get(upstream, "/knowledge-bases/kb-one/tree?parentPath=pages&limit=2");
  upstream.knowledgeBase().publish();
  const next = await get(
    upstream,
    `/knowledge-bases/kb-one/tree?parentPath=pages&limit=2&cursor=${first.body.nextCursor}`
  );
  expect([next.status, next.body.error.details]).toEqual([422, { field: "cursor" }]);
});

test("related, expanded and searched pages go on over a new revision without a word", async () => {
  await using upstream = await sample();
  const id = upstream.fileId("pages/guides/cache.md");
  for (const path of [`files/${id}/related?`, `graph/expand?fileId=${id}&`, "files/search?query=pages&"]) {
    const first = await get(upstream, `/knowledge-bases/kb-one/${path}limit=1`);
    upstream.knowledgeBase().publish();
    const second = await get(upstream, `/knowledge-bases/kb-one/${path}limit=1&cursor=${first.body.nextCursor}`);
    expect([path, second.status, second.body.activeContentRevision]).toEqual([
      path,
      200,
      first.body.activeContentRevision + 1
    ]);
  }
});

test("empty, missing and degraded look as they do upstream", async () => {
  await using upstream = await sample();
  expect((await get(upstream, "/knowledge-bases/kb-empty/tree")).body).toEqual({
    activeContentRevision: null,
    items: [],
    nextCursor: null
  });
  expect((await get(upstream, "/knowledge-bases/kb-empty/graph/overview")).status).toBe(404);
  expect((await get(upstream, "/knowledge-bases/missing/tree")).status).toBe(404);
  const missing = await get(upstream, "/knowledge-bases/missing/files/search?query=cache");
  expect([missing.status, missing.body.items, missing.body.activeContentRevision]).toEqual([200, [], null]);
  upstream.evidence = "none";
  const degraded = (await get(upstream, "/knowledge-bases/kb-one/files/search?query=cache")).body;
  expect([degraded.items, degraded.searchStatus, degraded.evidenceStatus.completedFamilies]).toEqual([
    [],
    "no_candidates",
    []
  ]);
});

test("limits are refused in the recorded words, lowered maxima included", async () => {
  await using upstream = await sample({ maxima: { tree: 20 } });
  const tree = await get(upstream, "/knowledge-bases/kb-one/tree?limit=21");
  expect(tree.body.error).toMatchObject({ code: "VALIDATION_ERROR", details: { field: "limit" } });
  const search = await get(upstream, "/knowledge-bases/kb-one/files/search?query=cache&limit=51");
  expect(search.body.error.details).toEqual({ code: "INVALID_FILE_SEARCH_LIMIT" });
});

test("an abort is seen, and a hung answer never comes", async () => {
  await using upstream = await sample();
  upstream.on("getVersion", { fault: "hang" });
  const abort = new AbortController();
  const asked = get(upstream, "/version", abort.signal);
  await upstream.until(() => upstream.count() === 1);
  abort.abort();
  await expect(asked).rejects.toThrow();
  await upstream.until(() => upstream.requests[0]?.aborted === true);
});

test.skipIf(recordingsFolder() === null)(
  `has the recorded answers' fields (${RECORDINGS_ABSENT} if skipped)`,
  async () => {
    const recorded = new Map(loadRecordings().map(({ name, response }) => [name, response.body]));
    await using upstream = await sample();
    const id = upstream.fileId("pages/guides/cache.md");
    const pairs: [string, string][] = [
      ["knowledge-bases.page1", "/knowledge-bases?limit=1"],
      ["knowledge-bases.detail", "/knowledge-bases/kb-one"],
      ["tree.page1", "/knowledge-bases/kb-one/tree?parentPath=pages&limit=3"],
      ["files.detail-page", `/knowledge-bases/kb-one/files/${id}`],
      ["files.content-page", `/knowledge-bases/kb-one/files/${id}/content`],
      ["related.page1", `/knowledge-bases/kb-one/files/${id}/related?limit=2`],
      ["graph.expand-page1", `/knowledge-bases/kb-one/graph/expand?fileId=${id}&limit=2`],
      ["graph.overview", "/knowledge-bases/kb-one/graph/overview"],
      ["search.page1", "/knowledge-bases/kb-one/files/search?query=pages&limit=2"],
      ["search.mode-file", "/knowledge-bases/kb-one/files/search?query=pages&mode=file"],
      ["search.no-candidates", "/knowledge-bases/kb-one/files/search?query=zzqqxxyy"],
      ["search.empty-kb", "/knowledge-bases/kb-empty/files/search?query=cache"]
    ];
    for (const [name, path] of pairs) {
      expect(recorded.has(name), name).toBe(true);
      expect({ name, fields: fields((await get(upstream, path)).body) }).toEqual({
        name,
        fields: fields(recorded.get(name))
      });
    }
  }
);

/** Every name in an answer, with `[]` for what is in a list; maps with open names are not entered. */
function fields(value: unknown, at = ""): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((item) => fields(item, `${at}[]`)))].sort();
  if (typeof value !== "object" || value === null) return [];
  const below = Object.entries(value).flatMap(([name, inner]) =>
    name === "frontmatter" ? [`${at}.${name}`] : [`${at}.${name}`, ...fields(inner, `${at}.${name}`)]
  );
  return [...new Set(below)].sort();
}
