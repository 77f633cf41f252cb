import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";
import { sendBytes, sendRequest } from "../harness/raw-http.ts";

let upstream: FakeUpstream;
let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  upstream = await fakeUpstream();
  gateway = await startGateway({
    upstreams: { main: upstream },
    knowledgeBases: { handbook: { upstream: "main", id: upstream.knowledgeBase().id } },
    tenants: { acme: { grants: [{ knowledgeBases: ["handbook"] }] } },
    config: { server: { cors: { origins: ["https://app.example.com"] } } }
  });
  token = gateway.token("acme");
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** One route of each kind that needs a caller. */
const ROUTES = [
  ["POST", "/graphql"],
  ["GET", "/graphql?query={viewer{tenant}}"],
  ["GET", "/agent/handbook/tree"],
  ["POST", "/agent/handbook/tools/list_tree"],
  ["GET", "/agent/nothing-of-the-kind"],
  ["GET", "/openapi/v2/knowledge-bases"],
  ["GET", "/openapi.json"],
  ["POST", "/mcp"],
  ["POST", "/mcp/handbook"],
  ["GET", "/mcp"]
] as const;
const OPEN_ROUTES = ["/healthz", "/readyz"] as const;

function bodyOf(method: string, path: string): string {
  if (method !== "POST") return "";
  return path === "/graphql" ? '{"query":"{ viewer { tenant } }"}' : "{}";
}

function headersOf(method: string, path: string, more: readonly (readonly [string, string])[] = []) {
  const length = Buffer.byteLength(bodyOf(method, path));
  const body =
    method === "POST"
      ? ([
          ["Content-Type", "application/json"],
          ["Content-Length", `${length}`]
        ] as const)
      : [];
  return [...body, ...more];
}

/** The error object, whichever surface wrote it, and the request id beside it. */
function errorOf(path: string, text: string): { code: string; requestId: string } {
  const body = JSON.parse(text);
  if (path.startsWith("/mcp")) {
    expect(body).toMatchObject({ jsonrpc: "2.0", id: null });
    return body.error.data;
  }
  if (!path.startsWith("/graphql")) return { code: body.error.code, requestId: body.requestId };
  expect(body).not.toHaveProperty("data");
  return body.errors[0].extensions;
}

describe("without a valid credential", () => {
  const forms = [
    [],
    [["Authorization", ""]],
    [["Authorization", "Bearer"]],
    [["Authorization", "Bearer "]],
    [["Authorization", "Bearer junk"]],
    [["Authorization", "Basic dGVzdDp0ZXN0"]],
    [["Authorization", `Token ${"x".repeat(5000)}`]],
    [["Authorization", "Bearer €€"]]
  ] as const;

  it.each(ROUTES)("%s %s is 401 in the surface's own form, and costs nothing upstream", async (method, path) => {
    upstream.reset();
    for (const form of forms) {
      const answer = await sendRequest(gateway.url, {
        method,
        target: path,
        headers: headersOf(method, path, form),
        body: bodyOf(method, path)
      });
      expect(answer.status).toBe(401);
      expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/);
      const { code, requestId } = errorOf(path, answer.text);
      expect(code).toBe("UNAUTHORIZED");
      expect(requestId).toBe(answer.headers["x-request-id"]);
      expect(answer.text).not.toMatch(/\bat .*\.(?:ts|js)/);
    }
    expect(upstream.count()).toBe(0);
  });

  it("a key in the query is no credential, and is not written to the log", async () => {
    const answer = await gateway.get(`/openapi/v2/knowledge-bases?api_key=${token}`);
    expect(answer.status).toBe(401);
    expect(gateway.written.join("")).not.toContain(token);
  });

  it.each(OPEN_ROUTES)("%s answers", async (path) => {
    expect((await gateway.get(path)).status).toBe(200);
  });

  it("GraphiQL's page loads, and a query on it does not", async () => {
    const page = await gateway.get("/graphql", { headers: { accept: "text/html" } });
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toMatch(/^text\/html/);
    const query = await gateway.get("/graphql?query={__typename}", { headers: { accept: "text/html" } });
    expect(query.status).toBe(401);
  });
});

describe("with a valid credential", () => {
  it.each(["bearer", "BEARER", "Bearer"])("the scheme may be written %s", async (scheme) => {
    const answer = await gateway.get("/openapi/v2/knowledge-bases", {
      headers: { authorization: `${scheme} ${token}` }
    });
    expect(answer.status).toBe(200);
  });

  it("a GET of /graphql is the caller's like a POST", async () => {
    const got = await gateway.get("/graphql?query={viewer{tenant}}", { token });
    const posted = await gateway.graphql("{viewer{tenant}}", undefined, { token });
    expect(got.body).toEqual({ data: { viewer: { tenant: "acme" } } });
    expect(posted.body).toEqual(got.body);
    expect(gateway.logs.slice(-2)).toMatchObject([
      { tenant: "acme", subject: "test", surface: "graphql", method: "GET", status: 200 },
      { tenant: "acme", subject: "test", surface: "graphql", method: "POST", status: 200 }
    ]);
  });
});

