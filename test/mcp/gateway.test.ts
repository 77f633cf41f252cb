/** MCP behind the whole gateway: who gets in, in which form refusals come, and that it reads as the tool posts do. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";
import { textOf } from "./listening.ts";

const KB = "knowledge-base-00000000-0000-4000-8000-000000000001";
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

let fake: FakeUpstream;
let gateway: TestGateway;
let client: Client;

beforeAll(async () => {
  fake = await fakeUpstream({
    knowledgeBases: [
      {
        id: KB,
        pages: [
          { path: "pages/cache.md", content: "The cache.\n" },
          { path: "pages/b.md" },
          { path: "pages/secret/c.md" }
        ],
        relations: [
          { from: "pages/cache.md", to: "pages/b.md" },
          { from: "pages/cache.md", to: "pages/secret/c.md" }
        ]
      }
    ]
  });
  gateway = await startGateway({
    upstreams: { main: fake },
    knowledgeBases: { handbook: { upstream: "main", id: KB } },
    tenants: {
      acme: {
        grants: [{ knowledgeBases: ["handbook"], paths: { allow: ["pages/**"], deny: ["pages/secret/**"] } }],
        limits: { bodyBytes: 2000 }
      },
      reads: { grants: [{ knowledgeBases: ["handbook"], operations: ["read_file"] }] },
      whole: { grants: [{ upstream: "main" }] }
    },
    // Nothing is kept, so that both surfaces have to ask.
    config: { cache: { maxBytes: 0, revisionCheckMs: 0 }, audit: { file: "-" } }
  });
  client = await connect("acme");
});
afterAll(async () => {
  await client?.close();
  await gateway?.close();
  await fake?.close();
});

async function connect(tenant: string, path = "/mcp/handbook"): Promise<Client> {
  const connected = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${gateway.token(tenant)}` } };
  await connected.connect(new StreamableHTTPClientTransport(new URL(gateway.url + path), { requestInit }));
  return connected;
}

const call = async (from: Client, name: string, args: Record<string, unknown>) =>
  (await from.callTool({ name, arguments: args })) as CallToolResult;

const id = (path: string) => fake.fileId(path);
const QUESTIONS: [string, string, () => Record<string, unknown>][] = [
  ["hits", "search_files", () => ({ query: "cache" })],
  ["no hits", "search_files", () => ({ query: "zzqqxxyy" })],
  ["a limit that is too large", "search_files", () => ({ query: "cache", limit: 51 })],
  ["a file", "read_file", () => ({ path: "pages/cache.md" })],
  ["a hidden file", "read_file", () => ({ path: "pages/secret/c.md" })],
  ["a hidden file by id", "read_file", () => ({ fileId: id("pages/secret/c.md") })],
  ["neither id nor path", "read_file", () => ({})],
  ["the root", "list_tree", () => ({})],
  ["a page of one", "list_tree", () => ({ parentPath: "pages", limit: "1" })],
  ["a foreign cursor", "list_tree", () => ({ cursor: "AAAA" })],
  ["metadata", "get_file", () => ({ fileId: id("pages/cache.md") })],
  ["an id that is a path", "get_file", () => ({ fileId: "../x" })],
  ["relations", "read_related", () => ({ fileId: id("pages/cache.md") })],
  ["an expansion", "expand_graph", () => ({ fileId: id("pages/cache.md"), depth: 2 })]
];

describe("invariant 1: MCP and the tool posts", () => {
  it.each(QUESTIONS)("%s (%s): the same answer or error, for the same upstream calls", async (_what, tool, argsOf) => {
    const args = argsOf();
    fake.reset();
    const post = await gateway.post(`/agent/handbook/tools/${tool}`, args, { token: gateway.token("acme") });
    const asked = fake.requests.map((request) => request.target).sort();
    fake.reset();
    const result = await call(client, tool, args);
    expect(fake.requests.map((request) => request.target).sort()).toEqual(asked);
    expect(result.isError ?? false).toBe(post.status !== 200);
    if (post.status === 200) expect(result.structuredContent).toEqual(post.body);
    else expect(JSON.parse(textOf(result)).error).toEqual(post.body.error);
  });

  it("keep an operation that is not granted from the caller alike", async () => {
    const other = await connect("reads");
    const post = await gateway.post("/agent/handbook/tools/list_tree", {}, { token: gateway.token("reads") });
    const result = await call(other, "list_tree", {});
    expect(post.status).toBe(403);
    expect(JSON.parse(textOf(result)).error).toEqual(post.body.error);
    await other.close();
  });
});

describe("refusals before a message is read", () => {
  it.each([
    ["no credential", {}, 401, "UNAUTHORIZED"],
    ["a foreign Origin", { origin: "https://evil.example" }, 403, "FORBIDDEN"],
    ["an opaque Origin", { origin: "null" }, 403, "FORBIDDEN"]
  ])("%s is a JSON-RPC error", async (_what, headers, status, code) => {
    for (const path of ["/mcp", "/mcp/handbook"]) {
      const answer = await gateway.post(path, PING, { headers });
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32000, data: { code } } });
      expect(answer.body.error.data.requestId).toBe(answer.headers.get("x-request-id"));
    }
  });

  it("invariant 10: a body past the tenant's limit is one", async () => {
    const answer = await gateway.post(
      "/mcp",
      { ...PING, params: { pad: "x".repeat(3000) } },
      { token: gateway.token("acme") }
    );
    expect([answer.status, answer.body.error.data.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  it("invariant 10: a batch is one, however many it has, and asks nothing of the upstream", async () => {
    fake.reset();
    const search = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_tree", arguments: {} } };
    const answer = await gateway.post(
      "/mcp",
      Array.from({ length: 10 }, (_, n) => ({ ...search, id: n })),
      {
        token: gateway.token("acme")
      }
    );
    expect([answer.status, answer.body.error.code]).toEqual([400, -32600]);
    expect(fake.count()).toBe(0);
  });

  it("invariant 2: a knowledge base that is not granted is one, like a random one", async () => {
    const keys = ["other", "knowledge-base-00000000-0000-4000-8000-00000000dead"];
    for (const key of keys) {
      const answer = await gateway.post(`/mcp/${key}`, PING, { token: gateway.token("acme") });
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({
        jsonrpc: "2.0",
        id: null,
        error: {
          code: -32002,
          message: "Resource was not found.",
          data: {
            code: "NOT_FOUND",
            message: "Resource was not found.",
            httpStatus: 404,
            requestId: expect.stringMatching(/^req-/)
          }
        }
      });
    }
  });
});

describe("a knowledge base that does not exist, for a caller who is granted its whole upstream", () => {
  it("is refused when a client connects, and has no tools", async () => {
    const missing = "knowledge-base-00000000-0000-4000-8000-00000000dead";
    await expect(connect("whole", `/mcp/${missing}`)).rejects.toThrow(/404/);
    for (const method of ["initialize", "tools/list", "ping"]) {
      const request = { token: gateway.token("whole") };
      const { status, body } = await gateway.post(`/mcp/${missing}`, { ...PING, method }, request);
      expect([status, body.error.data.code]).toEqual([404, "NOT_FOUND"]);
    }
    const { status, body } = await gateway.get(`/agent/${missing}/tools`, { token: gateway.token("whole") });
    expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
    await (await connect("whole", `/mcp/${KB}`)).close();
  });
});

it("every read of a tool call is in the audit log, as MCP's", async () => {
  const before = gateway.audit.length;
  await call(client, "read_file", { path: "pages/cache.md" });
  await call(client, "read_file", { path: "pages/secret/c.md" });
  const lines = gateway.audit.slice(before);
  expect(lines).toHaveLength(2);
  for (const line of lines) expect(line).toMatchObject({ tenant: "acme", surface: "mcp" });
});
