/** MCP over the real reader and client, listening on loopback, for the official client; without the server around it. */
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { type GatewayConfigInput, GatewayConfigSchema } from "../../src/config/schema.ts";
import { createKnowledge } from "../../src/knowledge/knowledge.ts";
import type { Reader } from "../../src/knowledge/types.ts";
import { createMcp } from "../../src/mcp/mcp.ts";
import { anonymousAccess, createAccess } from "../../src/policy/grants.ts";
import { createUpstream } from "../../src/upstream/client.ts";

/** The gateway's own, of every request. */
export const REQUEST_ID = "req-00000000-0000-4000-8000-000000000000";

export interface McpOverOptions {
  readonly knowledgeBases?: GatewayConfigInput["knowledgeBases"];
  /** Left out: the anonymous tenant, which sees everything. A client names its tenant with its bearer token. */
  readonly tenants?: GatewayConfigInput["tenants"];
  /** A minute where left out: nothing is published in most tests. */
  readonly revisionCheckMs?: number;
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: ReturnType<typeof JSON.parse>;
}

export interface McpOver extends AsyncDisposable {
  readonly unexpected: unknown[];
  /** A reader as the next request of the tenant would get it. */
  reader(tenant?: string): Reader;
  /** A connected client. @param path `/mcp` where left out */
  client(path?: string, tenant?: string): Promise<Client>;
  /** One POST of a JSON-RPC message, or of anything else. */
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<RawAnswer>;
  request(path: string, init: RequestInit): Promise<RawAnswer>;
}

export async function mcpOver(
  upstream: { readonly url: string; readonly key: string },
  options: McpOverOptions = {}
): Promise<McpOver> {
  const config = GatewayConfigSchema.parse({
    upstreams: { main: { url: upstream.url, apiKey: upstream.key, rateLimit: { requests: 1_000_000 } } },
    ...(options.knowledgeBases && { knowledgeBases: options.knowledgeBases }),
    ...(options.tenants && { tenants: options.tenants })
  });
  const client = createUpstream({ name: "main", ...config.upstreams.main! });
  const knowledge = createKnowledge({
    upstreams: new Map([["main", client]]),
    cursorSecrets: ["a secret of the MCP tests"],
    cache: { maxBytes: 10_000_000, revisionCheckMs: options.revisionCheckMs ?? 60_000 }
  });
  const unexpected: unknown[] = [];
  const mcp = createMcp({ version: "1.2.3", onUnexpected: (error) => unexpected.push(error) });
  const reader = (tenant = "acme"): Reader =>
    knowledge.reader({
      access: options.tenants ? createAccess(config, { tenant, subject: "bot" }) : anonymousAccess(config),
      requestId: REQUEST_ID,
      surface: "mcp",
      signal: new AbortController().signal,
      deadline: Date.now() + 20_000
    });

  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const request = await toRequest(incoming);
      const [, key = null] = /^\/mcp(?:\/(.+))?$/.exec(incoming.url ?? "") ?? [];
      const tenant = incoming.headers.authorization?.replace(/^Bearer /, "");
      const response = await mcp.handle(request, reader(tenant), key && decodeURIComponent(key));
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    })();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clients: Client[] = [];

  const request = async (path: string, init: RequestInit): Promise<RawAnswer> => {
    const response = await fetch(url + path, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  };
  return {
    unexpected,
    reader,
    async client(path = "/mcp", tenant) {
      const connected = new Client({ name: "test", version: "1" });
      const headers: Record<string, string> = tenant === undefined ? {} : { authorization: `Bearer ${tenant}` };
      await connected.connect(new StreamableHTTPClientTransport(new URL(url + path), { requestInit: { headers } }));
      clients.push(connected);
      return connected;
    },
    post: (path, body, headers = {}) =>
      request(path, {
        method: "POST",
        body: typeof body === "string" ? body : JSON.stringify(body),
        headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers }
      }),
    request,
    async [Symbol.asyncDispose]() {
      for (const connected of clients) await connected.close();
      server.close();
      server.closeAllConnections();
      await client.close();
    }
  };
}

/** The text of a result that has one text and nothing else. */
export function textOf(result: CallToolResult): string {
  const [only, ...others] = result.content;
  if (only?.type !== "text" || others.length > 0) throw new Error(`not one text: ${JSON.stringify(result.content)}`);
  return only.text;
}

/** The error object of a failed call. */
export function errorOf(result: CallToolResult): { code: string; message: string; details?: Record<string, unknown> } {
  return JSON.parse(textOf(result)).error;
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const method = incoming.method ?? "GET";
  return new Request(`http://${incoming.headers.host}${incoming.url}`, {
    method,
    headers: incoming.headers as Record<string, string>,
    body: method === "GET" || method === "HEAD" ? null : Buffer.concat(chunks)
  });
}
