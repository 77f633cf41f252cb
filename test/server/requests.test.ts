/** What happens around a request: deadlines, clients that leave, limits, load, logs. */
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { createLoadMonitor, DEFAULT_LOAD_BOUNDS } from "../../src/server/load.ts";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGatewayOptions } from "../harness/gateway.ts";

const QUERY = "{ knowledgeBases { edges { node { key } } } }";

function options(limits: object, rest: Partial<TestGatewayOptions> = {}) {
  return { tenants: { acme: { grants: [{ upstream: "main" }], limits } }, ...rest };
}

describe("a deadline", () => {
  it.each([
    ["/openapi/v2/knowledge-bases", (body: { error: { code: string } }) => body.error.code],
    ["/agent/tree", (body: { error: { code: string } }) => body.error.code],
    [
      `/graphql?query=${encodeURIComponent(QUERY)}`,
      (body: { errors: { extensions: { code: string } }[] }) => body.errors[0]?.extensions.code
    ]
  ] as const)("invariant 10: %s is UPSTREAM_TIMEOUT when the tenant's time is over", async (path, codeOf) => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway({ upstreams: { main: upstream }, ...options({ requestTimeoutMs: 150 }) });
    upstream.on(() => true, { fault: "hang" });
    const answer = await gateway.get(path, { token: gateway.token("acme") });
    expect(codeOf(answer.body)).toBe("UPSTREAM_TIMEOUT");
    expect(answer.text).not.toContain(upstream.url);
    if (!path.startsWith("/graphql")) expect(answer.status).toBe(504);
    await upstream.until(() => upstream.requests.every(({ aborted }) => aborted));
  });
});

interface Extensions {
  readonly requestId: string;
  readonly code: string;
  readonly httpStatus: number;
}

/** The request's own timer and its reader's fire in the same millisecond; the words are those of the first. */
const OF_THE_MOMENT = /^(?:x-request-id|date|content-length)$/;

it("invariant 10: a GraphQL post says the same when its time is over, whichever way it goes", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream }, ...options({ requestTimeoutMs: 150 }) });
  upstream.on(() => true, { fault: "hang" });
  const shown = [];
  // A client that takes parts and names what asks for them goes Yoga's way.
  for (const [query, accept] of [
    [QUERY, "application/json"],
    [`${QUERY} # @defer`, "application/json, multipart/mixed"]
  ]) {
    const { status, headers, body } = await gateway.post(
      "/graphql",
      { query },
      { token: gateway.token("acme"), headers: { accept: String(accept) } }
    );
    const own = Object.entries(Object.fromEntries(headers)).filter(([name]) => !OF_THE_MOMENT.test(name));
    const errors = body.errors.map(({ extensions, path }: { extensions: Extensions; path: unknown }) => {
      expect(extensions.requestId).toBe(headers.get("x-request-id"));
      return { path, code: extensions.code, httpStatus: extensions.httpStatus };
    });
    shown.push({ status, own, body: { ...body, errors } });
  }
  expect(shown[0]?.body.errors[0].code).toBe("UPSTREAM_TIMEOUT");
  expect(shown[1]).toEqual(shown[0]);
});

