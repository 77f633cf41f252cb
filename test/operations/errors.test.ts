/** Every error that a caller is answered with counts once, on every surface, whether or not anything was read for it. */
import { describe, expect, it } from "vitest";
import { type FakeRequest, fakeUpstream, internalError, serviceUnavailable } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer, type TestGateway } from "../harness/gateway.ts";
import { sendBytes, sendRequest } from "../harness/raw-http.ts";
import { scrape } from "./scrape.ts";

const TOKEN_OF = "acme";
const MCP_HEADERS = { accept: "application/json, text/event-stream" };

type Asking = (gateway: TestGateway, token: string) => Promise<unknown>;
/** What is asked, and what it adds to the count, by surface and code. */
type Row = readonly [title: string, ask: Asking, counted: Readonly<Record<string, number>>];

const get =
  (path: string): Asking =>
  (gateway, token) =>
    gateway.get(path, { token });
const query =
  (text: string, variables: Record<string, unknown> = {}): Asking =>
  (gateway, token) =>
    gateway.graphql(text, variables, { token });
const graphql =
  (body: unknown, headers: Record<string, string> = {}): Asking =>
  (gateway, token) =>
    gateway.post("/graphql", body, { token, headers });
const rpc =
  (method: string, params: object = {}, path = "/mcp/handbook"): Asking =>
  (gateway, token) =>
    gateway.post(path, { jsonrpc: "2.0", id: 1, method, params }, { token, headers: MCP_HEADERS });

