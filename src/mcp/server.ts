/** One MCP server for one message. Loaded with the first MCP request. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Implementation } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { invalid } from "../errors.ts";
import type { Reader } from "../knowledge/types.ts";
import { codeOf, RpcError } from "./failure.ts";
import type { McpOptions } from "./mcp.ts";
import { methodOf } from "./message.ts";
import { answer } from "./methods.ts";
import { instructions } from "./prompts/explore.ts";
import { withData } from "./refusal.ts";
import type { Scope } from "./scope.ts";

// Each server would build one of its own, which takes longer than the rest of an answer.
const jsonSchemaValidator = new AjvJsonSchemaValidator();

/** Both, as the SDK asks of every POST; what is sent is JSON. */
const ACCEPT = "application/json, text/event-stream";

/**
 * Answers one message. The SDK negotiates versions, judges JSON-RPC and renders; the methods are ours, because the
 * high-level server validates arguments before they can be read leniently, and answers a mistake in protocol terms
 * where a model should read what to do.
 */
export async function serve(request: Request, message: unknown, scope: Scope, options: McpOptions): Promise<Response> {
  const server = new Server(implementation(options), {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    ...(methodOf(message) === "initialize" ? { instructions: await instructions(scope) } : {}),
    jsonSchemaValidator
  });
  server.fallbackRequestHandler = ({ method, params }) => answer(scope, method, params);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  showErrors(transport, scope.reader);
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(withAccept(request), { parsedBody: withoutTask(message) });
    return await withData(response, scope.reader);
  } finally {
    await server.close();
  }
}

/**
 * Notes each error that a method is answered with. One without data is of the SDK's own methods, which fail with their
 * validator's report where params do not fit; it is sent as the caller's mistake that it is.
 */
function showErrors(transport: Transport, { requestId, noteError }: Reader): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if (!("error" in message)) return send(message, options);
    const { code, message: text, data } = message.error.data === undefined ? misfit(requestId) : message.error;
    noteError(codeOf({ data }));
    return send({ ...message, error: { code, message: text, data } }, options);
  };
}

function misfit(requestId: string): RpcError {
  return new RpcError(invalid("params", "params are not what MCP's schema has for this method."), requestId);
}

function implementation({ version, publicUrl }: McpOptions): Implementation {
  const name = "focowiki-gateway";
  const own = { name, title: "Focowiki knowledge", version };
  return publicUrl === undefined ? own : { ...own, websiteUrl: publicUrl };
}

/**
 * Without `params.task`: a server that declares no tasks answers as if it were not there, where the SDK fails.
 * Source: MCP 2025-11-25, Tasks.
 */
function withoutTask(message: unknown): unknown {
  if (typeof message !== "object" || message === null || !("params" in message)) return message;
  const { params } = message;
  if (typeof params !== "object" || params === null || Array.isArray(params) || !("task" in params)) return message;
  const { task: _, ...rest } = params;
  return { ...message, params: rest };
}

/** A client that takes anything, or says nothing, takes what the SDK wants it to name. */
function withAccept(request: Request): Request {
  const headers = new Headers(request.headers);
  const accept = headers.get("accept") ?? "*/*";
  if (/\*\/\*|application\/(?:\*|json)/.test(accept)) headers.set("accept", ACCEPT);
  return new Request(request.url, { method: request.method, headers });
}
