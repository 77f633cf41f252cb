/** What each selection costs, and what a field answers from. */
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { Client } from "./client.ts";
import { FakeReader } from "./fake-reader.ts";
import {
  BrowseTreeDocument,
  ExpandGraphDocument,
  ListTitlesDocument,
  ReadFileDocument,
  RelatedFilesDocument,
  SearchFilesDocument
} from "./generated/graphql.ts";

const key = "handbook";

function setUp(...options: ConstructorParameters<typeof FakeReader>) {
  const reader = new FakeReader(...options);
  return { reader, client: new Client(reader) };
}

describe("calls", () => {
  it("reads a tree's own fields in one call", async () => {
    const { reader, client } = setUp({ files: 50 });
    const { data, errors } = await client.ask(BrowseTreeDocument, { key, parentPath: "pages/notes" });
    expect(errors).toBeUndefined();
    expect(data?.knowledgeBase?.tree.edges).toHaveLength(50);
    expect(reader.calls).toEqual(["tree pages/notes  0+50"]);
  });

  it("reads the detail of fifty files once each for their titles and tags", async () => {
    const { reader, client } = setUp({ files: 50 });
    const { data, errors } = await client.ask(ListTitlesDocument, { key, first: 51 });
    expect(errors).toBeUndefined();
    expect(data?.knowledgeBase?.tree.edges.at(-1)?.node).toMatchObject({ title: "Note 49", tags: ["note"] });
    expect(reader.count("file ")).toBe(50);
    expect(reader.calls).toHaveLength(51);
  });

  it("answers a search's metadata from the search", async () => {
    const { reader, client } = setUp();
    const { data } = await client.ask(SearchFilesDocument, { key, query: "note" });
    expect(data?.knowledgeBase?.search.edges[0]?.node?.file).toMatchObject({ title: "Note 0", tags: ["note"] });
    expect(reader.calls).toEqual(["search note {} 0+50"]);
  });

  it("answers from what was carried even where that is null", async () => {
    const { reader, client } = setUp();
    const { data } = await client.ask(
      `{ knowledgeBase(key: "handbook") { search(query: "note", first: 1) { edges { node { file { description } } } } } }`
    );
    expect(data).toEqual({ knowledgeBase: { search: { edges: [{ node: { file: { description: null } } }] } } });
    expect(reader.calls).toHaveLength(1);
  });

  it("reads a file ten times in one request with one call", async () => {
    const { reader, client } = setUp();
    const fields = Array.from(
      { length: 10 },
      (_, i) => `f${i}: file(by: { fileId: "source-file-1" }) { title sizeBytes }`
    );
    const { data, errors } = await client.ask(`{ knowledgeBase(key: "handbook") { ${fields.join(" ")} } }`);
    expect(errors).toBeUndefined();
    expect(Object.keys((data as { knowledgeBase: object }).knowledgeBase)).toHaveLength(10);
    expect(reader.calls).toEqual(["file source-file-1"]);
  });

  it("reads a file's text, detail included, in one call by id and by path", async () => {
    for (const by of [{ fileId: "source-file-1" }, { path: "pages/notes/note 1.md" }]) {
      const { reader, client } = setUp();
      const { data } = await client.ask(ReadFileDocument, { key, by });
      expect(data?.knowledgeBase?.file).toMatchObject({
        fileId: "source-file-1",
        content: "# Note 1",
        title: "Note 1"
      });
      expect(reader.calls).toEqual([`content ${Object.values(by)[0]}`]);
    }
  });

  it("reads related and expanded files in one call, by file id", async () => {
    const { reader, client } = setUp();
    const related = await client.ask(RelatedFilesDocument, { key, fileId: "source-file-1" });
    expect(related.data?.knowledgeBase?.file?.related.edges[0]?.node?.file.title).toBe("Note 0");
    const expanded = await client.ask(ExpandGraphDocument, { key, fileId: "source-file-0", depth: 2 });
    expect(expanded.data?.knowledgeBase?.file?.expand).toMatchObject({
      seedFile: { title: "Note 0" },
      resultSummary: { depth: 2 },
      edges: [{ node: { from: { fileId: "source-file-0" }, file: { fileId: "source-file-1" } } }, {}]
    });
    expect(reader.calls).toEqual(["related source-file-1 0+50", 'expand source-file-0 {"depth":2} 0+50']);
  });

  it("asks once whether a knowledge base is there, where no read says so", async () => {
    const { reader, client } = setUp();
    const query = `{ knowledgeBase(key: "handbook") { key id name createdAt } }`;
    const { data } = await client.ask(query);
    expect(data).toMatchObject({ knowledgeBase: { key: "handbook", createdAt: "2027-01-02T03:04:05.678Z" } });
    await client.ask(`{ knowledgeBase(key: "handbook") { key __typename } }`);
    expect(reader.calls).toEqual(["detail"]);
  });

  it("answers a listed knowledge base's facts from the list", async () => {
    const { reader, client } = setUp();
    await client.ask(`{ knowledgeBases { edges { node { name tree(first: 1) { edges { node { name } } } } } } }`);
    expect(reader.calls).toEqual(["knowledgeBases 0+50", "tree   0+1"]);
  });

  it("knows a search result's knowledge base without a call", async () => {
    const { reader, client } = setUp();
    const query = `{ knowledgeBase(key: "handbook") { search(query: "note") { edges { node { knowledgeBase { key id } } } } } }`;
    expect((await client.ask(query)).errors).toBeUndefined();
    expect(reader.calls).toHaveLength(1);
  });
});

