/** The REST surface over the real reader and client, in front of any upstream; without the server around it. */
import { createAgent } from "../../src/agent/agent.ts";
import { type GatewayConfigInput, GatewayConfigSchema } from "../../src/config/schema.ts";
import { createKnowledge } from "../../src/knowledge/knowledge.ts";
import { anonymousAccess, createAccess } from "../../src/policy/grants.ts";
import { createUpstream } from "../../src/upstream/client.ts";

/** The gateway's own, of every request. */
export const REQUEST_ID = "req-00000000-0000-4000-8000-000000000000";

export interface RestOptions {
  readonly knowledgeBases?: GatewayConfigInput["knowledgeBases"];
  /** The tenant `acme`; left out, the anonymous one, which sees everything. */
  readonly tenant?: NonNullable<GatewayConfigInput["tenants"]>[string];
}

export interface RestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: unknown;
}

export interface Rest extends AsyncDisposable {
  request(target: string, init?: RequestInit): Promise<RestAnswer>;
}

export function restOver(upstream: { readonly url: string; readonly key: string }, options: RestOptions = {}): Rest {
  const config = GatewayConfigSchema.parse({
    upstreams: { main: { url: upstream.url, apiKey: upstream.key, rateLimit: { requests: 1_000_000 } } },
    ...(options.knowledgeBases && { knowledgeBases: options.knowledgeBases }),
    ...(options.tenant && { tenants: { acme: options.tenant } })
  });
  const client = createUpstream({ name: "main", ...config.upstreams.main! });
  const knowledge = createKnowledge({
    upstreams: new Map([["main", client]]),
    cursorSecrets: ["a secret of the REST tests"],
    cache: { maxBytes: 0, revisionCheckMs: 60_000 }
  });
  const agent = createAgent({ version: "1.2.3" });
  return {
    async request(target, init) {
      const reader = knowledge.reader({
        access: options.tenant ? createAccess(config, { tenant: "acme", subject: "bot" }) : anonymousAccess(config),
        requestId: REQUEST_ID,
        surface: target.startsWith("/openapi/v2/") ? "mirror" : "agent",
        signal: new AbortController().signal,
        deadline: Date.now() + 20_000
      });
      const response = await agent.handle(new Request(`http://127.0.0.1:4000${target}`, init), reader);
      const text = await response.text();
      const isJson = response.headers.get("content-type") === "application/json" && text !== "";
      return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
    },
    [Symbol.asyncDispose]: () => client.close()
  };
}
