/** Node ids: what they refetch, and what they do not tell. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { decodeNodeId, encodeNodeId, type NodeKey } from "../../src/graphql/global-id.ts";
import { Client } from "./client.ts";
import { FakeReader } from "./fake-reader.ts";
import { RefetchDocument } from "./generated/graphql.ts";

const ids = {
  knowledgeBase: encodeNodeId({ type: "KnowledgeBase", key: "handbook" }),
  file: encodeNodeId({ type: "File", key: "handbook", fileId: "source-file-1" }),
  directory: encodeNodeId({ type: "Directory", key: "handbook", path: "pages/notes/deep" }),
  absent: encodeNodeId({ type: "File", key: "handbook", fileId: "source-file-404" }),
  elsewhere: encodeNodeId({ type: "File", key: "other", fileId: "source-file-1" })
};

describe("node and nodes", () => {
  it("refetch every type with an id, and null for what is absent or not granted, in the order asked", async () => {
    const reader = new FakeReader();
    const asked = [ids.directory, ids.absent, ids.knowledgeBase, ids.elsewhere, ids.file];
    const { data, errors } = await new Client(reader).ask(RefetchDocument, { ids: asked });
    expect(errors).toBeUndefined();
    expect(data?.nodes).toMatchObject([
      { __typename: "Directory", id: ids.directory, path: "pages/notes/deep" },
      null,
      { __typename: "KnowledgeBase", id: ids.knowledgeBase, name: "Handbook" },
      null,
      { __typename: "File", id: ids.file, title: "Note 1" }
    ]);
    expect(new Set(reader.calls)).toEqual(
      new Set(["directory pages/notes/deep", "file source-file-404", "detail", "file source-file-1"])
    );
  });

  it("are the ids of the objects that lists show", async () => {
    const client = new Client(new FakeReader());
    const { data } = await client.ask<{ knowledgeBase: { id: string; tree: { edges: { node: { id: string } }[] } } }>(
      `{ knowledgeBase(key: "knowledge-base-1") { id tree(first: 3) { edges { node { ... on Node { id } } } } } }`
    );
    expect(data?.knowledgeBase.id).toBe(ids.knowledgeBase);
    expect(data?.knowledgeBase.tree.edges.map(({ node }) => node.id)).toEqual([
      ids.directory,
      encodeNodeId({ type: "File", key: "handbook", fileId: "source-file-0" }),
      ids.file
    ]);
  });

  it("read a file's text and detail in one call", async () => {
    const reader = new FakeReader();
    const { data } = await new Client(reader).ask(
      `query ($id: ID!) { node(id: $id) { id ... on File { title content } } }`,
      { id: ids.file }
    );
    expect(data).toEqual({ node: { id: ids.file, title: "Note 1", content: "# Note 1" } });
    expect(reader.calls).toEqual(["content source-file-1"]);
  });

  it("look past the fields of other types when choosing the read", async () => {
    const reader = new FakeReader();
    await new Client(reader).ask(
      `query ($id: ID!, $yes: Boolean = true) { node(id: $id) {
        ... on KnowledgeBase { name }
        ...Skipped @skip(if: $yes)
        ... on File { title content @include(if: false) }
      } } fragment Skipped on File { content }`,
      { id: ids.file }
    );
    expect(reader.calls).toEqual(["file source-file-1"]);
  });

  it("need the operation that opens the type", async () => {
    const client = new Client(new FakeReader({ operations: ["read_file"] }));
    const { data, errors } = await client.ask(RefetchDocument, { ids: [ids.file, ids.directory] });
    expect(data).toEqual({ nodes: [null, null] });
    expect(errors).toMatchObject([
      { path: ["nodes", 0], extensions: { code: "FORBIDDEN" } },
      { path: ["nodes", 1], extensions: { code: "FORBIDDEN" } }
    ]);
  });

  it("invariant 3: keep an error an error", async () => {
    const reader = new FakeReader().fail(
      "file source-file-1",
      new GatewayError("RATE_LIMITED", { retryAfterSeconds: 15 })
    );
    const { data, errors } = await new Client(reader).ask(RefetchDocument, { ids: [ids.file] });
    expect(data).toEqual({ nodes: [null] });
    expect(errors).toMatchObject([
      {
        extensions: { code: "RATE_LIMITED", httpStatus: 429, retryAfterSeconds: 15, details: { retryAfterSeconds: 15 } }
      }
    ]);
  });

  it.each([
    "",
    "source-file-1",
    "../../x",
    `${ids.file}=`,
    ` ${ids.file}`,
    "WzFd",
    "bnVsbA",
    "W10",
    "x".repeat(10_000)
  ])("invariant 9: refuse %j, naming the argument, without a call", async (id) => {
    const reader = new FakeReader();
    const one = await new Client(reader).ask(`query ($id: ID!) { node(id: $id) { id } }`, { id });
    expect(one.data).toEqual({ node: null });
    expect(one.errors).toMatchObject([{ extensions: { code: "VALIDATION_ERROR", details: { field: "id" } } }]);
    const many = await new Client(reader).ask(RefetchDocument, { ids: [id, ids.file] });
    expect(many.data).toMatchObject({ nodes: [null, { title: "Note 1" }] });
    expect(reader.calls).toEqual(["file source-file-1"]);
  });
});

describe("node ids", () => {
  const text = fc.string({ unit: "binary" });
  const key = fc.oneof<fc.Arbitrary<NodeKey>[]>(
    fc.record({ type: fc.constant("KnowledgeBase" as const), key: text }),
    fc.record({ type: fc.constant("File" as const), key: text, fileId: text }),
    fc.record({ type: fc.constant("Directory" as const), key: text, path: text })
  );

  it("come back as they went", () => {
    fc.assert(
      fc.property(key, (node) => {
        expect(decodeNodeId(encodeNodeId(node), "id")).toEqual(node);
      })
    );
  });

  it("invariant 9: have one spelling each: whatever decodes is what was encoded", () => {
    fc.assert(
      fc.property(fc.oneof(fc.base64String(), fc.string(), key.map(encodeNodeId)), (id) => {
        try {
          expect(encodeNodeId(decodeNodeId(id, "id"))).toBe(id);
        } catch (thrown) {
          expect(thrown).toMatchObject({ code: "VALIDATION_ERROR", details: { field: "id" } });
        }
      })
    );
  });
});
