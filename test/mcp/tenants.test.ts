/** Many callers at one endpoint, each with what it is granted. */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { errorOf, type McpOver, mcpOver, textOf } from "./listening.ts";

const RED = "knowledge-base-00000000-0000-4000-8000-00000000000a";
const BLUE = "knowledge-base-00000000-0000-4000-8000-00000000000b";
const RANDOM = "knowledge-base-00000000-0000-4000-8000-00000000dead";
const CLIENTS = 50;

let fake: FakeUpstream;
let mcp: McpOver;

beforeAll(async () => {
  const pagesOf = (owner: string) =>
    Array.from({ length: CLIENTS }, (_, n) => ({ path: `pages/${n}.md`, content: `${owner}'s text ${n}` }));
  fake = await fakeUpstream({
    knowledgeBases: [
      { id: RED, name: "Red", pages: pagesOf("red") },
      { id: BLUE, name: "Blue", pages: pagesOf("blue") }
    ]
  });
  mcp = await mcpOver(fake, {
    knowledgeBases: { red: { upstream: "main", id: RED }, blue: { upstream: "main", id: BLUE } },
    tenants: {
      red: { grants: [{ knowledgeBases: ["red"] }] },
      blue: { grants: [{ knowledgeBases: ["blue"] }] },
      both: { grants: [{ knowledgeBases: ["red", "blue"] }] }
    }
  });
});
afterAll(async () => {
  expect(mcp.unexpected).toEqual([]);
  await mcp[Symbol.asyncDispose]();
  await fake.close();
});

const call = (id: unknown, name: string, args: object) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args }
});

describe("50 clients of two tenants with the same JSON-RPC ids", () => {
  it("each receive only their own", async () => {
    const answers = await Promise.all(
      Array.from({ length: CLIENTS }, async (_, n) => {
        const tenant = n % 2 === 0 ? "red" : "blue";
        const { body } = await mcp.post("/mcp", call(1, "read_file", { path: `pages/${n}.md` }), {
          authorization: `Bearer ${tenant}`
        });
        return { expected: `${tenant}'s text ${n}`, body };
      })
    );
    for (const { expected, body } of answers) {
      expect(body.id).toBe(1);
      expect(body.result.structuredContent.content).toBe(expected);
    }
  });

  it("each see only their own in sessions of the official client", async () => {
    const clients = await Promise.all(
      Array.from({ length: 10 }, async (_, n) => ({
        tenant: n % 2 ? "red" : "blue",
        client: await mcp.client("/mcp", n % 2 ? "red" : "blue")
      }))
    );
    const seen = await Promise.all(
      clients.map(async ({ tenant, client }) => {
        const listed = (await client.callTool({ name: "list_knowledge_bases", arguments: {} })) as CallToolResult;
        const { resources } = await client.listResources();
        return { tenant, text: textOf(listed) + JSON.stringify(resources) };
      })
    );
    for (const { tenant, text } of seen) {
      expect(text).toContain(`focowiki://${tenant}/pages/`);
      expect(text).not.toContain(tenant === "red" ? "blue" : "red");
    }
  });
});

describe("a knowledge base that is not granted", () => {
  const everyCall: [string, object][] = [
    ["search_files", { query: "text" }],
    ["read_file", { path: "pages/1.md" }],
    ["list_tree", {}],
    ["get_file", { fileId: "source-file-00000000-0000-4000-8000-000000000001" }],
    ["read_related", { fileId: "source-file-00000000-0000-4000-8000-000000000001" }],
    ["expand_graph", { fileId: "source-file-00000000-0000-4000-8000-000000000001" }]
  ];

  it.each(everyCall)("invariant 2: answers %s like a random one, without an upstream call", async (name, args) => {
    fake.reset();
    const asked = await Promise.all(
      ["blue", BLUE, RANDOM].flatMap((key) => [
        mcp.post("/mcp", call(1, name, { ...args, knowledgeBase: key }), { authorization: "Bearer red" }),
        mcp.post(`/mcp/${key}`, call(1, name, args), { authorization: "Bearer red" })
      ])
    );
    for (const { body } of asked) expect(body).toEqual(asked[0]?.body);
    expect(errorOf(asked[0]?.body.result)).toEqual({
      code: "NOT_FOUND",
      message: "Resource was not found.",
      httpStatus: 404
    });
    expect(fake.count()).toBe(0);
  });

  it("invariant 2: is refused when a client connects, like a random one", async () => {
    fake.reset();
    const ping = { jsonrpc: "2.0", id: 1, method: "ping" };
    const answers = await Promise.all(
      ["blue", BLUE, RANDOM, "../red", "a/b"].map((key) =>
        mcp.post(`/mcp/${encodeURIComponent(key)}`, ping, { authorization: "Bearer red" })
      )
    );
    for (const { status, body } of answers) {
      expect(status).toBe(404);
      expect(body).toEqual(answers[0]?.body);
    }
    await expect(mcp.client("/mcp/blue", "red")).rejects.toThrow(/404/);
    expect(fake.count()).toBe(0);
  });
});

describe("the argument knowledgeBase", () => {
  it("may be left out by who has one", async () => {
    const client = await mcp.client("/mcp", "red");
    const result = (await client.callTool({ name: "read_file", arguments: { path: "pages/7.md" } })) as CallToolResult;
    expect(textOf(result)).toContain("red's text 7");
  });

  it("is asked of who has several, naming them", async () => {
    const client = await mcp.client("/mcp", "both");
    const result = (await client.callTool({ name: "read_file", arguments: { path: "pages/7.md" } })) as CallToolResult;
    expect(errorOf(result)).toMatchObject({
      code: "VALIDATION_ERROR",
      message: "Send knowledgeBase, one of red, blue.",
      details: { field: "knowledgeBase", allowedValues: ["red", "blue"] }
    });
  });

  it.each(["blue", BLUE])("chooses by %s", async (key) => {
    const client = await mcp.client("/mcp", "both");
    const args = { path: "pages/7.md", knowledgeBase: key };
    const result = (await client.callTool({ name: "read_file", arguments: args })) as CallToolResult;
    expect(textOf(result)).toContain("blue's text 7");
  });

  it("changes nothing at /mcp/{kb}", async () => {
    const client = await mcp.client("/mcp/red", "both");
    const args = { path: "pages/7.md", knowledgeBase: "blue" };
    const result = (await client.callTool({ name: "read_file", arguments: args })) as CallToolResult;
    expect(textOf(result)).toContain("red's text 7");
  });
});

describe("list_knowledge_bases", () => {
  it("gives keys that the other tools take, in pages", async () => {
    const client = await mcp.client("/mcp", "both");
    await client.listTools();
    const first = (await client.callTool({
      name: "list_knowledge_bases",
      arguments: { limit: "1" }
    })) as CallToolResult;
    const { items, nextCursor } = first.structuredContent as { items: object[]; nextCursor: string };
    expect(items).toEqual([
      expect.objectContaining({ key: "red", knowledgeBaseId: RED, name: "Red", activeContentRevision: 1 })
    ]);
    expect(textOf(first)).toContain(nextCursor);
    const rest = (await client.callTool({
      name: "list_knowledge_bases",
      arguments: { cursor: nextCursor }
    })) as CallToolResult;
    expect(rest.structuredContent).toMatchObject({ items: [{ key: "blue" }], nextCursor: null });
  });

  it("is no tool where there is no choice", async () => {
    const client = await mcp.client("/mcp/red", "red");
    await expect(client.callTool({ name: "list_knowledge_bases", arguments: {} })).rejects.toMatchObject({
      code: -32602
    });
  });
});
