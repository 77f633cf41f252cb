import { expect, test } from "vitest";
import type { GatewayError } from "../../src/errors.ts";
import { type ReadingRoomOptions, readingRoom, tenant } from "../harness/reader.ts";

const ID = "knowledge-base-22222222-2222-4222-8222-222222222222";
const pages = [
  { path: "pages/open/a.md", content: "shared words alpha" },
  { path: "pages/open/b.md", content: "shared words beta" },
  { path: "pages/secret/plan.md", content: "shared words gamma", title: "The secret plan" },
  { path: "pages/secret/deep/more.md", content: "shared words delta" }
];
const relations = [
  { from: "pages/open/a.md", to: "pages/open/b.md" },
  { from: "pages/open/a.md", to: "pages/secret/plan.md" },
  // Reached from a only through the plan.
  { from: "pages/secret/plan.md", to: "pages/open/c.md" }
];
const deny = { paths: { deny: ["pages/secret/**"] } };
const knowledgeBases = [
  {
    id: ID,
    pages: [...pages, { path: "pages/open/c.md", content: "third" }, { path: "pages/open/lone.md" }],
    relations
  }
];

const room = (grant: Record<string, unknown> = deny, options: Partial<ReadingRoomOptions> = {}) =>
  readingRoom({ knowledgeBases, tenants: { acme: tenant(grant) }, ...options });

const reader = async (lab: Awaited<ReturnType<typeof room>>) => lab.reader().knowledgeBase(ID);

test("invariant 2: what is hidden, absent or not granted is one error, byte for byte", async () => {
  await using lab = await room();
  const kb = await reader(lab);
  const hidden = lab.fake.fileId("pages/secret/plan.md");
  const absent = "source-file-00000000-0000-4000-8000-000000000000";
  const asks = (fileId: string, path: string) => [
    async () => kb.file(fileId),
    () => kb.fileByPath(path),
    () => kb.content({ fileId }),
    () => kb.content({ path }),
    () => kb.related(fileId, {}),
    () => kb.expand({ fileId }, {})
  ];
  const bodies = await Promise.all(
    [...asks(hidden, "pages/secret/plan.md"), ...asks(absent, "pages/open/none.md")].map((ask) =>
      ask().then(
        () => "an answer",
        (error: GatewayError) => JSON.stringify([error.body(), error.requestId])
      )
    )
  );
  expect(new Set(bodies).size).toBe(1);
  expect(bodies[0]).toContain("NOT_FOUND");
});