describe("a client that leaves", () => {
  it("ends what it asked for upstream, and is written to the log as gone", async () => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway({ upstreams: { main: upstream } });
    upstream.on("listKnowledgeBases", { fault: "hang" });
    const client = new AbortController();
    const asked = gateway.get("/openapi/v2/knowledge-bases", { signal: client.signal });
    await upstream.until(() => upstream.count("listKnowledgeBases") === 1);
    client.abort();
    await expect(asked).rejects.toThrow();
    await upstream.until(() => upstream.requests.every(({ aborted }) => aborted));
    await expect.poll(() => gateway.logs.at(-1)).toMatchObject({ status: 499, upstreamCalls: 1 });
  });

  it("ends all that it pipelined on the connection, begun or not", async () => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway({ upstreams: { main: upstream } });
    upstream.on("listKnowledgeBases", { fault: "hang" });
    const { hostname, port, host } = new URL(gateway.url);
    const socket = connect(Number(port), hostname);
    const body = JSON.stringify({ query: "{viewer{tenant}}" });
    const json = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    for (const [head, rest] of [
      ["GET /openapi/v2/knowledge-bases", ""],
      ["POST /graphql", body],
      ["GET /agent/tree", ""]
    ]) {
      socket.write(`${head} HTTP/1.1\r\nHost: ${host}\r\n${rest === "" ? "" : json}\r\n${rest}`);
    }
    await upstream.until(() => upstream.count("listKnowledgeBases") === 2);
    socket.destroy();
    await expect.poll(() => gateway.logs.map(({ status }) => status)).toEqual([499, 499, 499]);
    await upstream.until(() => upstream.requests.every(({ aborted }) => aborted));
  });

  it("leaves no listeners behind, after many requests on one connection or many reads in one request", async () => {
    const pages = Array.from({ length: 60 }, (_, index) => ({ path: `pages/${index}.md` }));
    await using upstream = await fakeUpstream({ knowledgeBases: [{ pages }] });
    await using gateway = await startGateway({ upstreams: { main: upstream } });
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    for (let asked = 0; asked < 60; asked += 1) await gateway.graphql(QUERY);
    upstream.reset();
    const { body } = await gateway.graphql(`{
      knowledgeBase(key: "${upstream.knowledgeBase().id}") {
        tree(parentPath: "pages", first: 60) { edges { node { ... on File { title } } } }
      }
    }`);
    process.off("warning", note);
    expect(body.errors).toBeUndefined();
    expect(upstream.count("getFileById")).toBe(60);
    expect(warnings).toEqual([]);
  });
});

describe("a tenant's limits", () => {
  it("refuse the request after the last of a minute, with the wait, in the surface's own form", async () => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway({
      upstreams: { main: upstream },
      tenants: {
        acme: { grants: [{ upstream: "main" }], limits: { requestsPerMinute: 2 } },
        other: { grants: [{ upstream: "main" }] }
      }
    });
    const token = gateway.token("acme");
    for (let asked = 0; asked < 2; asked += 1)
      expect((await gateway.graphql("{viewer{tenant}}", undefined, { token })).status).toBe(200);
    upstream.reset();
    const graphql = await gateway.graphql(QUERY, undefined, { token });
    const rest = await gateway.get("/agent/tree", { token });
    for (const { status, headers } of [graphql, rest]) {
      expect(status).toBe(429);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect(graphql.body.errors[0].extensions).toMatchObject({
      code: "RATE_LIMITED",
      retryAfterSeconds: expect.any(Number)
    });
    expect(rest.body.error).toMatchObject({
      code: "RATE_LIMITED",
      details: { limit: "requestsPerMinute", maximum: 2 }
    });
    expect(upstream.count()).toBe(0);
    expect((await gateway.get("/agent/tree", { token: gateway.token("other") })).status).toBe(200);
  });

  it("give a request's place back when it has ended, however it ended", async () => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway({ upstreams: { main: upstream }, ...options({ concurrentRequests: 1 }) });
    const token = gateway.token("acme");
    const path = "/openapi/v2/knowledge-bases";
    const release = upstream.on("listKnowledgeBases", { fault: "hang" });
    const client = new AbortController();
    const first = gateway.get(path, { token, signal: client.signal });
    await upstream.until(() => upstream.count("listKnowledgeBases") === 1);
    expect((await gateway.get(path, { token })).status).toBe(429);
    client.abort();
    await expect(first).rejects.toThrow();
    release();
    await expect.poll(async () => (await gateway.get(path, { token })).status).toBe(200);
    expect((await gateway.get("/agent/no-such-thing/tree", { token })).status).toBe(404);
    expect((await gateway.get(path, { token })).status).toBe(200);
  });
});

describe("more load than the process takes", () => {
  it("is OVERLOADED with a wait, while probes are answered", async () => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway({
      upstreams: { main: upstream },
      loadBounds: { ...DEFAULT_LOAD_BOUNDS, maxInFlight: 1 }
    });
    upstream.on("listKnowledgeBases", { fault: "hang" }, 1);
    const client = new AbortController();
    const hanging = gateway.get("/openapi/v2/knowledge-bases", { signal: client.signal });
    await upstream.until(() => upstream.count("listKnowledgeBases") === 1);
    const refused = await gateway.get("/agent/tree");
    expect([refused.status, refused.body.error.code, refused.headers.get("retry-after")]).toEqual([
      503,
      "OVERLOADED",
      "1"
    ]);
    expect((await gateway.get("/healthz")).status).toBe(200);
    client.abort();
    await expect(hanging).rejects.toThrow();
    await expect.poll(async () => (await gateway.get("/agent/tree")).status).toBe(200);
  });
});