describe("a request from elsewhere", () => {
  const all = [...ROUTES, ...OPEN_ROUTES.map((path) => ["GET", path] as const)];

  it.each(all)("%s %s with a wrong Host or Origin is 403 before its body is read", async (method, path) => {
    for (const [name, value] of [
      ["Host", "evil.example"],
      ["Origin", "https://evil.example"],
      ["Origin", "null"]
    ] as const) {
      // A body is announced and never sent: an answer comes only from who does not wait for it.
      const answer = await sendRequest(gateway.url, {
        method,
        target: path,
        headers: [
          ["Authorization", `Bearer ${token}`],
          ["Content-Type", "application/json"],
          ["Content-Length", "1000"],
          [name, value]
        ]
      });
      expect([value, answer.status]).toEqual([value, 403]);
      expect(errorOf(path, answer.text).code).toBe("FORBIDDEN");
    }
  });

  it("a CORS origin is served, and is told so", async () => {
    const origin = "https://app.example.com";
    const answer = await gateway.graphql("{viewer{tenant}}", undefined, { token, headers: { origin } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
    expect(answer.headers.get("vary")).toBe("Authorization, Origin");
    const own = await gateway.get("/healthz", { headers: { origin: gateway.url } });
    expect(own.headers.get("access-control-allow-origin")).toBeNull();
  });

  it.each(ROUTES)("a preflight for %s %s is answered without a credential", async (method, path) => {
    const preflight = (origin: string) =>
      sendRequest(gateway.url, {
        method: "OPTIONS",
        target: path,
        headers: [
          ["Origin", origin],
          ["Access-Control-Request-Method", method],
          ["Access-Control-Request-Headers", "authorization, content-type"]
        ]
      });
    const allowed = await preflight("https://app.example.com");
    expect(allowed.status).toBe(204);
    expect(allowed.headers["access-control-allow-origin"]).toBe("https://app.example.com");
    expect(allowed.headers["access-control-allow-methods"]).toContain(method);
    expect(allowed.headers["access-control-allow-headers"]).toBe("authorization, content-type");
    const refused = await preflight("https://evil.example");
    expect(refused.status).toBe(403);
    expect(refused.headers).not.toHaveProperty("access-control-allow-origin");
  });
});

describe("what is not a request for a route", () => {
  it.each([
    ["/agent/handbook/../handbook/tree", "agent"],
    ["/agent/handbook/files/%2e%2e/content", "agent"],
    ["/agent/handbook/files/a%2fb", "agent"],
    ["/openapi/v2/..%5chealth", "mirror"],
    ["/graphql/../agent/tree", "graphql"],
    ["/mcp/%2e%2e", "mcp"],
    ["//graphql", "agent"]
  ])("invariant 9: %s is INVALID_PATH before anything else", async (target) => {
    const answer = await sendRequest(gateway.url, { target, headers: [["Host", "evil.example"]] });
    expect(answer.status).toBe(400);
    expect(errorOf(target, answer.text).code).toBe("INVALID_PATH");
  });

  it.each(["/", "/graphqlx", "/agentx", "/openapi", "/openapi/v1/health", "/favicon.ico", "/healthz/", "/mcpx"])(
    "%s is UNSUPPORTED_ROUTE",
    async (path) => {
      const { status, body } = await gateway.get(path, { token });
      expect([status, body.error.code]).toEqual([404, "UNSUPPORTED_ROUTE"]);
    }
  );

  it.each(["/mcp/", "/mcp/handbook/tree"])("%s is UNSUPPORTED_ROUTE in MCP's form", async (path) => {
    const { status, text } = await gateway.get(path, { token });
    expect([status, errorOf(path, text).code]).toEqual([404, "UNSUPPORTED_ROUTE"]);
  });

  it("a probe with another method is refused", async () => {
    const answer = await gateway.post("/healthz", {});
    expect([answer.status, answer.body.error.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
    expect(answer.headers.get("allow")).toBe("GET, HEAD");
  });

  it.each(["Host", "Authorization", "Origin", "Content-Type"])("%s sent twice is BAD_REQUEST", async (name) => {
    const { host } = new URL(gateway.url);
    const value =
      { Host: host, Authorization: `Bearer ${token}`, Origin: gateway.url, "Content-Type": "application/json" }[name] ??
      "";
    const answer = await sendRequest(gateway.url, {
      target: "/graphql",
      headers: [
        [name, value],
        [name.toLowerCase(), value]
      ]
    });
    expect(answer.status).toBe(400);
    expect(errorOf("/graphql", answer.text).code).toBe("BAD_REQUEST");
  });

  it.each([
    "not http at all\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: a\r\nbad header\r\n\r\n",
    `GET /${"x".repeat(20_000)} HTTP/1.1\r\n\r\n`
  ])("%.20j is refused in JSON", async (bytes) => {
    const answer = await sendBytes(gateway.url, Buffer.from(bytes));
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text)).toMatchObject({ error: { code: "BAD_REQUEST", httpStatus: 400 } });
  });
});

describe("every answer", () => {
  const answers: readonly (readonly [name: string, ask: () => Promise<Response>])[] = [
    [
      "data",
      () => fetch(`${gateway.url}/openapi/v2/knowledge-bases`, { headers: { authorization: `Bearer ${token}` } })
    ],
    ["401", () => fetch(`${gateway.url}/agent/handbook/tree`)],
    ["404", () => fetch(`${gateway.url}/nowhere`)],
    ["health", () => fetch(`${gateway.url}/healthz`)],
    ["GraphQL's 401", () => fetch(`${gateway.url}/graphql?query={a}`)],
    ["the page", () => fetch(`${gateway.url}/graphql`, { headers: { accept: "text/html" } })]
  ];
  it.each(answers)("%s may not be kept by shared caches or framed", async (_, ask) => {
    const { headers } = await ask();
    expect(headers.get("cache-control")).toBe("private, no-store");
    expect(headers.get("vary")).toContain("Authorization");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("x-frame-options")).toBe("DENY");
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(headers.get("x-request-id")).toMatch(/^req-/);
    expect(headers.get("x-powered-by")).toBeNull();
  });

  it("is not a 304 for another's validator", async () => {
    const answer = await gateway.get("/openapi/v2/knowledge-bases", {
      token,
      headers: { "if-none-match": 'W/"of-another"' }
    });
    expect(answer.status).toBe(200);
  });
});
