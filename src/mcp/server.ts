/** One MCP server for one message. Loaded with the first MCP request. */
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { Implementation } from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { Reader } from "../knowledge/types.ts";
import { codeOf } from "./failure.ts";
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
  noteErrors(transport, scope.reader);
  await server.connect(transport);
  try {
    const response = await transport.handleRequest(withAccept(request), { parsedBody: withoutTask(message) });
    return await withData(response, scope.reader);
  } finally {
    await server.close();
  }
}

/** A method's error is sent as what it is: the SDK's own, of the connection's methods, too. */
function noteErrors(transport: Transport, { noteError }: Reader): void {
  const send = transport.send.bind(transport);
  transport.send = (message, options) => {
    if ("error" in message) noteError(codeOf(message.error));
    return send(message, options);
  };
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
