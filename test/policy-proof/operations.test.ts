/** Each operation, and all the doors that it opens: to a caller who has every operation but that one they are shut. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer, type TestGateway } from "../harness/gateway.ts";
import { OPERATIONS, type Operation } from "./caller.ts";
import { mcpCode, rpc } from "./surfaces.ts";

const ID = "knowledge-base-11111111-1111-4111-8111-111111111111";
const pages = ["pages/a.md", "pages/d/b.md"].map((path) => ({ path, content: "shared" }));

let upstream: FakeUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await fakeUpstream({
    knowledgeBases: [{ id: ID, pages, relations: [{ from: "pages/a.md", to: "pages/d/b.md" }] }]
  });
  const without = OPERATIONS.map((operation) => {
    const operations = OPERATIONS.filter((other) => other !== operation);
    return [`no-${operation}`, { grants: [{ knowledgeBases: ["handbook"], operations }] }] as const;
  });
  gateway = await startGateway({
    upstreams: { main: upstream },
    knowledgeBases: { handbook: { upstream: "main", id: ID } },
    tenants: {
      all: { grants: [{ knowledgeBases: ["handbook"] }] },
      ...Object.fromEntries(without),
      // What expand_graph shows is less than what search_files shows.
      narrow: {
        grants: [
          { knowledgeBases: ["handbook"], operations: ["search_files"] },
          { knowledgeBases: ["handbook"], operations: ["expand_graph"], paths: { allow: ["pages/d/**"] } }
        ]
      },
      // A whole upstream for one operation, and one knowledge base of it for another.
      both: {
        grants: [
          { upstream: "main", operations: ["list_tree"] },
          { knowledgeBases: ["handbook"], operations: ["read_file"], paths: { deny: ["pages/d/**"] } }
        ]
      }
    }
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** The code that a question ends with, wherever the surface says it; null where all is well. */
type Door = (token: string) => Promise<string | null>;

const id = () => upstream.fileId("pages/a.md", ID);
const nodeId = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
const codeOf = ({ body }: TestAnswer): string | null => body.error?.code ?? body.errors?.[0]?.extensions.code ?? null;

const get =
  (path: () => string): Door =>
  async (token) =>
    codeOf(await gateway.get(path(), { token }));
const tool =
  (name: Operation, args: () => object): Door =>
  async (token) =>
    codeOf(await gateway.post(`/agent/handbook/tools/${name}`, args(), { token }));
const mcp =
  (name: Operation, args: () => object): Door =>
  async (token) =>
    mcpCode(await rpc(gateway, token, "/mcp/handbook", "tools/call", { name, arguments: args() }));
const resource =
  (method: string, params: object): Door =>
  async (token) =>
    mcpCode(await rpc(gateway, token, "/mcp/handbook", method, params));
const graphql =
  (query: () => string): Door =>
  async (token) =>
    codeOf(await gateway.graphql(query(), undefined, { token }));
const inBase = (fields: () => string) => graphql(() => `{ knowledgeBase(key: "handbook") { ${fields()} } }`);
const inFile = (fields: string) => inBase(() => `file(by: {fileId: "${id()}"}) { ${fields} }`);

const MIRROR = `/openapi/v2/knowledge-bases/${ID}`;
const AGENT = "/agent/handbook";
const uri = { uri: "focowiki://handbook/pages/a.md" };

const DOORS: Readonly<Record<Operation, Readonly<Record<string, Door>>>> = {
  list_tree: {
    mirror: get(() => `${MIRROR}/tree`),
    agent: get(() => `${AGENT}/tree?parentPath=pages`),
    tool: tool("list_tree", () => ({})),
    mcp: mcp("list_tree", () => ({})),
    resources: resource("resources/list", {}),
    tree: inBase(() => "tree { edges { cursor } }"),
    "node of a directory": graphql(() => `{ node(id: "${nodeId("Directory", "handbook", "pages/d")}") { id } }`),
    "children of a node": graphql(
      () =>
        `{ nodes(ids: ["${nodeId("Directory", "handbook", "pages")}"]) { ... on Directory { children { edges { cursor } } } } }`
    )
  },
  get_file: {
    mirror: get(() => `${MIRROR}/files/${id()}`),
    agent: get(() => `${AGENT}/files/${id()}`),
    tool: tool("get_file", () => ({ fileId: id() })),
    mcp: mcp("get_file", () => ({ fileId: id() })),
    "file by id": inFile("title"),
    "file by path": inBase(() => 'file(by: {path: "pages/a.md"}) { title }'),
    "node of a file": graphql(() => `{ node(id: "${nodeId("File", "handbook", id())}") { id } }`),
    "node of a file with its content": graphql(
      () => `{ node(id: "${nodeId("File", "handbook", id())}") { ... on File { content } } }`
    ),
    "entity of a supergraph": graphql(
      () =>
        `{ _entities(representations: [{__typename: "File", id: "${nodeId("File", "handbook", id())}"}]) { ... on File { content } } }`
    ),
    "a field that only the detail has": inFile("related { edges { node { file { description } } } }")
  },
  read_file: {
    mirror: get(() => `${MIRROR}/files/${id()}/content`),
    "mirror by path": get(() => `${MIRROR}/files/content?path=pages/a.md`),
    agent: get(() => `${AGENT}/files/${id()}/content`),
    tool: tool("read_file", () => ({ path: "pages/a.md" })),
    mcp: mcp("read_file", () => ({ fileId: id() })),
    resources: resource("resources/read", uri),
    content: inFile("content"),
    "content of a hit": inBase(() => 'search(query: "shared") { edges { node { file { content } } } }')
  },
  search_files: {
    mirror: get(() => `${MIRROR}/files/search?query=shared`),
    agent: get(() => `${AGENT}/search?query=shared`),
    "agent in everything": get(() => "/agent/search?query=shared"),
    tool: tool("search_files", () => ({ query: "shared" })),
    mcp: mcp("search_files", () => ({ query: "shared" })),
    search: inBase(() => 'search(query: "shared") { edges { cursor } }'),
    "search in everything": graphql(() => '{ search(query: "shared") { edges { cursor } } }')
  },
  read_related: {
    mirror: get(() => `${MIRROR}/files/${id()}/related`),
    agent: get(() => `${AGENT}/files/${id()}/related`),
    tool: tool("read_related", () => ({ fileId: id() })),
    mcp: mcp("read_related", () => ({ fileId: id() })),
    related: inFile("related { edges { cursor } }"),
    "related of a hit": inBase(
      () => 'search(query: "shared") { edges { node { file { related { edges { cursor } } } } } }'
    )
  },
  expand_graph: {
    mirror: get(() => `${MIRROR}/graph/expand?fileId=${id()}`),
    "mirror's overview": get(() => `${MIRROR}/graph/overview`),
    agent: get(() => `${AGENT}/graph/expand?fileId=${id()}`),
    tool: tool("expand_graph", () => ({ fileId: id() })),
    mcp: mcp("expand_graph", () => ({ fileId: id() })),
    expand: inFile("expand { edges { cursor } }"),
    overview: inBase(() => "graphOverview { availability }"),
    "relationships of a hit": inBase(
      () => 'search(query: "shared") { edges { node { graphContext { relationships { reason } } } } }'
    )
  }
};

