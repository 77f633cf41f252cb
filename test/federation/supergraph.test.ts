/** The gateway as a subgraph: its own promises, and a supergraph with a product's subgraph that a real router serves. */
import { readFile } from "node:fs/promises";
import { parse } from "graphql";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { encodeNodeId } from "../../src/graphql/global-id.ts";
import { printSubgraphSdl } from "../../src/graphql/sdl.ts";
import { Client } from "../graphql/client.ts";
import { FakeReader } from "../graphql/fake-reader.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";
import { idOf } from "./library.ts";
import { PRODUCT_SDL, type ProductSubgraph, productSubgraph } from "./product.ts";
import { compose, type Router, startRouter } from "./router.ts";

const SDL = "{ _service { sdl } }";
const READ = `query ($of: [_Any!]!) { _entities(representations: $of) {
  ... on File { path title content } ... on KnowledgeBase { key name } } }`;
const fileId = (index: number) => encodeNodeId({ type: "File", key: "handbook", fileId: `source-file-${index}` });
const file = (index: number) => ({ __typename: "File", id: fileId(index) });

describe("the subgraph", () => {
  it("is the one that is checked in, and the one that _service tells", async () => {
    const checkedIn = await readFile("schema/subgraph.graphql", "utf8");
    expect(printSubgraphSdl()).toBe(checkedIn);
    const { data } = await new Client(new FakeReader()).ask<{ _service: { sdl: string } }>(SDL);
    expect(data?._service.sdl).toBe(checkedIn);
  });

  it("has keys on files and knowledge bases, a PageInfo that others may have too, and no node for the supergraph", () => {
    const sdl = printSubgraphSdl();
    for (const line of [
      /type File implements Node & TreeEntry\s+@key\(fields: "id"\)/,
      /type KnowledgeBase implements Node\s+@key\(fields: "id"\)/,
      /type PageInfo\s+@shareable/
    ]) {
      expect(sdl).toMatch(line);
    }
    expect(sdl.match(/@inaccessible @shareable$/gm)).toHaveLength(2);
  });

  it("composes with another Relay subgraph, in which node stays out of sight", () => {
    const { api } = compose([
      { name: "knowledge", url: "http://127.0.0.1:1/graphql", sdl: printSubgraphSdl() },
      { name: "products", url: "http://127.0.0.1:2/graphql", sdl: PRODUCT_SDL }
    ]);
    const types = new Map(
      parse(api).definitions.map((each) => [
        "name" in each ? each.name?.value : undefined,
        "fields" in each ? (each.fields ?? []).map(({ name }) => name.value) : []
      ])
    );
    expect(types.get("Query")).toEqual(expect.arrayContaining(["knowledgeBase", "search", "product"]));
    expect(types.get("Query")).not.toContain("node");
    expect(types.get("Query")).not.toContain("nodes");
    expect(types.get("File")).toEqual(expect.arrayContaining(["content", "products"]));
  });

  it("does not tell its schema where introspection is off", async () => {
    const client = new Client(new FakeReader(), { introspection: false });
    const { errors, text } = await client.ask(SDL);
    expect(errors?.[0]?.extensions.code).toBe("GRAPHQL_VALIDATION_FAILED");
    expect(text).not.toContain("type File");
    expect((await client.ask(READ, { of: [file(0)] })).errors).toBeUndefined();
  });
});

describe("_entities", () => {
  it("reads what node reads, in the order of the representations, each thing once", async () => {
    const reader = new FakeReader();
    const handbook = { __typename: "KnowledgeBase", id: encodeNodeId({ type: "KnowledgeBase", key: "handbook" }) };
    const of = [file(1), handbook, file(0), file(1), file(9)];
    const { data, errors } = await new Client(reader).ask<{ _entities: unknown[] }>(READ, { of });
    expect(errors).toBeUndefined();
    const note = (index: number) => ({
      path: `pages/notes/note ${index}.md`,
      title: `Note ${index}`,
      content: `# Note ${index}`
    });
    expect(data?._entities).toEqual([note(1), { key: "handbook", name: "Handbook" }, note(0), note(1), null]);
    expect(reader.count("content source-file-1")).toBe(1);
  });

  it("fails one by one", async () => {
    const reader = new FakeReader().fail("content source-file-1", new GatewayError("UPSTREAM_TIMEOUT"));
    const { data, errors } = await new Client(reader).ask<{ _entities: unknown[] }>(READ, { of: [file(0), file(1)] });
    expect(data?._entities[0]).toMatchObject({ title: "Note 0", content: "# Note 0" });
    expect(data?._entities[1]).toMatchObject({ title: "Note 1", content: null });
    expect(errors).toMatchObject([{ path: ["_entities", 1, "content"], extensions: { code: "UPSTREAM_TIMEOUT" } }]);
  });

  it.each([
    ["another type", { __typename: "Viewer", id: fileId(0) }],
    ["no type", { id: fileId(0) }],
    [
      "a File that is a KnowledgeBase's id",
      { ...file(0), id: encodeNodeId({ type: "KnowledgeBase", key: "handbook" }) }
    ],
    ["a made-up id", { __typename: "File", id: "x" }],
    ["no id", { __typename: "File" }],
    ["a number", 7],
    ["a list", [file(0)]]
  ])("refuses %s, and answers the others", async (_, broken) => {
    const { data, errors } = await new Client(new FakeReader()).ask<{ _entities: unknown[] }>(READ, {
      of: [broken, file(0)]
    });
    expect(errors).toMatchObject([
      { path: ["_entities", 0], extensions: { code: "VALIDATION_ERROR", details: { field: "representations" } } }
    ]);
    expect(data?._entities).toMatchObject([null, { title: "Note 0" }]);
  });

  it("invariant 2: needs get_file for a file, and shows nothing of a knowledge base that is not granted", async () => {
    const limited = new FakeReader({ operations: ["search_files"] });
    const { errors } = await new Client(limited).ask(READ, { of: [file(0)] });
    expect(errors).toMatchObject([{ path: ["_entities", 0], extensions: { code: "FORBIDDEN" } }]);
    const reader = new FakeReader();
    const id = encodeNodeId({ type: "File", key: "other", fileId: "source-file-0" });
    const { data } = await new Client(reader).ask(READ, { of: [{ __typename: "File", id }] });
    expect([data, reader.calls]).toEqual([{ _entities: [null] }, []]);
  });

  it("invariant 10: costs what reading each of them by node costs", async () => {
    const reader = new FakeReader();
    const of = Array.from({ length: 500 }, (_, index) => file(index));
    const { errors } = await new Client(reader).ask(READ, { of });
    expect(errors).toMatchObject([
      { extensions: { code: "QUERY_TOO_COMPLEX", details: { limit: "queryComplexity", actual: expect.any(Number) } } }
    ]);
    expect(reader.calls).toEqual([]);
  });
});

