/** The schema over the real reader and an upstream over HTTP: what selections cost there, and how its states show. */
import { describe, expect, it } from "vitest";
import { encodeNodeId } from "../../src/graphql/global-id.ts";
import { type ReadingRoom, readingRoom } from "../harness/reader.ts";
import { type Answer, Client } from "./client.ts";
import {
  BrowseTreeDocument,
  ExpandGraphDocument,
  GraphOverviewDocument,
  ListKnowledgeBasesDocument,
  ListTitlesDocument,
  OpenResultsDocument,
  ReadFileDocument,
  RefetchDocument,
  RelatedFilesDocument,
  SearchFilesDocument
} from "./generated/graphql.ts";

const pages = Array.from({ length: 50 }, (_, index) => ({
  path: `pages/notes/note-${String(index).padStart(2, "0")}.md`,
  title: `Note ${index}`,
  tags: ["note"],
  content: `# Note ${index}\n\nAbout caches.\n`
}));
const relations = [
  { from: pages[0]?.path ?? "", to: pages[1]?.path ?? "", reason: null },
  { from: pages[0]?.path ?? "", to: pages[2]?.path ?? "", weight: 0.5 }
];
const handbook = { pages, relations };

function over(room: ReadingRoom) {
  return { client: new Client(room.reader({ surface: "graphql" })), key: room.fake.knowledgeBase().id };
}

describe("upstream calls", () => {
  it("are one for a tree's own fields", async () => {
    await using room = await readingRoom({ knowledgeBases: [handbook] });
    const { client, key } = over(room);
    const { errors } = await client.ask(BrowseTreeDocument, { key, parentPath: "pages/notes" });
    expect(errors).toBeUndefined();
    expect(room.fake.countReads()).toBe(1);
  });

  it("are one more for each file whose title is selected", async () => {
    await using room = await readingRoom({ knowledgeBases: [handbook] });
    const { client, key } = over(room);
    const { data, errors } = await client.ask(ListTitlesDocument, { key, parentPath: "pages/notes", first: 50 });
    expect(errors).toBeUndefined();
    expect(data?.knowledgeBase?.tree.edges).toHaveLength(50);
    expect(room.fake.count("listKnowledgeBaseTree")).toBe(1);
    expect(room.fake.count("getFileById")).toBe(50);
    expect(room.fake.countReads()).toBe(51);
  });

  it("are one for a search with titles and tags", async () => {
    await using room = await readingRoom({ knowledgeBases: [handbook] });
    const { client, key } = over(room);
    const { data, errors } = await client.ask(SearchFilesDocument, { key, query: "caches" });
    expect(errors).toBeUndefined();
    expect(data?.knowledgeBase?.search.edges).toHaveLength(10);
    expect(data?.knowledgeBase?.search.edges[0]?.node?.file.tags).toEqual(["note"]);
    expect(room.fake.countReads()).toBe(1);
  });

  it("are one for the same file ten times", async () => {
    await using room = await readingRoom({ knowledgeBases: [handbook] });
    const { client, key } = over(room);
    const by = JSON.stringify(room.fake.fileId("pages/notes/note-03.md"));
    const fields = Array.from(
      { length: 10 },
      (_, index) => `f${index}: file(by: { fileId: ${by} }) { title sizeBytes }`
    );
    const { errors } = await client.ask(`query ($key: String!) { knowledgeBase(key: $key) { ${fields.join(" ")} } }`, {
      key
    });
    expect(errors).toBeUndefined();
    expect(room.fake.countReads()).toBe(1);
  });

  it.each([
    ["the text by id", ReadFileDocument, (fileId: string) => ({ by: { fileId } }), "getFileContentById"],
    ["the text by path", ReadFileDocument, () => ({ by: { path: "pages/notes/note-00.md" } }), "getFileContentByPath"],
    ["related files", RelatedFilesDocument, (fileId: string) => ({ fileId }), "listRelatedFiles"],
    ["the graph around a file", ExpandGraphDocument, (fileId: string) => ({ fileId }), "expandGraph"],
    ["the overview", GraphOverviewDocument, () => ({}), "getGraphOverview"]
  ] as const)("are one for %s", async (_, document, variables, operation) => {
    await using room = await readingRoom({ knowledgeBases: [handbook] });
    const { client, key } = over(room);
    const fileId = room.fake.fileId("pages/notes/note-00.md");
    const { data, errors } = await client.ask<unknown, object>(document.toString(), { key, ...variables(fileId) });
    expect(errors).toBeUndefined();
    expect(data).toMatchObject({ knowledgeBase: expect.anything() });
    expect(room.fake.count(operation)).toBe(1);
    expect(room.fake.countReads()).toBe(1);
  });

  it("are one for a search, and one for each text", async () => {
    await using room = await readingRoom({ knowledgeBases: [handbook] });
    const { client, key } = over(room);
    const { data } = await client.ask(OpenResultsDocument, { key, query: "caches" });
    expect(data?.knowledgeBase?.search.edges[2]?.node?.file.content).toContain("About caches.");
    expect(room.fake.countReads()).toBe(4);
  });
});