describe.each(OPERATIONS)("%s", (operation) => {
  it.each(Object.entries(DOORS[operation]))("%s is FORBIDDEN without it, and open with it", async (_, door) => {
    expect(await door(gateway.token(`no-${operation}`))).toBe("FORBIDDEN");
    expect(await door(gateway.token("all"))).toBeNull();
  });

  it("is no tool of a caller without it, and no link leads to it", async () => {
    const token = gateway.token(`no-${operation}`);
    const named = (tools: { name: string }[]) => tools.map(({ name }) => name);
    const offered = [
      named((await gateway.get(`${AGENT}/tools`, { token })).body.tools),
      named((await rpc(gateway, token, "/mcp/handbook", "tools/list")).body.result.tools),
      named((await rpc(gateway, token, "/mcp", "tools/list")).body.result.tools)
    ];
    for (const names of offered) {
      expect(names).not.toContain(operation);
      expect(names).toEqual(expect.arrayContaining(OPERATIONS.filter((other) => other !== operation)));
    }
    const pages = operation === "list_tree" ? `${AGENT}/search?query=shared` : `${AGENT}/tree?parentPath=pages`;
    const links = [...(await gateway.get(pages, { token })).text.matchAll(/"\/openapi\/v2\/[^"]+"/g)].map(
      ([link]) => link
    );
    for (const link of links) expect((await gateway.get(JSON.parse(link), { token })).status, link).toBe(200);
    expect(links.length).toBeGreaterThan(0);
  });
});

describe("a search of a caller without expand_graph", () => {
  it("has no relationships, which is not a list of none", async () => {
    const { body } = await gateway.get(`${AGENT}/search?query=shared`, { token: gateway.token("no-expand_graph") });
    expect(body.items[0].graphContext.relationships).toBeNull();
    expect(
      (await gateway.get(`${AGENT}/search?query=shared`, { token: gateway.token("all") })).body.items[0].graphContext
        .relationships
    ).toHaveLength(1);
  });
});

describe("a hit whose own expansion is hidden", () => {
  it("has no relationships either", async () => {
    const token = gateway.token("narrow");
    expect((await gateway.get(`${AGENT}/graph/expand?fileId=${id()}`, { token })).body.error.code).toBe("NOT_FOUND");
    const { items } = (await gateway.get(`${AGENT}/search?query=shared`, { token })).body;
    expect(items.map((hit: { graphContext: { relationships: unknown } }) => hit.graphContext.relationships)).toEqual([
      [],
      []
    ]);
  });
});

describe("viewer", () => {
  const grantsOf = async (tenant: string) => {
    const query = "{ viewer { grants { knowledgeBase operations hasPathRules } } }";
    return (await gateway.graphql(query, undefined, { token: gateway.token(tenant) })).body.data.viewer.grants;
  };
  const upper = (names: readonly string[]) => names.map((name) => name.toUpperCase());

  it.each(OPERATIONS)("lists all that the caller may do, and not %s", async (operation) => {
    const operations = upper(OPERATIONS.filter((other) => other !== operation));
    expect(await grantsOf(`no-${operation}`)).toEqual([{ knowledgeBase: "handbook", operations, hasPathRules: false }]);
  });

  it("lists what one knowledge base is granted beside its upstream", async () => {
    expect(await grantsOf("both")).toEqual([
      { knowledgeBase: "handbook", operations: ["READ_FILE", "LIST_TREE"], hasPathRules: true },
      { knowledgeBase: null, operations: ["LIST_TREE"], hasPathRules: false }
    ]);
    const { result } = (await rpc(gateway, gateway.token("both"), "/mcp", "tools/list")).body;
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
      "list_knowledge_bases",
      "read_file",
      "list_tree"
    ]);
  });
});
