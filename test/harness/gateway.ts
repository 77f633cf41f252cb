/**
 * A gateway in the test's process, on a free loopback port, over whatever upstreams the test hands it.
 *
 *   await using upstream = await fakeUpstream();
 *   await using gateway = await startGateway({ upstreams: { main: upstream } });
 *   const { body } = await gateway.graphql("{ knowledgeBases { edges { node { key } } } }");
 *   expect(upstream.count()).toBe(1);
 */
import { createHash } from "node:crypto";
import pino from "pino";
import { type GatewayConfigInput, GatewayConfigSchema } from "../../src/config/schema.ts";
import { type RunningGateway, startGateway as start } from "../../src/server/gateway.ts";
import type { LoadBounds } from "../../src/server/load.ts";

type UpstreamInput = GatewayConfigInput["upstreams"][string];
type TenantInput = NonNullable<GatewayConfigInput["tenants"]>[string];

/** Where an upstream is: a fake's and a replay's `key`, or the embedded one's `apiKey`, and settings beside them. */
export type TestUpstream = { readonly url: string } & ({ readonly key: string } | { readonly apiKey: string });

export interface TestGatewayOptions {
  readonly upstreams: Readonly<Record<string, TestUpstream>>;
  /** Settings of upstreams beside URL and key. */
  readonly upstreamSettings?: Partial<Omit<UpstreamInput, "url" | "apiKey">>;
  /** Slug → upstream name and id. */
  readonly knowledgeBases?: GatewayConfigInput["knowledgeBases"];
  /** Left out: one anonymous tenant. A tenant without credentials gets a key; see `TestGateway.token`. */
  readonly tenants?: Readonly<Record<string, TenantInput>>;
  /** Other sections, over the defaults of tests: port 0, a fixed cursor secret, all log lines. */
  readonly config?: Omit<GatewayConfigInput, "upstreams" | "knowledgeBases" | "tenants">;
  readonly loadBounds?: LoadBounds;
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed where it is JSON, of whatever shape; else text. */
  readonly body: ReturnType<typeof JSON.parse>;
  readonly text: string;
}

export interface TestRequest {
  /** A bearer token; left out: none is sent. */
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface TestGateway extends AsyncDisposable {
  readonly url: string;
  readonly running: RunningGateway;
  /** All log lines so far, parsed. */
  readonly logs: readonly Record<string, unknown>[];
  /** All log and audit lines as they were written. */
  readonly written: readonly string[];
  /** All audit lines so far, parsed, where `audit: { file: "-" }`. */
  readonly audit: readonly Record<string, unknown>[];
  /** The key that was made for a tenant without credentials; its subject is `test`. */
  token(tenant: string): string;
  graphql(query: string, variables?: Record<string, unknown>, request?: TestRequest): Promise<TestAnswer>;
  get(path: string, request?: TestRequest): Promise<TestAnswer>;
  /** Objects are sent as JSON, text and bytes as they are. */
  post(path: string, body: unknown, request?: TestRequest): Promise<TestAnswer>;
  /** Takes another configuration into force, as a reload does. */
  reload(options: TestGatewayOptions): void;
  close(): Promise<void>;
}

export async function startGateway(options: TestGatewayOptions): Promise<TestGateway> {
  const logs: Record<string, unknown>[] = [];
  const audit: Record<string, unknown>[] = [];
  const written: string[] = [];
  const sink = (lines: Record<string, unknown>[]) => ({
    write(line: string) {
      written.push(line);
      lines.push(JSON.parse(line) as Record<string, unknown>);
    }
  });
  const config = testConfig(options);
  const running = await start({
    config,
    version: "0.0.0-test",
    log: pino({ level: config.log.level, base: null }, sink(logs)),
    standardOutput: sink(audit),
    ...(options.loadBounds === undefined ? {} : { loadBounds: options.loadBounds })
  });

  const send = async (path: string, init: RequestInit, { token, headers = {}, signal }: TestRequest = {}) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(`${running.url}${path}`, {
      redirect: "manual",
      ...init,
      headers: { ...(init.headers as Record<string, string>), ...authorization, ...headers },
      ...(signal === undefined ? {} : { signal })
    });
    const text = await response.text();
    const isJson = /\bjson\b/.test(response.headers.get("content-type") ?? "");
    return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : text };
  };
  let stopped: Promise<boolean> | null = null;
  const close = async (): Promise<void> => {
    stopped ??= running.stop();
    await stopped;
  };

  return {
    url: running.url,
    running,
    logs,
    written,
    audit,
    token: testKey,
    get: (path, request) => send(path, {}, request),
    post: (path, body, request) => {
      const raw = typeof body === "string" || body instanceof Uint8Array;
      const init: RequestInit = raw
        ? { method: "POST", body: body as BodyInit }
        : { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
      return send(path, init, request);
    },
    graphql: (query, variables, request) =>
      send(
        "/graphql",
        {
          method: "POST",
          body: JSON.stringify({ query, ...(variables === undefined ? {} : { variables }) }),
          headers: { "content-type": "application/json" }
        },
        request
      ),
    reload: (next) => running.runtime.apply(testConfig(next)),
    close,
    [Symbol.asyncDispose]: close
  };
}

/** A configuration as `startGateway` makes it, for tests that need one without a gateway. */
export function testConfig(options: TestGatewayOptions) {
  const { config = {}, tenants } = options;
  const upstreams = Object.entries(options.upstreams).map(([name, upstream]) => {
    const apiKey = "key" in upstream ? upstream.key : upstream.apiKey;
    return [name, { ...options.upstreamSettings, url: upstream.url, apiKey }] as const;
  });
  return GatewayConfigSchema.parse({
    ...config,
    log: { level: "debug", ...config.log },
    server: {
      port: 0,
      shutdownGraceMs: 1000,
      cursorSecret: "a secret for tests, and only for tests",
      ...config.server
    },
    upstreams: Object.fromEntries(upstreams),
    ...(options.knowledgeBases === undefined ? {} : { knowledgeBases: options.knowledgeBases }),
    ...(tenants === undefined ? {} : { tenants: withCredentials(tenants) })
  });
}

function withCredentials(tenants: Readonly<Record<string, TenantInput>>) {
  const entries = Object.entries(tenants).map(([name, tenant]) => {
    const apiKeySha256 = createHash("sha256").update(testKey(name)).digest("hex");
    return [name, { credentials: [{ apiKeySha256, subject: "test" }], ...tenant }] as const;
  });
  return Object.fromEntries(entries);
}

function testKey(tenant: string): string {
  return `test-key-of-${tenant}-0123456789`;
}