const ROWS: readonly Row[] = [
  ["REST: an unknown route", get("/agent/handbook/nowhere"), { "agent UNSUPPORTED_ROUTE": 1 }],
  ["REST: a route of no surface", get("/nowhere"), { "agent UNSUPPORTED_ROUTE": 1 }],
  ["REST: a bad argument", get("/agent/handbook/search?query=x&limit=x"), { "agent VALIDATION_ERROR": 1 }],
  ["REST: a file that is not there", get("/agent/handbook/files/none"), { "agent NOT_FOUND": 1 }],
  [
    "REST: another method",
    (gateway, token) => gateway.post("/agent/handbook/tree", {}, { token }),
    { "agent METHOD_NOT_ALLOWED": 1 }
  ],
  ["REST: no credential", (gateway) => gateway.get("/agent/handbook/tree"), { "agent UNAUTHORIZED": 1 }],
  ["mirror: no credential", (gateway) => gateway.get("/openapi/v2/knowledge-bases"), { "mirror UNAUTHORIZED": 1 }],
  ["mirror: an unknown route", get("/openapi/v2/nowhere"), { "mirror UNSUPPORTED_ROUTE": 1 }],
  ["mirror: a knowledge base that is not there", get("/openapi/v2/knowledge-bases/none"), { "mirror NOT_FOUND": 1 }],
  [
    "a foreign Origin",
    (gateway, token) => gateway.get("/agent/handbook/tree", { token, headers: { origin: "https://evil.example" } }),
    { "agent FORBIDDEN": 1 }
  ],
  [
    "a body above the limit",
    (gateway, token) => gateway.post("/agent/handbook/tools/search_files", { query: "x".repeat(3000) }, { token }),
    { "agent PAYLOAD_TOO_LARGE": 1 }
  ],
  [
    "what is not HTTP",
    (gateway) => sendBytes(gateway.url, Buffer.from("nonsense\r\n\r\n")),
    { "agent BAD_REQUEST": 1 }
  ],
  [
    "a target with ..",
    (gateway) => sendRequest(gateway.url, { target: "/agent/../graphql" }),
    { "agent INVALID_PATH": 1 }
  ],
  ["GraphQL: no credential", (gateway) => gateway.graphql("{ viewer { tenant } }"), { "graphql UNAUTHORIZED": 1 }],
  ["GraphQL: not a document", query("{"), { "graphql GRAPHQL_PARSE_FAILED": 1 }],
  ["GraphQL: three unknown fields", query("{ a b c }"), { "graphql GRAPHQL_VALIDATION_FAILED": 3 }],
  [
    "GraphQL: a variable of the wrong type",
    query("query ($key: String!) { knowledgeBase(key: $key) { name } }", { key: 5 }),
    { "graphql BAD_USER_INPUT": 1 }
  ],
  ["GraphQL: too deep", query(`{ ${"a { ".repeat(40)} b ${"} ".repeat(40)} }`), { "graphql QUERY_TOO_COMPLEX": 1 }],
  [
    "GraphQL: a bad argument",
    query('{ knowledgeBase(key: "handbook") { tree(first: -1) { edges { cursor } } } }'),
    { "graphql VALIDATION_ERROR": 1 }
  ],
  ["GraphQL: null for what is not there is no error", query('{ knowledgeBase(key: "none") { name } }'), {}],
  [
    "GraphQL: a body that is not JSON",
    graphql("{", { "content-type": "application/json" }),
    { "graphql BAD_REQUEST": 1 }
  ],
  ["GraphQL: a batch", graphql([{ query: "{ viewer { tenant } }" }]), { "graphql BAD_REQUEST": 1 }],
  [
    "GraphQL: another method",
    (gateway, token) => sendRequest(gateway.url, { method: "DELETE", target: "/graphql", headers: bearer(token) }),
    { "graphql METHOD_NOT_ALLOWED": 1 }
  ],
  [
    "GraphQL: another media type",
    graphql({ query: "{ viewer { tenant } }" }, { accept: "text/plain" }),
    { "graphql NOT_ACCEPTABLE": 1 }
  ],
  [
    "GraphQL: an operation that nobody registered",
    graphql({ extensions: { persistedQuery: { version: 1, sha256Hash: "0".repeat(64) } } }),
    { "graphql PERSISTED_QUERY_NOT_FOUND": 1 }
  ],
  [
    "GraphQL: in parts",
    graphql(
      { query: '{ knowledgeBase(key: "handbook") { name ... @defer { tree(first: -1) { edges { cursor } } } } }' },
      { accept: "multipart/mixed" }
    ),
    { "graphql VALIDATION_ERROR": 1 }
  ],
  ["MCP: no credential", (gateway) => gateway.post("/mcp", {}), { "mcp UNAUTHORIZED": 1 }],
  ["MCP: another method", get("/mcp/handbook"), { "mcp METHOD_NOT_ALLOWED": 1 }],
  [
    "MCP: not JSON",
    (gateway, token) =>
      gateway.post("/mcp", "{", { token, headers: { ...MCP_HEADERS, "content-type": "application/json" } }),
    { "mcp BAD_REQUEST": 1 }
  ],
  [
    "MCP: not JSON-RPC",
    (gateway, token) => gateway.post("/mcp", { hello: 1 }, { token, headers: MCP_HEADERS }),
    { "mcp BAD_REQUEST": 1 }
  ],
  [
    "MCP: another media type",
    (gateway, token) =>
      gateway.post("/mcp", { jsonrpc: "2.0", id: 1, method: "ping" }, { token, headers: { accept: "text/plain" } }),
    { "mcp NOT_ACCEPTABLE": 1 }
  ],
  ["MCP: a knowledge base that is not there", rpc("tools/list", {}, "/mcp/none"), { "mcp NOT_FOUND": 1 }],
  ["MCP: no such method", rpc("no/such"), { "mcp BAD_REQUEST": 1 }],
  ["MCP: no such tool", rpc("tools/call", { name: "none" }), { "mcp VALIDATION_ERROR": 1 }],
  [
    "MCP: a bad argument",
    rpc("tools/call", { name: "search_files", arguments: { query: "x", limit: "x" } }),
    { "mcp VALIDATION_ERROR": 1 }
  ],
  [
    "MCP: a file that is not there",
    rpc("tools/call", { name: "get_file", arguments: { fileId: "none" } }),
    { "mcp NOT_FOUND": 1 }
  ],
  ["MCP: no such resource", rpc("resources/read", { uri: "nothing" }), { "mcp VALIDATION_ERROR": 1 }],
  ["MCP: initialize without a version", rpc("initialize"), { "mcp VALIDATION_ERROR": 1 }],
  ["MCP: ping is no error", rpc("ping"), {}]
];

function bearer(token: string): readonly (readonly [string, string])[] {
  return [["Authorization", `Bearer ${token}`]];
}