describe("a supergraph with a product's subgraph", () => {
  const KB = idOf("handbook");
  let upstream: FakeUpstream;
  let gateway: TestGateway;
  let product: ProductSubgraph;
  let router: Router;

  beforeAll(async () => {
    const pages = ["kettle", "oven", "secret"].map((name) => ({
      path: `pages/${name === "secret" ? "private" : "open"}/${name}.md`,
      title: `Manual of the ${name}`,
      content: `How to use the ${name} with care.`
    }));
    upstream = await fakeUpstream({ knowledgeBases: [{ id: KB, name: "Handbook", pages }] });
    gateway = await startGateway({
      upstreams: { main: upstream },
      knowledgeBases: { handbook: { upstream: "main", id: KB } },
      tenants: {
        all: { grants: [{ knowledgeBases: ["handbook"] }] },
        some: { grants: [{ knowledgeBases: ["handbook"], paths: { deny: ["pages/private/**"] } }] }
      }
    });
    const shelf = encodeNodeId({ type: "KnowledgeBase", key: "handbook" });
    product = await productSubgraph(
      pages.map(({ path }, index) => ({
        sku: `sku-${index}`,
        name: path.replace(/^.*\/|\.md$/g, ""),
        manual: encodeNodeId({ type: "File", key: "handbook", fileId: upstream.fileId(path) }),
        shelf
      }))
    );
    const { body } = await gateway.graphql(SDL, {}, { token: gateway.token("all") });
    const { supergraph } = compose([
      { name: "knowledge", url: `${gateway.url}/graphql`, sdl: body.data._service.sdl },
      { name: "products", url: product.url, sdl: PRODUCT_SDL }
    ]);
    router = await startRouter(supergraph);
  });
  afterAll(async () => {
    await router[Symbol.asyncDispose]();
    await product[Symbol.asyncDispose]();
    await gateway.close();
    await upstream.close();
  });
  beforeEach(() => upstream.reset());

  const MANUALS = `{ products { edges { node { name shelf { name owner } manual { title content products { sku } } } } } }`;

  it("answers a query from the product to its manual and back", async () => {
    const { data, errors } = await router.ask(MANUALS, gateway.token("all"));
    expect(errors).toBeUndefined();
    expect(data.products.edges.map(({ node }: { node: unknown }) => node)).toEqual(
      ["kettle", "oven", "secret"].map((name, index) => ({
        name,
        shelf: { name: "Handbook", owner: "the shop" },
        manual: {
          title: `Manual of the ${name}`,
          content: `How to use the ${name} with care.`,
          products: [{ sku: `sku-${index}` }]
        }
      }))
    );
    expect(upstream.count("getFileContentById")).toBe(3);
    expect(upstream.countReads()).toBe(3);
  });

  it("answers a query from a search to the products of what was found", async () => {
    const query = `{ search(query: "oven") { edges { node { file { path products { name } } } } sources { searchStatus } } }`;
    const { data, errors } = await router.ask(query, gateway.token("all"));
    expect(errors).toBeUndefined();
    expect(data.search).toEqual({
      edges: [{ node: { file: { path: "pages/open/oven.md", products: [{ name: "oven" }] } } }],
      sources: [{ searchStatus: "ok" }]
    });
  });

  it("invariant 2: shows each caller its own part", async () => {
    const { data } = await router.ask(MANUALS, gateway.token("some"));
    const manuals = data.products.edges.map(({ node }: { node: { manual: unknown } }) => node.manual);
    expect(manuals).toEqual([
      expect.objectContaining({ title: "Manual of the kettle" }),
      expect.objectContaining({ title: "Manual of the oven" }),
      expect.objectContaining({ title: null, content: null })
    ]);
    expect(JSON.stringify(data)).not.toMatch(/Manual of the secret|use the secret/);
  });
});
