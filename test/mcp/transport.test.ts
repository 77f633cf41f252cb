/** Streamable HTTP without sessions, and what is answered before any method is reached. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { createMcp, mcpFailure } from "../../src/mcp/mcp.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { type McpOver, mcpOver, REQUEST_ID } from "./listening.ts";

let fake: FakeUpstream;
let mcp: McpOver;

beforeAll(async () => {
  fake = await fakeUpstream();
  mcp = await mcpOver(fake);
});
afterAll(async () => {
  expect(mcp.unexpected).toEqual([]);
  await mcp[Symbol.asyncDispose]();
  await fake.close();
});

const PING = { jsonrpc: "2.0", id: "a", method: "ping" };
const PONG = { jsonrpc: "2.0", id: "a", result: {} };

function initialize(protocolVersion: string) {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  return { jsonrpc: "2.0", id: 1, method: "initialize", params };
}

describe("POST", () => {
  it("is answered with JSON, without a session", async () => {
    const { status, headers, body } = await mcp.post("/mcp", PING);
    expect([status, headers.get("content-type"), headers.get("mcp-session-id")]).toEqual([
      200,
      "application/json",
      null
    ]);
    expect(body).toEqual(PONG);
  });

  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])("speaks protocol version %s", async (version) => {
    const { body } = await mcp.post("/mcp", initialize(version));
    expect(body.result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: "focowiki-gateway", version: "1.2.3" },
      capabilities: { tools: {}, resources: {}, prompts: {} }
    });
    expect((await mcp.post("/mcp", PING, { "mcp-protocol-version": version })).body).toEqual(PONG);
  });

  it("offers its newest version for one it does not know, and refuses a request in one", async () => {
    expect((await mcp.post("/mcp", initialize("2031-01-01"))).body.result.protocolVersion).toBe("2025-11-25");
    const { status, body } = await mcp.post("/mcp", PING, { "mcp-protocol-version": "2031-01-01" });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ code: -32000, data: { code: "BAD_REQUEST", requestId: REQUEST_ID } });
    expect(body.error.data.message).toContain("2031-01-01");
  });

  it("says of an initialize that does not fit what a caller can mend, in its own words", async () => {
    const { body } = await mcp.post("/mcp", {
      jsonrpc: "2.0",
      id: 7,
      method: "initialize",
      params: { protocolVersion: 5 }
    });
    const message = "params are not what MCP's schema has for this method.";
    expect(body).toMatchObject({
      id: 7,
      error: {
        code: -32602,
        message,
        data: { code: "VALIDATION_ERROR", details: { field: "params" }, requestId: REQUEST_ID }
      }
    });
  });

  it("takes notifications without an answer", async () => {
    const { status, body } = await mcp.post("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" });
    expect([status, body]).toEqual([202, null]);
  });

  it.each(["*/*", "application/json", "application/*", "text/event-stream, application/json"])(
    "answers who accepts %s",
    async (accept) => {
      expect((await mcp.post("/mcp", PING, { accept })).body).toEqual(PONG);
    }
  );

  it("refuses who accepts no JSON", async () => {
    const { status, body } = await mcp.post("/mcp", PING, { accept: "text/html" });
    expect(status).toBe(406);
    expect(body.error.data).toMatchObject({
      code: "NOT_ACCEPTABLE",
      requestId: REQUEST_ID,
      details: { field: "Accept", allowedValues: ["application/json", "text/event-stream"] }
    });
  });

  it("says of what is no JSON-RPC message that it is none, under the request's id", async () => {
    const { status, body } = await mcp.post("/mcp", { jsonrpc: "1.0", method: 7 });
    expect([status, body.error.code]).toEqual([400, -32700]);
    expect(body.error.data).toMatchObject({ code: "BAD_REQUEST", requestId: REQUEST_ID });
  });

  it("answers a call that asks for a task as if it had not", async () => {
    const ask = (params: object) => mcp.post("/mcp", { jsonrpc: "2.0", id: 3, method: "tools/call", params });
    const call = { name: "list_knowledge_bases", arguments: {} };
    const { body } = await ask({ ...call, task: { ttl: 60_000 } });
    expect(body.result.structuredContent).toBeDefined();
    expect(body).toEqual((await ask(call)).body);
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "text/plain; a=application/json"])(
    "refuses a body of type %s",
    async (type) => {
      const { status, body } = await mcp.post("/mcp", PING, { "content-type": type });
      expect(status).toBe(415);
      expect(body.error.data).toMatchObject({ code: "UNSUPPORTED_MEDIA_TYPE", requestId: REQUEST_ID });
    }
  );

  it.each([
    ["cut JSON", '{"jsonrpc":"2.0",', -32700],
    ["nothing", "", -32700],
    ["no message", { hello: "world" }, -32700],
    ["null", "null", -32700],
    ["a batch", [PING, { ...PING, id: "b" }], -32600],
    ["a batch of one", [PING], -32600]
  ])("refuses %s", async (_what, sent, code) => {
    const { status, body } = await mcp.post("/mcp", sent);
    expect([status, body.error.code, body.jsonrpc]).toEqual([400, code, "2.0"]);
  });

  it("answers a method that does not exist, and parameters that are missing, in JSON-RPC's terms", async () => {
    const unknown = await mcp.post("/mcp", { jsonrpc: "2.0", id: 1, method: "constructor" });
    expect(unknown.body.error.code).toBe(-32601);
    for (const method of ["tools/call", "resources/read", "prompts/get"]) {
      const { body } = await mcp.post("/mcp", { jsonrpc: "2.0", id: 1, method });
      expect(body.error, method).toMatchObject({
        code: -32602,
        data: { code: "VALIDATION_ERROR", requestId: REQUEST_ID }
      });
    }
    const tool = await mcp.post("/mcp", {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "delete_file" }
    });
    expect(tool.body.error).toMatchObject({ code: -32602, message: expect.stringContaining("search_files") });
  });
});

describe("other methods", () => {
  it.each(["GET", "DELETE", "PUT"])("%s is refused, naming POST", async (method) => {
    const { status, headers, body } = await mcp.request("/mcp", { method, headers: { accept: "text/event-stream" } });
    expect([status, headers.get("allow")]).toEqual([405, "POST"]);
    expect(body.error.data.code).toBe("METHOD_NOT_ALLOWED");
  });
});

describe("failures", () => {
  it("invariant 4: before dispatch keep code, request id and wait", async () => {
    const response = mcpFailure(new GatewayError("RATE_LIMITED", { retryAfterSeconds: 7 }), "req-1");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "7"]);
    expect(await response.json()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: {
        code: -32000,
        message: "Too many requests. Wait and retry.",
        data: {
          code: "RATE_LIMITED",
          message: "Too many requests. Wait and retry.",
          httpStatus: 429,
          details: { retryAfterSeconds: 7 },
          requestId: "req-1"
        }
      }
    });
  });

  it("that nobody foresaw are masked and reported, in a tool and in a method", async () => {
    const secret = new TypeError("http://upstream.internal/ with key abc");
    const reported: unknown[] = [];
    const mcp = createMcp({ version: "1", onUnexpected: (error, id) => reported.push(error, id) });
    const broken = new Proxy(mcpReader(), {
      get: (reader, name) => (name === "knowledgeBase" ? () => Promise.reject(secret) : Reflect.get(reader, name))
    });
    const ask = async (method: string, params: object) => {
      const request = new Request("http://localhost/mcp", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
      });
      return await (await mcp.handle(request, broken, null)).text();
    };
    const tool = await ask("tools/call", { name: "list_tree", arguments: { knowledgeBase: "x" } });
    const method = await ask("resources/read", { uri: "focowiki://x/pages/a.md" });
    for (const answer of [tool, method]) {
      expect(answer).toContain("INTERNAL_ERROR");
      expect(answer).not.toContain("upstream.internal");
    }
    expect(reported).toEqual([secret, REQUEST_ID, secret, REQUEST_ID]);
  });
});

function mcpReader() {
  return mcp.reader();
}