describe("page sizes", () => {
  const query = `query ($key: String!, $first: Int) { knowledgeBase(key: $key) {
    tree(first: $first) { edges { node { path } } pageInfo { hasNextPage endCursor } }
  } }`;

  it("invariant 8: are refused where they are too large or negative, without a call", async () => {
    await using room = await readingRoom();
    const { client, key } = over(room);
    for (const first of [-1, 501, 2147483647]) {
      const { errors } = await client.ask(query, { key, first });
      expect(errors).toMatchObject([{ extensions: { code: "VALIDATION_ERROR", details: { field: "first" } } }]);
    }
    expect(room.fake.count()).toBe(0);
  });

  it("invariant 8: may be 0, without a call", async () => {
    await using room = await readingRoom();
    const { client, key } = over(room);
    const { data, errors } = await client.ask(query, { key, first: 0 });
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      knowledgeBase: { tree: { edges: [], pageInfo: { hasNextPage: true, endCursor: null } } }
    });
    expect(room.fake.count()).toBe(0);
  });
});

describe("walks", () => {
  it("invariant 5: give each entry once, and start from any edge", async () => {
    await using room = await readingRoom({ knowledgeBases: [handbook] });
    const { client, key } = over(room);
    const query = `query ($key: String!, $after: String) { knowledgeBase(key: $key) {
      tree(parentPath: "pages/notes", first: 7, after: $after) { edges { cursor node { path } } pageInfo { hasNextPage endCursor } }
    } }`;
    interface Walk {
      knowledgeBase: {
        tree: {
          edges: { cursor: string; node: { path: string } }[];
          pageInfo: { hasNextPage: boolean; endCursor: string | null };
        };
      };
    }
    const paths: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const { data }: Answer<Walk> = await client.ask<Walk>(query, { key, after });
      const page: Walk["knowledgeBase"]["tree"] | undefined = data?.knowledgeBase.tree;
      paths.push(...(page?.edges.map(({ node }) => node.path) ?? []));
      more = page?.pageInfo.hasNextPage ?? false;
      after = page?.pageInfo.endCursor ?? null;
    }
    expect(paths.filter((path) => path.includes("note-"))).toEqual(pages.map(({ path }) => path));
    expect(new Set(paths).size).toBe(paths.length);
    const first = await client.ask<Walk>(query, { key });
    const [, second, third] = first.data?.knowledgeBase.tree.edges ?? [];
    const next = await client.ask<Walk>(query, { key, after: second?.cursor });
    expect(next.data?.knowledgeBase.tree.edges[0]?.node).toEqual(third?.node);
  });

  it("invariant 5: refuse a cursor of another question", async () => {
    await using room = await readingRoom({ knowledgeBases: [handbook] });
    const { client, key } = over(room);
    const search = await client.ask(SearchFilesDocument, { key, query: "caches", first: 2 });
    const after = search.data?.knowledgeBase?.search.edges[0]?.cursor ?? "";
    const { errors } = await client.ask(SearchFilesDocument, { key, query: "other caches", after });
    expect(errors).toMatchObject([
      { extensions: { code: "VALIDATION_ERROR", httpStatus: 422, details: { field: "cursor", restart: true } } }
    ]);
  });
});

