/** Every tool in every state, called by the official client, which checks structured content against output schemas. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { callTool } from "../../src/tools/call.ts";
import type { Operation } from "../../src/upstream/operations.ts";
import {
  type FakeUpstream,
  fakeUpstream,
  notFoundAnswer,
  rateLimited,
  serviceUnavailable
} from "../harness/fake-upstream.ts";
import { errorOf, type McpOver, mcpOver, REQUEST_ID, textOf } from "./listening.ts";

const KB = "knowledge-base-00000000-0000-4000-8000-000000000001";
const NO_FILE = "source-file-00000000-0000-4000-8000-00000000dead";

let fake: FakeUpstream;
let mcp: McpOver;
let client: Client;

beforeAll(async () => {
  fake = await fakeUpstream({
    knowledgeBases: [
      {
        id: KB,
        pages: [
          {
            path: "pages/cache.md",
            title: "Cache: how [it] works",
            content: "# Cache\n\nThe cache holds 😀.\n",
            tags: ["a"]
          },
          { path: "pages/deep/pages.md", title: "Pages", content: "The cache has pages.\n" },
          { path: "pages/empty.md", content: "" }
        ],
        relations: [{ from: "pages/cache.md", to: "pages/deep/pages.md", reason: null }]
      }
    ]
  });
  mcp = await mcpOver(fake, { knowledgeBases: { handbook: { upstream: "main", id: KB } } });
  client = await mcp.client("/mcp/handbook");
  await client.listTools();
});
afterEach(() => fake.reset());
afterAll(async () => {
  expect(mcp.unexpected).toEqual([]);
  await mcp[Symbol.asyncDispose]();
  await fake.close();
});

async function call(name: string, args: Record<string, unknown>): Promise<CallToolResult> {
  return (await client.callTool({ name, arguments: args })) as CallToolResult;
}

/** Every string under one of the names, wherever it lies. */
function strings(value: unknown, names: readonly string[]): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === "string" && names.includes(name) ? [inner] : strings(inner, names)
  );
}

interface Row {
  readonly tool: string;
  readonly operation: Operation;
  /** Arguments that find something, and find nothing; functions, because ids are the fake's. */
  readonly ok: () => Record<string, unknown>;
  readonly empty: () => Record<string, unknown>;
  readonly isEmpty: Record<string, unknown>;
  readonly absent: Record<string, unknown> | null;
  readonly wrong: Record<string, unknown>;
  readonly field: string;
}

const id = (path: string) => fake.fileId(path);
const TABLE: readonly Row[] = [
  {
    tool: "search_files",
    operation: "searchGeneratedFiles",
    ok: () => ({ query: "cache" }),
    empty: () => ({ query: "zzqqxxyy" }),
    isEmpty: { items: [], searchStatus: "no_candidates" },
    absent: null,
    wrong: { query: "cache", limit: 51 },
    field: "limit"
  },
  {
    tool: "read_file",
    operation: "getFileContentById",
    ok: () => ({ fileId: id("pages/cache.md") }),
    empty: () => ({ fileId: id("pages/empty.md") }),
    isEmpty: { content: "" },
    absent: { fileId: NO_FILE },
    wrong: { fileId: NO_FILE, path: "pages/cache.md" },
    field: "fileId"
  },
  {
    tool: "list_tree",
    operation: "listKnowledgeBaseTree",
    ok: () => ({ parentPath: "pages/" }),
    empty: () => ({ parentPath: "pages/nowhere" }),
    isEmpty: { items: [], nextCursor: null },
    absent: null,
    wrong: { entryType: "symlink" },
    field: "entryType"
  },
  {
    tool: "get_file",
    operation: "getFileById",
    ok: () => ({ fileId: id("pages/cache.md") }),
    empty: () => ({ fileId: id("pages/empty.md") }),
    isEmpty: { tags: [], frontmatter: {} },
    absent: { fileId: NO_FILE },
    wrong: {},
    field: "fileId"
  },
  {
    tool: "read_related",
    operation: "listRelatedFiles",
    ok: () => ({ fileId: id("pages/cache.md") }),
    empty: () => ({ fileId: id("pages/empty.md") }),
    isEmpty: { items: [], nextCursor: null },
    absent: { fileId: NO_FILE },
    wrong: { fileId: "../x" },
    field: "fileId"
  },
  {
    tool: "expand_graph",
    operation: "expandGraph",
    ok: () => ({ fileId: id("pages/cache.md") }),
    empty: () => ({ fileId: id("pages/empty.md") }),
    isEmpty: { relationships: [], nextCursor: null },
    absent: { fileId: NO_FILE },
    wrong: { fileId: NO_FILE, depth: 3 },
    field: "depth"
  }
];