describe("values", () => {
  it("keeps numbers beyond 2^31 and JSON as it is", async () => {
    const { client } = setUp();
    const { data } = await client.ask(
      `{ knowledgeBase(key: "handbook") { file(by: { fileId: "source-file-1" }) { sizeBytes frontmatter name parentPath } } }`
    );
    expect(data).toEqual({
      knowledgeBase: {
        file: {
          sizeBytes: 2 ** 40 + 1,
          frontmatter: { nested: { order: 1 } },
          name: "note 1.md",
          parentPath: "pages/notes"
        }
      }
    });
  });

  it("shows relations of a newer release: without weight, of unknown type, with nulls", async () => {
    const { client } = setUp();
    const { data, errors } = await client.ask(`{
      knowledgeBase(key: "handbook") { file(by: { fileId: "source-file-1" }) {
        expand(first: 1) { seedFile { title } edges { node { weight relationType direction reason depth } } }
      } }
    }`);
    expect(errors).toBeUndefined();
    expect(data).toEqual({
      knowledgeBase: {
        file: {
          expand: {
            seedFile: null,
            edges: [
              {
                node: {
                  weight: null,
                  relationType: "cites_loosely",
                  direction: "bidirectional",
                  reason: null,
                  depth: 1
                }
              }
            ]
          }
        }
      }
    });
  });

  it("hands a search's arguments on, enums in the knowledge service's words", async () => {
    const { reader, client } = setUp();
    await client.ask(`{
      knowledgeBase(key: "handbook") {
        search(query: "q q", mode: GRAPH, scope: METADATA, fileKind: ALL, graphDepth: 2, graphFanout: 0,
          okf: { status: STABLE, trustTier: HUMAN_REVIEWED, freshness: FRESH }, rerank: { topK: 20 }, first: 5) {
          searchStatus
        }
      }
    }`);
    const asked = JSON.parse(reader.calls[0]?.match(/\{.*\}/)?.[0] ?? "null");
    expect(asked).toEqual({
      ...{ mode: "graph", scope: "metadata", fileKind: "all", graphDepth: 2, graphFanout: 0 },
      ...{ okfStatus: "stable", okfTrustTier: "human-reviewed", okfFreshness: "fresh" },
      ...{ rerank: true, rerankTopK: 20 }
    });
  });

  it("leaves out what is null or left out", async () => {
    const { reader, client } = setUp();
    await client.ask(
      `{ knowledgeBase(key: "handbook") { search(query: "q q", mode: null, okf: { status: null }, rerank: null) { searchStatus } } }`
    );
    await client.ask(
      `{ knowledgeBase(key: "handbook") { tree(parentPath: "", entryType: null) { edges { cursor } } } }`
    );
    expect(reader.calls).toEqual(["search q q {} 0+50", "tree   0+50"]);
  });
});

