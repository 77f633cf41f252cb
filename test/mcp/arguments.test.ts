/** Arguments as agents send them: what is meant is understood, and what cannot be meant is told to the model. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { errorOf, type McpOver, mcpOver } from "./listening.ts";

let fake: FakeUpstream;
let mcp: McpOver;

beforeAll(async () => {
  fake = await fakeUpstream();
  mcp = await mcpOver(fake);
});
afterAll(async () => {
  await mcp[Symbol.asyncDispose]();
  await fake.close();
});

/** tools/call with whatever stands for its arguments, past a client that would refuse to send it. */
async function listTree(params: Record<string, unknown>) {
  const message = { jsonrpc: "2.0", id: 7, method: "tools/call", params: { name: "list_tree", ...params } };
  const { status, body } = await mcp.post("/mcp", message);
  expect(status).toBe(200);
  expect(body).toMatchObject({ jsonrpc: "2.0", id: 7 });
  return body.result;
}

describe("arguments of a tool call", () => {
  it.each([
    ["left out", {}],
    ["{}", { arguments: {} }],
    ["null", { arguments: null }],
    ["nulls and numbers as text", { arguments: { parentPath: "", cursor: null, limit: "50" } }],
    ["root", { arguments: { parentPath: "root" } }],
    ["a slash", { arguments: { parentPath: "/" } }],
    ["an empty cursor", { arguments: { cursor: "" } }],
    ["fields too many", { arguments: { recursive: true, path: "x", knowledgeBase: null } }]
  ])("list_tree with %s is the first page of the root", async (_what, params) => {
    const result = await listTree(params);
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent.items.map((item: { path: string }) => item.path)).toEqual([
      "_graph",
      "_index",
      "index.md",
      "log.md",
      "pages"
    ]);
  });

  it("list_tree with a slash at the end is that directory", async () => {
    const [plain, slash] = [
      await listTree({ arguments: { parentPath: "pages" } }),
      await listTree({ arguments: { parentPath: "pages/" } })
    ];
    expect(slash.structuredContent).toEqual(plain.structuredContent);
    expect(plain.structuredContent.items.length).toBeGreaterThan(1);
  });

  it.each(["ten", "1e2", true, 1.5, [], 0, -1, 501])(
    "invariant 8: a limit of %j is an error naming limit",
    async (limit) => {
      const result = await listTree({ arguments: { limit } });
      expect(errorOf(result)).toMatchObject({ code: "VALIDATION_ERROR", details: { field: "limit" } });
      expect(result).not.toHaveProperty("structuredContent");
    }
  );

  it("invariant 5: a cursor of null as text tells how to start again", async () => {
    expect(errorOf(await listTree({ arguments: { cursor: "null" } }))).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { field: "cursor", restart: true }
    });
  });

  it.each([["text"], [["a", "list"]], [7]])(
    "arguments that are %j are a tool's error, not the protocol's",
    async (given) => {
      const result = await listTree({ arguments: given });
      expect(errorOf(result)).toMatchObject({ code: "VALIDATION_ERROR", details: { field: "arguments" } });
    }
  );

  it.each([
    [{}, "fileId"],
    [{ fileId: "a", path: "b" }, "fileId"]
  ])("read_file with %j says that exactly one is needed", async (args, field) => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "read_file", arguments: args } };
    const { body } = await mcp.post("/mcp", message);
    expect(errorOf(body.result).details).toMatchObject({ field });
    expect(errorOf(body.result).message).toMatch(/exactly one of fileId or path/);
  });
});
