/** The audit log of a running gateway: a line a read, denied and cached ones included, never content and never a key. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";
import type { Operation } from "./caller.ts";
import { rpc, SURFACE_NAMES, SURFACES } from "./surfaces.ts";

const ID = "knowledge-base-11111111-1111-4111-8111-111111111111";
const SECRETS = ["the-words-of-the-page", "the-words-of-the-query", "the-upstream-key-0123"];

let upstream: FakeUpstream;
let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  upstream = await fakeUpstream({
    key: SECRETS[2] ?? "",
    knowledgeBases: [
      {
        id: ID,
        pages: [
          { path: "pages/a.md", content: `shared ${SECRETS[0]}`, title: `Title of ${SECRETS[0]}` },
          { path: "pages/hr/b.md", content: `shared ${SECRETS[0]}` }
        ]
      }
    ]
  });
  gateway = await startGateway({
    upstreams: { main: upstream },
    knowledgeBases: { handbook: { upstream: "main", id: ID } },
    tenants: {
      acme: {
        grants: [
          {
            knowledgeBases: ["handbook"],
            operations: ["list_tree", "search_files", "read_file", "get_file", "read_related"],
            paths: { deny: ["pages/hr/**"] }
          }
        ]
      }
    },
    config: { audit: { file: "-" }, cache: { revisionCheckMs: 60_000 } }
  });
  token = gateway.token("acme");
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** The lines that a request leaves. */
async function linesOf(ask: () => Promise<unknown>): Promise<readonly Record<string, unknown>[]> {
  const before = gateway.audit.length;
  await ask();
  return gateway.audit.slice(before);
}

const WHO = {
  tenant: "acme",
  subject: "test",
  requestId: expect.stringMatching(/^req-/),
  time: expect.stringMatching(/Z$/)
};
const NAMES: Readonly<Record<string, string>> = {
  mirror: "mirror",
  agent: "agent",
  compact: "agent",
  tool: "agent",
  graphql: "graphql",
  mcp: "mcp",
  boundMcp: "mcp"
};

describe.each(SURFACE_NAMES)("through %s", (surface) => {
  const ask = (operation: Operation, args: Record<string, string>) =>
    linesOf(() => SURFACES[surface](gateway, token, { operation, key: "handbook", id: ID, args }));
  const line = { ...WHO, surface: NAMES[surface], knowledgeBase: "handbook", milliseconds: expect.any(Number) };

  it("a read leaves a line with its file, and the same read from the cache leaves one too", async () => {
    const fileId = upstream.fileId("pages/a.md", ID);
    const first = await ask("read_file", { fileId });
    const again = await ask("read_file", { fileId });
    const expected = { ...line, operation: "getFileContentById", target: fileId, outcome: "OK" };
    expect(first).toMatchObject([expected]);
    expect(again).toMatchObject([{ ...expected, upstreamCalls: 0 }]);
  });

  it("a read of what is hidden leaves a line, and one of what is not granted leaves one that cost nothing", async () => {
    const path = "pages/hr/b.md";
    expect(await ask("read_file", { path })).toMatchObject([
      { ...line, operation: "getFileContentByPath", target: path, outcome: "NOT_FOUND", upstreamCalls: 0 }
    ]);
    const fileId = upstream.fileId("pages/a.md", ID);
    expect(await ask("expand_graph", { fileId })).toMatchObject([
      { ...line, operation: "expandGraph", target: fileId, outcome: "FORBIDDEN", upstreamCalls: 0 }
    ]);
  });

  it("a search and a listing leave a line without words", async () => {
    const [searched] = await ask("search_files", { query: SECRETS[1] ?? "" });
    expect(searched).toMatchObject({ ...line, operation: "searchGeneratedFiles", target: null, outcome: "OK" });
    const [listed] = await ask("list_tree", { parentPath: "pages" });
    expect(listed).toMatchObject({ ...line, operation: "listKnowledgeBaseTree", target: "pages", outcome: "OK" });
  });

  it("a knowledge base that is not granted leaves a line", async () => {
    const lines = await linesOf(() =>
      SURFACES[surface](gateway, token, { operation: "list_tree", key: "ledger", id: "ledger", args: {} })
    );
    expect(lines).toMatchObject([{ ...WHO, knowledgeBase: "ledger", outcome: "NOT_FOUND", upstreamCalls: 0 }]);
  });

  it("what the upstream refuses leaves the upstream's request id", async () => {
    const requestId = "req-00000000-0000-4000-8000-00000000abcd";
    const error = { code: "RATE_LIMITED", message: "x", httpStatus: 429 };
    const takeBack = upstream.on("getFileContentByPath", {
      status: 429,
      headers: { "x-request-id": requestId },
      body: { error, requestId }
    });
    const [first] = await ask("read_file", { path: `pages/none-${surface}.md` });
    takeBack();
    expect(first).toMatchObject({ ...line, outcome: "RATE_LIMITED", upstreamRequestId: requestId });
  });
});

it("every operation of one request leaves its line under the request's id", async () => {
  const query =
    '{ a: knowledgeBase(key: "handbook") { name } b: knowledgeBase(key: "handbook") { tree { edges { cursor } } } }';
  const lines = await linesOf(() => gateway.graphql(query, undefined, { token }));
  expect(lines.map(({ operation }) => operation).sort()).toEqual(["getKnowledgeBase", "listKnowledgeBaseTree"]);
  expect(new Set(lines.map(({ requestId }) => requestId)).size).toBe(1);
  const resources = await linesOf(() => rpc(gateway, token, "/mcp/handbook", "resources/list"));
  // That the knowledge base exists is read before its files are listed.
  const operations = new Set(resources.map(({ operation }) => operation));
  expect([...operations].sort()).toEqual(["getKnowledgeBase", "listKnowledgeBaseTree"]);
});

it("no line holds content, a query, a title, a key or an address", () => {
  expect(gateway.audit.length).toBeGreaterThan(30);
  const { port } = new URL(upstream.url);
  for (const secret of [...SECRETS, token, `:${port}`, "Title of"]) {
    expect(gateway.written.filter((line) => line.includes(secret))).toEqual([]);
  }
});