describe.each(TABLE)("$tool", ({ tool, operation, ok, empty, isEmpty, absent, wrong, field }) => {
  it("invariant 1: answers as the tool post does, and its text suffices to go on", async () => {
    const result = await call(tool, ok());
    expect(result.isError).toBeUndefined();
    const reader = mcp.reader();
    expect(result.structuredContent).toEqual(
      await callTool(reader, await reader.knowledgeBase("handbook"), tool, ok())
    );
    const text = textOf(result);
    const needed = strings(result.structuredContent, [
      "fileId",
      "path",
      "graphRef",
      "fileContentById",
      "fileContentByPath"
    ]);
    expect(needed.length).toBeGreaterThan(1);
    for (const word of needed) expect(text).toContain(word);
  });

  it("answers nothing as a success", async () => {
    const result = await call(tool, empty());
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent).toMatchObject(isEmpty);
  });

  it("tells what is wrong with an argument, without an upstream call", async () => {
    const result = await call(tool, wrong);
    expect(result.isError).toBe(true);
    expect(errorOf(result)).toMatchObject({ code: "VALIDATION_ERROR", httpStatus: 422, details: { field } });
    expect(errorOf(result).message).toContain(field);
    expect(fake.countReads()).toBe(0);
  });

  it.each([
    ["404", notFoundAnswer(), { code: "NOT_FOUND", httpStatus: 404 }],
    ["429", rateLimited(15), { code: "RATE_LIMITED", httpStatus: 429, details: { retryAfterSeconds: 15 } }],
    ["503", serviceUnavailable(), { code: "DATABASE_REPOSITORY_UNAVAILABLE", httpStatus: 503 }]
  ])(
    "invariant 4: says an upstream's %s as the error object, and has no structured content",
    async (_status, answer, expected) => {
      // A gateway that has cached nothing, and whose upstream's pause after a 429 is nobody else's.
      await using fresh = await mcpOver(fake, { knowledgeBases: { handbook: { upstream: "main", id: KB } } });
      fake.on(operation, answer);
      const caller = await fresh.client("/mcp/handbook");
      const result = (await caller.callTool({ name: tool, arguments: ok() })) as CallToolResult;
      expect(result.isError).toBe(true);
      expect(result).not.toHaveProperty("structuredContent");
      expect(errorOf(result)).toMatchObject(expected);
      expect(JSON.parse(textOf(result)).requestId).toMatch(/^req-/);
    }
  );

  it.runIf(absent !== null)("invariant 2: says what does not exist with the gateway's own request id", async () => {
    const result = await call(tool, absent ?? {});
    expect(JSON.parse(textOf(result))).toEqual({
      error: { code: "NOT_FOUND", message: "Resource was not found.", httpStatus: 404 },
      requestId: REQUEST_ID
    });
  });
});

describe("a tool's text", () => {
  it("ends with a file's content, as it is written", async () => {
    const text = textOf(await call("read_file", { path: "pages/cache.md" }));
    expect(text).toMatch(/^file:\n {2}activeContentRevision: 1\n {2}fileId: source-file-/);
    expect(text.endsWith("\n---\n# Cache\n\nThe cache holds 😀.\n")).toBe(true);
  });

  it("carries the cursor that leads to the next page", async () => {
    const first = await call("list_tree", { limit: 1 });
    const cursor = /^nextCursor: (\S+)$/m.exec(textOf(first))?.[1];
    expect(first.structuredContent).toMatchObject({ nextCursor: cursor });
    const second = await call("list_tree", { limit: 1, cursor });
    expect(second.structuredContent).toMatchObject({ items: [{ path: "_index" }] });
  });
});

describe("a file in parts", () => {
  it("comes whole where it fits, and in parts where they are asked for", async () => {
    const args = { path: "pages/cache.md" };
    expect((await call("read_file", args)).structuredContent).not.toHaveProperty("offset");
    const part = await call("read_file", { ...args, offset: "25" });
    expect(part.structuredContent).toMatchObject({
      content: "😀.\n",
      offset: 25,
      nextOffset: null,
      totalCharacters: 28
    });
    expect(errorOf(await call("read_file", { ...args, offset: 29 })).details).toMatchObject({
      field: "offset",
      limit: 28
    });
  });

  it("passes the tenant's limit only in parts that go on", async () => {
    const text = "中😀é\n".repeat(50);
    await using big = await fakeUpstream({
      knowledgeBases: [{ id: KB, pages: [{ path: "pages/big.md", content: text }] }]
    });
    await using limited = await mcpOver(big, {
      tenants: { acme: { grants: [{ upstream: "main" }], limits: { mcpContentBytes: 99 } } }
    });
    const reading = await limited.client("/mcp", "acme");
    let read = "";
    for (let offset: unknown; offset !== null; ) {
      const result = (await reading.callTool({
        name: "read_file",
        arguments: { path: "pages/big.md", offset }
      })) as CallToolResult;
      const part = result.structuredContent as { content: string; nextOffset: number | null; totalCharacters: number };
      expect(Buffer.byteLength(part.content)).toBeLessThanOrEqual(99);
      expect(part.totalCharacters).toBe(200);
      expect(textOf(result)).toContain(`nextOffset: ${part.nextOffset}\n`);
      read += part.content;
      offset = part.nextOffset;
    }
    expect(read).toBe(text);
  });
});