describe("operations", () => {
  it("refuses only the fields whose operation is not granted, each at its path", async () => {
    const { client } = setUp({ operations: ["list_tree", "search_files"] });
    const { data, errors } = await client.ask(
      `{ knowledgeBase(key: "handbook") { tree(first: 2) { edges { node { path ... on File { title content } } } } } }`
    );
    expect(data).toMatchObject({
      knowledgeBase: { tree: { edges: [{}, { node: { path: "pages/notes/note 0.md", title: null, content: null } }] } }
    });
    const at = ["knowledgeBase", "tree", "edges", 1, "node"];
    expect(errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [[...at, "title"], "FORBIDDEN"],
      [[...at, "content"], "FORBIDDEN"]
    ]);
  });

  it("opens a search result's relations with expand_graph only", async () => {
    const query = `{ knowledgeBase(key: "handbook") { search(query: "note", first: 1) { edges { node {
      file { path } graphContext { depth relationships { file { path } } }
    } } } } }`;
    const open = await setUp().client.ask(query);
    expect(open.errors).toBeUndefined();
    const { data, errors } = await setUp({ operations: ["search_files"] }).client.ask(query);
    expect(data).toMatchObject({ knowledgeBase: { search: { edges: [{ node: { graphContext: null } }] } } });
    expect(errors?.[0]?.extensions.code).toBe("FORBIDDEN");
    expect(errors?.[0]?.path?.at(-1)).toBe("relationships");
  });

  it("refuses text without read_file at its path, without a call", async () => {
    const { reader, client } = setUp({ operations: ["get_file"] });
    const { data, errors } = await client.ask(
      `{ knowledgeBase(key: "handbook") { file(by: { fileId: "source-file-1" }) { content } } }`
    );
    expect(data).toEqual({ knowledgeBase: { file: { content: null } } });
    expect(errors).toMatchObject([{ path: ["knowledgeBase", "file", "content"], extensions: { code: "FORBIDDEN" } }]);
    expect(reader.calls).toEqual([]);
  });

  it("reads text with read_file alone", async () => {
    const { client } = setUp({ operations: ["read_file"] });
    const { data, errors } = await client.ask(ReadFileDocument, { key, by: { fileId: "source-file-1" } });
    expect(errors).toBeUndefined();
    expect(data?.knowledgeBase?.file?.content).toBe("# Note 1");
  });
});