describe("states", () => {
  it("tell a knowledge base without content from one that does not exist", async () => {
    await using room = await readingRoom({ knowledgeBases: [{ pages: [] }] });
    const { client, key } = over(room);
    const empty = await client.ask(
      `query ($key: String!) { knowledgeBase(key: $key) {
      name activeContentRevision
      tree { activeContentRevision edges { cursor } }
      search(query: "caches") { searchStatus edges { cursor } }
      graphOverview { availability }
    } }`,
      { key }
    );
    expect(empty.data).toEqual({
      knowledgeBase: {
        name: "Fake handbook",
        activeContentRevision: 0,
        tree: { activeContentRevision: null, edges: [] },
        search: { searchStatus: "no_candidates", edges: [] },
        graphOverview: null
      }
    });
    expect(empty.errors).toMatchObject([
      {
        path: ["knowledgeBase", "graphOverview"],
        extensions: { code: "NOT_FOUND", details: { reason: "NO_CONTENT_YET" } }
      }
    ]);
    const absent = await client.ask(`{ knowledgeBase(key: "knowledge-base-none") { name tree { edges { cursor } } } }`);
    expect([absent.data, absent.errors]).toEqual([{ knowledgeBase: null }, undefined]);
  });

  it("invariant 3: keep a read of a knowledge base that does not exist an error", async () => {
    await using room = await readingRoom();
    const { client } = over(room);
    for (const read of ["tree", `search(query: "caches")`]) {
      const { data, errors } = await client.ask(
        `{ knowledgeBase(key: "knowledge-base-none") { ${read} { edges { cursor } } } }`
      );
      expect(data).toEqual({ knowledgeBase: null });
      expect(errors).toMatchObject([{ extensions: { code: "NOT_FOUND", httpStatus: 404 } }]);
    }
  });

  it("invariant 3: show a search without evidence as the outage it is", async () => {
    await using room = await readingRoom({ knowledgeBases: [handbook] });
    room.fake.evidence = "none";
    const { client, key } = over(room);
    const { errors } = await client.ask(SearchFilesDocument, { key, query: "caches" });
    expect(errors).toMatchObject([
      { extensions: { code: "SEARCH_UNAVAILABLE", httpStatus: 503, details: { reason: "ALL_EVIDENCE_DEGRADED" } } }
    ]);
  });

  it("invariant 2: show what is not granted as what does not exist, without a call", async () => {
    const tenants = { acme: { grants: [{ knowledgeBases: ["mine"] }] } };
    const knowledgeBases = [
      { ...handbook, id: "knowledge-base-mine" },
      { ...handbook, id: "knowledge-base-theirs" }
    ];
    await using room = await readingRoom({ knowledgeBases, slugs: ["mine", "theirs"], tenants });
    const { client } = over(room);
    const theirs = room.fake.fileId("pages/notes/note-00.md", "knowledge-base-theirs");
    for (const name of ["theirs", "knowledge-base-theirs", "knowledge-base-random", "../x", ""]) {
      const { data, errors } = await client.ask(BrowseTreeDocument, { key: name });
      expect([name, data, errors]).toEqual([name, { knowledgeBase: null }, undefined]);
    }
    const ids = [
      encodeNodeId({ type: "File", key: "theirs", fileId: theirs }),
      encodeNodeId({ type: "KnowledgeBase", key: "theirs" }),
      encodeNodeId({ type: "Directory", key: "theirs", path: "pages" })
    ];
    expect((await client.ask(RefetchDocument, { ids })).data).toEqual({ nodes: [null, null, null] });
    expect(room.fake.count()).toBe(0);
    const list = await client.ask(ListKnowledgeBasesDocument, {});
    expect(list.data?.knowledgeBases.edges.map(({ node }) => node?.key)).toEqual(["mine"]);
  });

  it.each([
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
    "x".repeat(5000)
  ])("invariant 9: ask the upstream nothing for the file id %j", async (fileId) => {
    await using room = await readingRoom();
    const { client, key } = over(room);
    const answers = [
      await client.ask(ReadFileDocument, { key, by: { fileId } }),
      await client.ask(RelatedFilesDocument, { key, fileId }),
      await client.ask(ExpandGraphDocument, { key, fileId }),
      await client.ask(RefetchDocument, { ids: [encodeNodeId({ type: "File", key, fileId })] })
    ];
    for (const { errors, text } of answers) {
      expect(errors === undefined ? text : errors[0]?.extensions.code).toMatch(/VALIDATION_ERROR|NOT_FOUND|null/);
    }
    expect(room.fake.countReads()).toBe(0);
  });
});
