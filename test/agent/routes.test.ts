import { describe, expect, it } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import type { Tree } from "../../src/knowledge/types.ts";
import { ask, post } from "./ask.ts";
import { file } from "./fake-reader.ts";

const names = { first: "limit", after: "cursor" };
const tree = (): Tree => ({
  activeContentRevision: 3,
  items: [{ id: "d", parentPath: "", name: "pages", path: "pages", entryType: "directory", sortKey: "pages:d" }],
  nextCursor: null,
  addedLater: { kept: true }
});

describe("GET routes are the tools with their arguments in the URL", () => {
  it.each([
    [
      "/tree?parentPath=pages/&entryType=file&limit=7&cursor=c",
      "tree",
      { parentPath: "pages", entryType: "file" },
      7,
      "c"
    ],
    ["/search?query=how+do%20I&mode=file&graphDepth=2", "search", { query: "how do I", mode: "file", graphDepth: 2 }],
    ["/files/file-1", "file", "file-1"],
    ["/files/file-1/content", "content", { fileId: "file-1" }],
    ["/files/content?path=pages%2Fa%20b.md", "content", { path: "pages/a b.md" }],
    ["/files/file-1/related?limit=5", "related", "file-1", 5],
    ["/graph/expand?fileId=file-1&depth=2", "expand", { fileId: "file-1", depth: 2 }, 50],
    ["/graph/overview", "overview", null]
  ])("%s", async (path, method, args, first?: number, after?: string) => {
    for (const base of ["/agent/handbook", "/agent/id-of-handbook", "/agent"]) {
      const { status, reader } = await ask(base + path);
      expect(status).toBe(200);
      const call = reader.calls.find((made) => made.method === method)!;
      expect(call.args).toEqual(args);
      if (call.page) expect(call.page).toEqual({ first, after, names });
    }
  });

  it("answer with the upstream's whole object in its order, and the gateway's own cursor", async () => {
    const { text } = await ask("/agent/handbook/tree", { answers: { tree }, next: "sealed" });
    expect(text).toBe(JSON.stringify({ ...tree(), nextCursor: "sealed" }));
  });

  it("answer with the tool's shape for view=compact", async () => {
    const { body } = await ask("/agent/handbook/tree?view=compact", { answers: { tree } });
    expect(body).toEqual({
      activeContentRevision: 3,
      items: [{ path: "pages", name: "pages", entryType: "directory" }],
      nextCursor: null
    });
  });

  it("answer with a file flat, and with file and content side by side", async () => {
    expect((await ask("/agent/handbook/files/file-1")).body).toEqual(file);
    expect((await ask("/agent/handbook/files/file-1/content")).body).toEqual({ file, content: "# Guide\n" });
  });

  it("take the first of a repeated parameter and ignore unknown ones", async () => {
    const { reader } = await ask("/agent/handbook/tree?limit=3&limit=900&fresh=1&__proto__=x");
    expect(reader.calls.at(-1)).toMatchObject({ method: "tree", page: { first: 3 } });
  });

  it("answer HEAD like GET; the server leaves the body away", async () => {
    const { status, text } = await ask("/agent/handbook/tree", {}, { method: "HEAD" });
    expect([status, text]).toEqual([200, (await ask("/agent/handbook/tree")).text]);
  });

  it.each([
    ["/agent/handbook/tree?limit=ten", "limit"],
    ["/agent/handbook/search", "query"],
    ["/agent/handbook/files/content", "path"],
    ["/agent/handbook/graph/expand", "fileId"],
    ["/agent/handbook/tree?view=short", "view"],
    ["/agent/handbook/tools?format=gemini", "format"]
  ])("%s is refused, naming %s", async (path, field) => {
    const { status, body, reader } = await ask(path);
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: { code: "VALIDATION_ERROR", details: { field } } });
    expect(reader.calls).toEqual([{ method: "knowledgeBase", args: "handbook" }]);
  });
});

describe("knowledge bases", () => {
  it("a caller granted several must name one, and is told which there are", async () => {
    for (const path of ["/agent/tree", "/agent/files/x", "/agent/tools", "/agent/skill.zip"]) {
      const { status, body } = await ask(path, { keys: ["handbook", "library"] });
      expect(status).toBe(422);
      expect(body).toMatchObject({ error: { details: { allowedValues: ["handbook", "library"] } } });
    }
  });

  it("invariant 2: one that is not granted is the constant NOT_FOUND on every route", async () => {
    const seen = new Set<string>();
    for (const path of ["/tree", "/files/x", "/search?query=cache", "/graph/overview", "/tools", "/skill.zip"]) {
      const { status, text } = await ask(`/agent/other${path}`);
      expect(status).toBe(404);
      seen.add(text);
    }
    expect(seen.size).toBe(1);
  });
});