describe("faults", () => {
  it("invariant 3: gives 17 texts, 3 nulls and 3 errors with exact paths for 20 files of which 3 fail", async () => {
    const { reader, client } = setUp({ files: 20 });
    reader.fail("content source-file-2", new GatewayError("NOT_FOUND", { requestId: "req-up" }));
    reader.fail("content source-file-5", new GatewayError("PAYLOAD_TOO_LARGE"));
    reader.fail(
      "content source-file-11",
      new GatewayError("DATABASE_REPOSITORY_UNAVAILABLE", { retryAfterSeconds: 15 })
    );
    const { status, data, errors } = await client.ask<{
      knowledgeBase: { tree: { edges: { node: { content: string } }[] } };
    }>(
      `{ knowledgeBase(key: "handbook") { tree(entryType: FILE, first: 21) { edges { node { ... on File { content } } } } } }`
    );
    expect(status).toBe(200);
    const texts = data?.knowledgeBase.tree.edges.slice(1).map(({ node }) => node.content) ?? [];
    expect(texts.filter((text) => text !== null)).toHaveLength(17);
    const at = (index: number) => ["knowledgeBase", "tree", "edges", index + 1, "node", "content"];
    expect(errors).toMatchObject([
      { path: at(2), extensions: { code: "NOT_FOUND", httpStatus: 404, requestId: "req-up" } },
      { path: at(5), extensions: { code: "PAYLOAD_TOO_LARGE", httpStatus: 413, requestId: "req-test" } },
      { path: at(11), extensions: { code: "DATABASE_REPOSITORY_UNAVAILABLE", httpStatus: 503, retryAfterSeconds: 15 } }
    ]);
  });

  it("shows one failed detail at each field that needs it, and nowhere else", async () => {
    const { reader, client } = setUp();
    reader.fail("file source-file-1", new GatewayError("UPSTREAM_TIMEOUT"));
    const { data, errors } = await client.ask(
      `{ knowledgeBase(key: "handbook") { tree { edges { node { path ... on File { title tags fileId } } } } } }`
    );
    expect(errors?.map(({ path }) => path?.slice(3))).toEqual([
      [2, "node", "title"],
      [2, "node", "tags"]
    ]);
    expect(data).toMatchObject({
      knowledgeBase: { tree: { edges: [{}, {}, { node: { title: null, fileId: "source-file-1" } }, {}] } }
    });
    expect(reader.count("file source-file-1")).toBe(1);
  });

  it("loses one entry, not the list, where a field that cannot be null fails", async () => {
    const { reader, client } = setUp();
    reader.fail("related source-file-1 0+50", new GatewayError("CONFLICT"));
    const { data, errors } = await client.ask(
      `{ knowledgeBase(key: "handbook") { tree { edges { node { ... on File { related { edges { cursor } } } } } } } }`
    );
    expect(data).toMatchObject({
      knowledgeBase: { tree: { edges: [{}, { node: {} }, { node: null }, { node: {} }] } }
    });
    expect(errors).toMatchObject([{ extensions: { code: "CONFLICT" } }]);
  });

  it("says each field's own outcome where a file's text is too large", async () => {
    const { reader, client } = setUp();
    reader.fail("content source-file-1", new GatewayError("PAYLOAD_TOO_LARGE"));
    const { data, errors } = await client.ask(
      `{ knowledgeBase(key: "handbook") { file(by: { fileId: "source-file-1" }) { title content } } }`
    );
    expect(data).toEqual({ knowledgeBase: { file: { title: "Note 1", content: null } } });
    expect(errors).toMatchObject([
      { path: ["knowledgeBase", "file", "content"], extensions: { code: "PAYLOAD_TOO_LARGE" } }
    ]);
  });

  it("says of a file whose text is withdrawn or hidden what it may, and null of one that is absent", async () => {
    const query = `query ($by: FileLookup!) { knowledgeBase(key: "handbook") { file(by: $by) { title content } } }`;
    for (const by of [{ fileId: "source-file-1" }, { fileId: "source-file-404" }]) {
      const { reader, client } = setUp();
      reader.fail(`content ${by.fileId}`, new GatewayError("NOT_FOUND"));
      const { data, errors } = await client.ask(query, { by });
      const isThere = by.fileId === "source-file-1";
      expect(data).toEqual({ knowledgeBase: { file: isThere ? { title: "Note 1", content: null } : null } });
      expect(errors?.map(({ path }) => path?.at(-1))).toEqual(isThere ? ["content"] : undefined);
    }
    const { reader, client } = setUp();
    const { data } = await client.ask(
      `{ knowledgeBase(key: "handbook") { file(by: { fileId: "source-file-404" }) { content } } }`
    );
    expect(data).toEqual({ knowledgeBase: { file: null } });
    expect(reader.calls).toEqual(["content source-file-404"]);
  });

  it("invariant 4: masks what is not the gateway's own, and tells the log of it", async () => {
    const { reader, client } = setUp();
    const secret = new TypeError("connect https://upstream.internal?key=abc");
    reader.fail("file source-file-1", secret);
    const { text, errors } = await client.ask(
      `{ knowledgeBase(key: "handbook") { file(by: { fileId: "source-file-1" }) { title } } }`
    );
    expect(text).not.toContain("upstream.internal");
    expect(errors).toMatchObject([{ message: "Internal server error.", extensions: { code: "INTERNAL_ERROR" } }]);
    expect(client.unexpected).toEqual([secret]);
  });

  it("invariant 4: masks a value that its type cannot show", async () => {
    const { reader, client } = setUp();
    reader.files[1] = { ...reader.files[1], sizeBytes: 0.5, title: null } as (typeof reader.files)[number];
    const { data, errors } = await client.ask(
      `{ knowledgeBase(key: "handbook") { file(by: { fileId: "source-file-1" }) { sizeBytes title } } }`
    );
    expect(data).toEqual({ knowledgeBase: { file: { sizeBytes: null, title: null } } });
    expect(errors).toMatchObject([{ message: "Internal server error.", extensions: { code: "INTERNAL_ERROR" } }]);
    expect(client.unexpected).toHaveLength(1);
  });
});