describe("an event loop that runs late", () => {
  it("refuses new requests while many are in flight, and takes them again afterwards", async () => {
    const load = createLoadMonitor({ maxInFlight: 1_000, maxDelayMs: 20, delayCountsAbove: 2 });
    try {
      const leave = [load.enter(), load.enter(), load.enter()];
      // They came in an earlier turn than what is asked below.
      await new Promise((resolve) => setTimeout(resolve, 50));
      const refused = expect.poll(() => {
        // One turn that takes long, as the work for many requests does.
        for (const end = performance.now() + 300; performance.now() < end; );
        return tell(() => load.admit());
      });
      await refused.toBe("OVERLOADED");
      leave[0]?.();
      expect(tell(() => load.admit())).toBe("admitted");
      load.enter();
      await expect.poll(() => tell(() => load.admit()), { timeout: 5_000 }).toBe("admitted");
    } finally {
      load.close();
    }
  });

  it("refuses what comes in a turn that is long already, though nothing of it is in flight any more", async () => {
    const load = createLoadMonitor({ maxInFlight: 1_000, maxDelayMs: 50, delayCountsAbove: 5 });
    try {
      const served: string[] = [];
      // Answers from memory, one after the other in one turn, ten milliseconds each.
      for (let asked = 0; asked < 20; asked += 1) {
        const leave = load.enter();
        served.push(tell(() => load.admit()));
        for (const end = performance.now() + 10; performance.now() < end; );
        leave();
      }
      expect([served[0], served.at(-1)]).toEqual(["admitted", "OVERLOADED"]);
      expect(load.inFlight).toBe(0);
      await expect.poll(() => tell(() => load.admit()), { timeout: 5_000 }).toBe("admitted");
    } finally {
      load.close();
    }
  });

  function tell(admit: () => void): string {
    try {
      admit();
      return "admitted";
    } catch (error) {
      return (error as { code: string }).code;
    }
  }
});

describe("the log", () => {
  it("holds a line a request, and no key, address, target or query", async () => {
    await using upstream = await fakeUpstream({ key: "marker-of-the-upstream-key" });
    await using gateway = await startGateway({
      upstreams: { main: upstream },
      ...options({}),
      config: { audit: { file: "-" } }
    });
    const token = gateway.token("acme");
    const query = "markerofthequery";
    await gateway.get(`/agent/search?query=${query}`, { token });
    await gateway.graphql(`{ viewer { tenant } } # ${query}`, undefined, { token });
    upstream.on(() => true, { status: 500, raw: '{"marker":"marker-of-the-raw-body"}' });
    upstream.knowledgeBase().publish();
    const failed = await gateway.get("/agent/tree?parentPath=pages", { token });
    expect(failed.status).toBeGreaterThanOrEqual(500);
    expect(gateway.logs.filter(({ msg }) => msg === "request")).toHaveLength(3);
    expect(gateway.audit.length).toBeGreaterThanOrEqual(3);
    const { port } = new URL(upstream.url);
    for (const secret of [token, "marker-of-the-upstream-key", query, "marker-of-the-raw-body", upstream.url, port]) {
      expect(gateway.written.filter((line) => line.includes(secret))).toEqual([]);
      expect(failed.text).not.toContain(secret);
    }
  });

  it("has a line a read in the audit log, refused ones included", async () => {
    await using upstream = await fakeUpstream();
    await using gateway = await startGateway({
      upstreams: { main: upstream },
      tenants: { acme: { grants: [{ upstream: "main", operations: ["list_tree"] }] } },
      config: { audit: { file: "-" } }
    });
    const token = gateway.token("acme");
    await gateway.get("/agent/tree", { token });
    await gateway.get("/agent/search?query=anything", { token });
    const lines = gateway.audit.filter(({ operation }) => /Tree|search/.test(String(operation)));
    const who = { tenant: "acme", subject: "test", surface: "agent" };
    expect(lines).toMatchObject([
      { ...who, operation: "listKnowledgeBaseTree", outcome: "OK" },
      { ...who, operation: "searchGeneratedFiles", outcome: "FORBIDDEN", upstreamCalls: 0 }
    ]);
    expect(lines.map(({ requestId }) => requestId)).toEqual(gateway.logs.map(({ requestId }) => requestId));
  });
});