test("invariant 2: a knowledge base that is not granted costs no upstream request", async () => {
  await using lab = await readingRoom({
    knowledgeBases: [...knowledgeBases, { id: "knowledge-base-other", pages }],
    slugs: ["mine", "other"],
    tenants: { acme: { grants: [{ knowledgeBases: ["mine"] }] } }
  });
  for (const key of ["other", "knowledge-base-other", "nothing", "..", "a/b"]) {
    await expect(lab.reader().knowledgeBase(key)).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect(lab.fake.count()).toBe(0);
});

test.each([
  [
    "413",
    { status: 413, body: { error: { code: "PAYLOAD_TOO_LARGE", message: "x", httpStatus: 413 }, requestId: "req-1" } }
  ],
  ["503", { status: 503, body: { error: { code: "DATABASE_REPOSITORY_UNAVAILABLE", message: "x", httpStatus: 503 } } }],
  ["500", { status: 500, body: { error: { code: "INTERNAL_ERROR" } } }]
])("invariant 2: an answer that cannot prove a visible path (%s) is NOT_FOUND", async (_name, answer) => {
  await using lab = await room();
  lab.fake.on("getFileById", answer);
  lab.fake.on("getFileContentByPath", answer);
  const kb = await reader(lab);
  await expect(kb.content({ fileId: lab.fake.fileId("pages/open/a.md") })).rejects.toMatchObject({ code: "NOT_FOUND" });
  await expect(kb.content({ path: "pages/open/a.md" })).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("invariant 2: a connection that fails stays the error it is", async () => {
  await using lab = await room();
  const kb = await reader(lab);
  await kb.detail();
  lab.fake.on("getFileById", { fault: "hang" });
  const late = lab.reader({ deadline: Date.now() + 50 });
  await expect((await late.knowledgeBase(ID)).file("source-file-1")).rejects.toMatchObject({
    code: "UPSTREAM_TIMEOUT"
  });
});

test("invariant 2: search gives no hidden hit, relation, path or count", async () => {
  await using lab = await room();
  const page = await (await reader(lab)).search({ query: "shared words" }, {});
  const text = JSON.stringify([page.body, page.rows]);
  expect(page.rows.map((row) => row.path)).toEqual(["pages/open/a.md", "pages/open/b.md"]);
  expect(text).not.toMatch(/secret|gamma|delta|plan/);
  expect(page.body).toMatchObject({ resultSummary: { resultCount: 2, hasMore: false }, graphSummary: null });
});

test("invariant 2: a search whose hits are all hidden looks like one without hits", async () => {
  await using lab = await room();
  const kb = await reader(lab);
  const hidden = await kb.search({ query: "gamma" }, {});
  const none = await kb.search({ query: "zzz" }, {});
  const shape = (body: unknown) => JSON.stringify(body).replaceAll("gamma", "zzz");
  expect(shape(hidden.body)).toBe(shape(none.body));
  expect([hidden.hasNextPage, hidden.endCursor()]).toEqual([none.hasNextPage, none.endCursor()]);
});

test("invariant 2: a generated file whose text names a hidden page is no hit, even for words that it holds", async () => {
  await using lab = await room({ paths: { allow: ["pages/**", "_graph/**"], deny: ["pages/secret/**"] } });
  const page = await (await reader(lab)).search({ query: "gamma by-file", fileKind: "all" }, {});
  const graphFiles = page.rows.map((row) => row.path).filter((path) => path.startsWith("_graph/by-file/open"));
  expect(graphFiles).toEqual(["_graph/by-file/open/b.json", "_graph/by-file/open/lone.json"]);
  expect(JSON.stringify([page.body, page.rows])).not.toMatch(/secret|plan/);
});

test("invariant 2: a hit's relationships are those that its own expansion would show", async () => {
  await using lab = await readingRoom({
    knowledgeBases,
    tenants: {
      acme: {
        grants: [
          { upstream: "main", operations: ["search_files"] },
          { upstream: "main", operations: ["expand_graph"], paths: { allow: ["pages/open/b.md"] } }
        ]
      }
    }
  });
  const kb = await reader(lab);
  await expect(kb.expand({ fileId: lab.fake.fileId("pages/open/a.md") }, {})).rejects.toMatchObject({
    code: "NOT_FOUND"
  });
  const page = await kb.search({ query: "alpha" }, {});
  expect(page.rows[0]?.graphContext?.relationships).toEqual([]);
});

test("invariant 2: a hit that was reached from a hidden file is hidden, and one from a visible file is not", async () => {
  await using lab = await room();
  const kb = await reader(lab);
  const paths = async (seed: string) => {
    lab.fake.on("searchGeneratedFiles", (_request, model) => {
      const answer = structuredClone(model()) as { body: { items: { graphContext: { seedSourceFileId: string } }[] } };
      for (const hit of answer.body.items) hit.graphContext.seedSourceFileId = lab.fake.fileId(seed);
      return answer;
    });
    lab.fake.knowledgeBase().publish();
    lab.pass(2000);
    const page = await (await reader(lab)).search({ query: "alpha" }, {});
    return page.rows.map((row) => row.path);
  };
  await kb.detail();
  expect(await paths("pages/secret/plan.md")).toEqual([]);
  expect(await paths("pages/open/b.md")).toEqual(["pages/open/a.md"]);
});

test("invariant 2: a hit tells nothing of the relations that it may have been found through", async () => {
  const found = async (told: Record<string, unknown>, grant = deny) => {
    await using asked = await room(grant);
    asked.fake.on("searchGeneratedFiles", (_request, model) => {
      const answer = structuredClone(model()) as { body: { items: object[] } };
      for (const hit of answer.body.items) Object.assign(hit, told);
      return answer;
    });
    const { rows } = await (await reader(asked)).search({ query: "alpha" }, {});
    return rows.map((row) => Object.fromEntries(Object.keys(told).map((name) => [name, row[name]])));
  };
  const excerpt = "a.md\nThe secret plan\nsecret/plan.md\nreferences";
  const edge = {
    matchType: "graph_edge",
    matchedFields: ["file_relationship"],
    evidenceTypes: ["file_relationship"],
    sourceExcerpt: excerpt
  };
  expect(await found(edge)).toEqual([]);
  expect(await found({ matchType: "graph_edge", evidenceTypes: null })).toEqual([]);
  expect(await found(edge, { paths: { deny: [] } })).toEqual([edge]);

  const told = (families: string[], matchType: string, sourceExcerpt: string | null) => ({
    matchType,
    matchedFields: families,
    evidenceTypes: families,
    sourceExcerpt
  });
  expect(await found(told(["content", "file_relationship", "graph_node"], "hybrid", "own words"))).toEqual([
    told(["content", "graph_node"], "hybrid", "own words")
  ]);
  expect(await found(told(["content", "file_relationship"], "hybrid", "own words"))).toEqual([
    told(["content"], "file_direct", "own words")
  ]);
  expect(await found(told(["file_relationship", "title"], "hybrid", excerpt))).toEqual([
    told(["title"], "file_direct", null)
  ]);
  expect(await found(told(["graph_node"], "graph_neighbor", excerpt))).toEqual([
    told(["graph_node"], "graph_neighbor", null)
  ]);
  expect(await found(told(["title"], "file_direct", "Its title"))).toEqual([
    told(["title"], "file_direct", "Its title")
  ]);
});

test("invariant 2: what is said of no related files does not tell none from none visible", async () => {
  await using lab = await room({ paths: { deny: ["pages/secret/**", "pages/open/b.md"] } });
  const kb = await reader(lab);
  lab.fake.on("listRelatedFiles", (_request, model) => {
    const answer = model() as { body: { items: unknown[] } };
    const empty = { message: "No related files.", nextActions: ["Search."] };
    return answer.body.items.length > 0 ? answer : { ...answer, body: { ...answer.body, ...empty } };
  });
  const bodyOf = async (path: string) => {
    const { body } = await kb.related(lab.fake.fileId(path), {});
    return { ...body, fileId: "", sourceFileId: "" };
  };
  const [hidden, none] = [await bodyOf("pages/open/a.md"), await bodyOf("pages/open/lone.md")];
  expect(hidden).toEqual(none);
});

test("invariant 2: related and expanded files stop at a hidden one", async () => {
  await using lab = await room();
  const kb = await reader(lab);
  const fileId = lab.fake.fileId("pages/open/a.md");
  const related = await kb.related(fileId, {});
  expect(related.rows.map((row) => row.path)).toEqual(["pages/open/b.md"]);
  const expansion = await kb.expand({ fileId, depth: 2 }, {});
  expect(expansion.rows.map((row) => row.path)).toEqual(["pages/open/b.md"]);
  expect(JSON.stringify(expansion.body)).not.toMatch(/secret|plan|open\/c/);
  expect(expansion.body?.resultSummary).toMatchObject({ relationshipCount: 1, hasMore: false });
});

test("invariant 2: a directory with nothing visible does not appear, and counts are not told", async () => {
  await using lab = await room();
  const kb = await reader(lab);
  const { rows } = await kb.tree({ parentPath: "pages" }, {});
  expect(rows.map((row) => row.path)).toEqual(["pages/open"]);
  expect(rows[0]).toMatchObject({ descendantFileCount: null, directEntryCount: null });
  await expect(kb.directory("pages/secret")).rejects.toMatchObject({ code: "NOT_FOUND" });
  const before = lab.fake.countReads();
  const [hidden, absent] = [
    await kb.tree({ parentPath: "pages/secret" }, {}),
    await kb.tree({ parentPath: "pages/secret/none" }, {})
  ];
  expect(hidden.body).toEqual(absent.body);
  expect(lab.fake.countReads()).toBe(before);
});

test("invariant 2: where rules do not decide, a directory is probed, and the probe is bounded", async () => {
  const deepPages = Array.from({ length: 12 }, (_, index) => ({
    path: `pages/d/${"x/".repeat(index)}hidden${index}.md`
  }));
  await using lab = await room(
    { paths: { allow: ["pages/*/**/open.md"] } },
    { knowledgeBases: [{ id: ID, pages: [...deepPages, { path: "pages/e/x/open.md" }] }] }
  );
  const { rows } = await (await reader(lab)).tree({ parentPath: "pages" }, {});
  expect(rows.map((row) => row.path)).toEqual(["pages/e"]);
  expect(lab.fake.count("listKnowledgeBaseTree")).toBeLessThanOrEqual(1 + 5 + 5);
});

test("invariant 2: generated files are closed to a caller with path rules, and open to one without", async () => {
  await using lab = await room();
  const kb = await reader(lab);
  for (const path of ["index.md", "log.md", "_graph/by-file/secret/plan.json", "_graph/by-file/open/a.json"]) {
    await expect(kb.content({ path })).rejects.toMatchObject({ code: "NOT_FOUND" });
  }
  expect((await kb.tree({}, {})).rows.map((row) => row.path)).toEqual(["pages"]);
  await using free = await room({});
  expect((await (await reader(free)).content({ path: "index.md" })).file.path).toBe("index.md");
});

test("invariant 2: a graph file that a rule names stays closed where its text names a hidden page", async () => {
  await using lab = await room({ paths: { allow: ["pages/**", "_graph/by-file/**"], deny: ["pages/secret/**"] } });
  const kb = await reader(lab);
  await expect(kb.content({ path: "_graph/by-file/open/a.json" })).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect((await kb.content({ path: "_graph/by-file/open/b.json" })).content).toContain("pages/open/a.md");
});

test("readActions that the caller cannot follow are null", async () => {
  await using lab = await room({ operations: ["list_tree", "get_file"] });
  const kb = await reader(lab);
  const file = await kb.file(lab.fake.fileId("pages/open/a.md"));
  expect(file.readActions).toMatchObject({
    fileContentById: null,
    fileContentByPath: null,
    relatedFilesById: null,
    graphExpansionByFileId: null,
    sourceFileStatusById: null
  });
  expect(file.readActions?.fileDetailById).toContain(file.fileId);
  await expect(kb.content({ fileId: file.fileId })).rejects.toMatchObject({
    code: "FORBIDDEN",
    details: { operation: "read_file" }
  });
});

test("invariant 3: a search in a knowledge base that does not exist is NOT_FOUND", async () => {
  await using lab = await room({});
  const kb = await lab.reader().knowledgeBase("knowledge-base-00000000-0000-4000-8000-000000000000");
  await expect(kb.search({ query: "cache" }, {})).rejects.toMatchObject({ code: "NOT_FOUND" });
});

test("invariant 3: a search that lost all its evidence is an error, not an empty result", async () => {
  await using lab = await room({});
  lab.fake.evidence = "none";
  await expect((await reader(lab)).search({ query: "alpha" }, {})).rejects.toMatchObject({
    code: "SEARCH_UNAVAILABLE",
    details: { reason: "ALL_EVIDENCE_DEGRADED" }
  });
});

test("a knowledge base without content is empty, and says so where a file is asked for", async () => {
  await using lab = await readingRoom({ knowledgeBases: [{ id: ID }] });
  const kb = await lab.reader().knowledgeBase(ID);
  expect((await kb.tree({}, {})).rows).toEqual([]);
  expect((await kb.search({ query: "cache" }, {})).rows).toEqual([]);
  await expect(kb.overview()).rejects.toMatchObject({ code: "NOT_FOUND", details: { reason: "NO_CONTENT_YET" } });
});

test("invariant 8: first is refused above the maximum and below zero, and zero asks nothing", async () => {
  await using lab = await room({});
  const kb = await reader(lab);
  const fileId = lab.fake.fileId("pages/open/a.md");
  const lists: [number, (first: number) => Promise<{ rows: readonly unknown[]; hasNextPage: boolean }>][] = [
    [50, (first) => kb.search({ query: "alpha" }, { first })],
    [500, (first) => kb.tree({}, { first })],
    [200, (first) => kb.related(fileId, { first })],
    [200, (first) => kb.expand({ fileId }, { first })],
    [200, (first) => lab.reader().knowledgeBases({ first })]
  ];
  for (const [maximum, list] of lists) {
    for (const first of [-1, maximum + 1, 2147483647, 1.5]) {
      await expect(list(first)).rejects.toMatchObject({
        code: "VALIDATION_ERROR",
        details: { field: "first", limit: maximum }
      });
    }
    expect(await list(0)).toMatchObject({ rows: [], hasNextPage: true });
  }
  expect(lab.fake.count()).toBe(0);
});

test.each([
  "..",
  ".",
  "",
  "../../other/files/x",
  "%2e%2e",
  "a/b",
  "x?limit=1",
  "x#y",
  "content",
  "search",
  "a\r\nb",
  "\ud800",
  "x".repeat(5000)
])("invariant 9: the id %j is refused without an upstream request", async (fileId) => {
  await using lab = await room({});
  const kb = await reader(lab);
  for (const ask of [
    () => kb.file(fileId),
    () => kb.content({ fileId }),
    () => kb.related(fileId, {}),
    () => kb.expand({ fileId }, {})
  ]) {
    await expect(ask()).rejects.toMatchObject({ code: "VALIDATION_ERROR", details: { field: "fileId" } });
  }
  expect(lab.fake.count()).toBe(0);
});

test("knowledge bases of several grants are one list, each with its key", async () => {
  await using lab = await readingRoom({
    knowledgeBases: [
      { id: ID, pages },
      { id: "knowledge-base-b", pages },
      { id: "knowledge-base-c", pages }
    ],
    slugs: ["first", "second"],
    tenants: { acme: { grants: [{ knowledgeBases: ["second", "first"] }] }, whole: tenant() }
  });
  const list = async (name: string, first: number, after?: string | null) =>
    lab.reader({ tenant: name }).knowledgeBases({ first, after });
  expect((await list("acme", 50)).rows.map((row) => row.key)).toEqual(["first", "second"]);
  const one = await list("whole", 2);
  const two = await list("whole", 2, one.endCursor());
  expect([...one.rows, ...two.rows].map((row) => row.key)).toEqual(["first", "second", "knowledge-base-c"]);
  expect([one.hasNextPage, two.hasNextPage]).toEqual([true, false]);
  await expect(list("acme", 2, one.endCursor())).rejects.toMatchObject({ details: { field: "cursor", restart: true } });
});