describe("tool posts", () => {
  const call = (tool: string, body: string, type?: string | null) =>
    ask(`/agent/handbook/tools/${tool}`, { answers: { tree } }, post(body, type));

  it("answer with the tool's compact shape", async () => {
    const { body } = await call("list_tree", '{"parentPath": null, "limit": "5"}');
    expect(body).toMatchObject({ items: [{ path: "pages", name: "pages", entryType: "directory" }] });
  });

  it("serve a caller with one knowledge base without its name", async () => {
    const { status } = await ask("/agent/tools/list_tree", {}, post("{}"));
    expect(status).toBe(200);
  });

  it.each([
    ["", null],
    ["", "application/json"],
    [" \n", "application/json"],
    ["null", "application/json; charset=utf-8"],
    ["{}", "Application/JSON"]
  ])("take a body of %j with the type %j for no arguments", async (body, type) => {
    expect((await call("list_tree", body, type)).status).toBe(200);
  });

  it.each([
    ["{}", null, 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["{}", "text/plain", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["query=x", "application/x-www-form-urlencoded", 415, "UNSUPPORTED_MEDIA_TYPE"],
    ["{", "application/json", 400, "BAD_REQUEST"],
    ["[]", "application/json", 400, "BAD_REQUEST"],
    ['"root"', "application/json", 400, "BAD_REQUEST"],
    ['{"limit": 0}', "application/json", 422, "VALIDATION_ERROR"]
  ])("refuse a body of %j with the type %j", async (text, type, status, code) => {
    const { body, ...answer } = await call("list_tree", text, type);
    expect(answer.status).toBe(status);
    expect(body).toMatchObject({ error: { code, httpStatus: status } });
  });

  it("name the tools where there is no such tool", async () => {
    const { status, body } = await call("drop_table", "{}");
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: { code: "UNSUPPORTED_ROUTE", details: { field: "tool" } } });
  });
});

describe("tool definitions", () => {
  it.each(["mcp", "openai", "anthropic"])("%s, only of the tools that the caller may use", async (format) => {
    const all = await ask(`/agent/handbook/tools?format=${format}`);
    expect((all.body as { tools: unknown[] }).tools).toHaveLength(6);
    const some = await ask(`/agent/handbook/tools?format=${format}`, { operations: ["search_files", "read_file"] });
    expect((some.body as { tools: unknown[] }).tools).toHaveLength(2);
  });
});

describe("a tenant's page size", () => {
  const small = { limits: { pageSize: 20 } };

  it.each([
    ["/agent/handbook/tree?limit=21", {}],
    ["/agent/handbook/tools/list_tree", post('{"limit": 21}')]
  ])("%s is refused with the maximum and the default that hold", async (path, init) => {
    const { status, body } = await ask(path, small, init);
    expect([status, body]).toMatchObject([
      422,
      {
        error: {
          message: "limit must be a whole number from 1 to 20. Left out, it is 20.",
          details: { field: "limit", limit: 20 }
        }
      }
    ]);
  });

  it("is in the definitions", async () => {
    const { text } = await ask("/agent/handbook/tools?format=anthropic", small);
    expect(text).not.toContain('"maximum":500');
    expect(text.match(/"default":20,"type":"integer","minimum":1,"maximum":20/g)).toHaveLength(3);
  });
});

describe("errors", () => {
  const failing = (error: unknown) => ({
    answers: {
      tree: () => {
        throw error;
      }
    }
  });

  it("invariant 4: code, upstream request id, details and wait survive", async () => {
    const details = { field: "x" };
    const error = new GatewayError("RATE_LIMITED", { retryAfterSeconds: 15, requestId: "req-upstream", details });
    const { status, headers, body } = await ask("/agent/handbook/tree", failing(error));
    expect(status).toBe(429);
    expect(headers.get("retry-after")).toBe("15");
    expect(headers.get("x-request-id")).toBe("req-upstream");
    expect(headers.get("content-type")).toBe("application/json");
    expect(body).toEqual({
      error: {
        code: "RATE_LIMITED",
        message: "Too many requests. Wait and retry.",
        httpStatus: 429,
        details: { field: "x", retryAfterSeconds: 15 }
      },
      requestId: "req-upstream"
    });
  });

  it("invariant 4: an error that nobody foresaw is masked, and told to the operator", async () => {
    const secret = new Error("connect https://openapi.example.com key-123");
    const { status, text, unexpected } = await ask("/agent/handbook/tree", failing(secret));
    expect(status).toBe(500);
    expect(text).toContain("INTERNAL_ERROR");
    expect(text).not.toContain("example.com");
    expect(unexpected).toEqual([secret]);
  });

  it("tells the operator of nothing that was foreseen", async () => {
    expect((await ask("/agent/handbook/tree", failing(new GatewayError("UPSTREAM_TIMEOUT")))).unexpected).toEqual([]);
  });

  it("answers another method with those there are", async () => {
    for (const [path, method, allow] of [
      ["/agent/handbook/tree", "POST", "GET, HEAD"],
      ["/agent/tree", "DELETE", "GET, HEAD"],
      ["/agent/handbook/tools/list_tree", "GET", "POST"],
      ["/openapi.json", "PUT", "GET, HEAD"]
    ] as const) {
      const { status, headers, body, reader } = await ask(path, {}, { method });
      expect([status, headers.get("allow")]).toEqual([405, allow]);
      expect(body).toMatchObject({ error: { code: "METHOD_NOT_ALLOWED" } });
      expect(reader.calls).toEqual([]);
    }
  });

  it.each(["/agent", "/agent/", "/agent/handbook", "/agent/handbook/tree/", "/agent/handbook/files", "/agent/a/b/c/d"])(
    "%s is no route",
    async (path) => {
      const { status, body } = await ask(path);
      expect(status).toBe(404);
      expect(body).toMatchObject({ error: { code: "UNSUPPORTED_ROUTE" } });
    }
  );
});