/** The count of errors by surface and code. */
async function counted(gateway: TestGateway): Promise<Readonly<Record<string, number>>> {
  const found: Record<string, number> = {};
  for (const [sample, value] of await scrape(gateway)) {
    const labels = /^focowiki_gateway_errors_total\{surface="(?<surface>.*)",code="(?<code>.*)"\}$/.exec(
      sample
    )?.groups;
    if (labels) found[`${labels.surface} ${labels.code}`] = value;
  }
  return found;
}

function over(upstream: { readonly url: string; readonly key: string }, ids: readonly string[]) {
  const [handbook, other] = ids;
  return {
    upstreams: { main: upstream },
    knowledgeBases: {
      handbook: { upstream: "main", id: handbook! },
      ...(other === undefined ? {} : { other: { upstream: "main", id: other } })
    },
    tenants: {
      [TOKEN_OF]: {
        grants: [{ knowledgeBases: ["handbook", ...(other === undefined ? [] : ["other"])] }],
        limits: { bodyBytes: 2000 }
      }
    },
    config: { graphql: { persistedOperations: "allow" as const } }
  };
}

describe("errors by code", () => {
  it.each(ROWS)("%s", async (_title, ask, expected) => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway(over(upstream, [upstream.knowledgeBase().id]));
    await ask(gateway, gateway.token(TOKEN_OF));
    expect(await counted(gateway)).toEqual(expected);
  });

  it("a tenant over its rate counts on each surface", async () => {
    await using upstream = await fakeUpstream();
    const options = over(upstream, [upstream.knowledgeBase().id]);
    const tenants = { [TOKEN_OF]: { ...options.tenants[TOKEN_OF]!, limits: { requestsPerMinute: 1 } } };
    await using gateway = await startGateway({ ...options, tenants });
    const token = gateway.token(TOKEN_OF);
    await gateway.get("/openapi/v2/health", { token });
    for (const ask of [get("/agent/handbook/tree"), get("/openapi/v2/health"), query("{ a }"), rpc("ping")]) {
      await ask(gateway, token);
    }
    const once = Object.fromEntries(["agent", "mirror", "graphql", "mcp"].map((name) => [`${name} RATE_LIMITED`, 1]));
    expect(await counted(gateway)).toEqual(once);
  });

  it("a read that fails counts once, also where it was tried again; a failed source of a search counts too", async () => {
    await using upstream = await fakeUpstream({
      knowledgeBases: [{ id: "knowledge-base-1" }, { id: "knowledge-base-2" }]
    });
    const ids = ["knowledge-base-1", "knowledge-base-2"];
    await using gateway = await startGateway(over(upstream, ids));
    const token = gateway.token(TOKEN_OF);
    upstream.on("getHealth", internalError());
    await gateway.get("/openapi/v2/health", { token });
    const isOfFirst = ({ operation, path }: FakeRequest) =>
      operation === "searchGeneratedFiles" && path.includes("knowledge-base-1");
    upstream.on(isOfFirst, serviceUnavailable("SEARCH_UNAVAILABLE"));
    const found: TestAnswer = await gateway.get("/agent/search?query=common", { token });
    expect(found.status, found.text).toBe(200);
    expect(found.body.sources.filter(({ error }: { error: unknown }) => error !== null)).toHaveLength(1);
    expect(await counted(gateway)).toEqual({ "mirror INTERNAL_ERROR": 1, "agent SEARCH_UNAVAILABLE": 1 });
  });

  it("a caller who left was not answered", async () => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway(over(upstream, [upstream.knowledgeBase().id]));
    upstream.on("listKnowledgeBaseTree", { fault: "hang" });
    const leaving = new AbortController();
    const asked = gateway.get("/agent/handbook/tree", { token: gateway.token(TOKEN_OF), signal: leaving.signal });
    await expect.poll(() => upstream.count("listKnowledgeBaseTree")).toBe(1);
    leaving.abort();
    await expect(asked).rejects.toThrow();
    const left = 'focowiki_gateway_requests_total{surface="agent",operation="listKnowledgeBaseTree",status="499"}';
    await expect.poll(async () => (await scrape(gateway)).get(left)).toBe(1);
    expect(await counted(gateway)).toEqual({});
  });
});
