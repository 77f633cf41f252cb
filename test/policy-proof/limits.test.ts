/** How much a tenant may ask, on a running gateway: each refusal names its limit, and is this tenant's alone. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LimitsSchema } from "../../src/config/schema.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer, type TestGateway } from "../harness/gateway.ts";
import { rpc } from "./surfaces.ts";

const ID = "knowledge-base-11111111-1111-4111-8111-111111111111";
const OTHER = "knowledge-base-22222222-2222-4222-8222-222222222222";
const pages = Array.from({ length: 30 }, (_, index) => ({
  path: `pages/p${index}.md`,
  content: `shared ${"x".repeat(2000)}`
}));
const relations = pages.slice(1).map(({ path }) => ({ from: "pages/p0.md", to: path }));

type Limits = Partial<ReturnType<typeof LimitsSchema.parse>>;

const PADDING = "x".repeat(300);

/** A tenant for each limit, so that none meets another's. */
const TENANTS: Readonly<Record<string, Limits>> = {
  rate: { requestsPerMinute: 3 },
  places: { concurrentRequests: 1 },
  pages: { pageSize: 5 },
  depth: { queryDepth: 4 },
  complexity: { queryComplexity: 30 },
  tokens: { queryTokens: 20 },
  aliases: { aliases: 2 },
  body: { bodyBytes: 300 },
  time: { requestTimeoutMs: 200 },
  calls: { upstreamCallsPerRequest: 5 },
  content: { contentBytes: 1000 },
  rerank: {},
  parts: { mcpContentBytes: 500 },
  sources: { searchSources: 1 },
  generous: { rerank: true }
};

let upstream: FakeUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  upstream = await fakeUpstream({
    knowledgeBases: [
      { id: ID, pages, relations },
      { id: OTHER, pages }
    ]
  });
  gateway = await startGateway({
    upstreams: { main: upstream },
    upstreamSettings: { rateLimit: { requests: 1_000_000 } },
    knowledgeBases: { handbook: { upstream: "main", id: ID } },
    config: { graphql: { batchSize: 2 }, cache: { revisionCheckMs: 0 } },
    tenants: Object.fromEntries(
      Object.entries(TENANTS).map(([name, limits]) => [name, { grants: [{ upstream: "main" }], limits }])
    )
  });
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The error, whichever surface wrote it. */
function refusalOf({ status, body }: TestAnswer): Refusal {
  const [first] = body.errors ?? [];
  if (first !== undefined) return { status, message: first.message, ...first.extensions };
  if (body.jsonrpc === undefined) return { status, ...body.error };
  const error = body.error?.data ?? JSON.parse(body.result.content[0].text).error;
  return { status, ...error };
}

type Ask = (token: string) => Promise<TestAnswer>;
const graphql =
  (query: string): Ask =>
  (token) =>
    gateway.graphql(query, undefined, { token });
const get =
  (path: string): Ask =>
  (token) =>
    gateway.get(path, { token });
const tool =
  (name: string, args: object): Ask =>
  (token) =>
    gateway.post(`/agent/handbook/tools/${name}`, args, { token });
const mcp =
  (name: string, args: object): Ask =>
  (token) =>
    rpc(gateway, token, "/mcp/handbook", "tools/call", { name, arguments: args });

const inHandbook = (fields: string) => graphql(`{ knowledgeBase(key: "handbook") { ${fields} } }`);
const first = () => upstream.fileId("pages/p0.md", ID);

/** What passes each limit, on the surfaces that it is on. */
const PASSING: readonly (readonly [tenant: string, limit: string, code: string, asks: () => readonly Ask[]])[] = [
  [
    "pages",
    "pageSize",
    "VALIDATION_ERROR",
    () => [
      inHandbook("tree(first: 6) { edges { cursor } }"),
      inHandbook('search(query: "shared", first: 6) { edges { cursor } }'),
      get("/agent/handbook/tree?limit=6"),
      get(`/openapi/v2/knowledge-bases/${ID}/tree?limit=6`),
      get("/openapi/v2/knowledge-bases?limit=6"),
      tool("list_tree", { limit: 6 }),
      mcp("search_files", { query: "shared", limit: 6 })
    ]
  ],
  [
    "depth",
    "queryDepth",
    "QUERY_TOO_COMPLEX",
    () => [inHandbook("tree { edges { node { ... on File { knowledgeBase { name } } } } }")]
  ],
  [
    "complexity",
    "queryComplexity",
    "QUERY_TOO_COMPLEX",
    () => [inHandbook("tree(first: 50) { edges { node { path } } }")]
  ],
  ["tokens", "queryTokens", "QUERY_TOO_COMPLEX", () => [graphql(`{ viewer { ${"tenant ".repeat(30)} } }`)]],
  [
    "aliases",
    "aliases",
    "QUERY_TOO_COMPLEX",
    () => [graphql("{ a: viewer { tenant } b: viewer { tenant } c: viewer { tenant } }")]
  ],
  [
    "generous",
    "batchSize",
    "QUERY_TOO_COMPLEX",
    () => [(token) => gateway.post("/graphql", Array(3).fill({ query: "{ viewer { tenant } }" }), { token })]
  ],
  [
    "body",
    "bodyBytes",
    "PAYLOAD_TOO_LARGE",
    () => [
      (token) =>
        gateway.post("/graphql", { query: "{ viewer { tenant } }", extensions: { padding: PADDING } }, { token }),
      tool("list_tree", { padding: PADDING }),
      (token) => rpc(gateway, token, "/mcp", "tools/list", { padding: PADDING })
    ]
  ],
  [
    "calls",
    "upstreamCallsPerRequest",
    "QUERY_TOO_COMPLEX",
    () => [inHandbook('tree(parentPath: "pages", first: 20) { edges { node { ... on File { content } } } }')]
  ],
  [
    "content",
    "contentBytes",
    "PAYLOAD_TOO_LARGE",
    () => [
      get("/agent/handbook/files/content?path=pages/p0.md"),
      get(`/openapi/v2/knowledge-bases/${ID}/files/${first()}/content`),
      tool("read_file", { path: "pages/p0.md" }),
      mcp("read_file", { path: "pages/p0.md" }),
      inHandbook('file(by: {path: "pages/p0.md"}) { content }')
    ]
  ],
  [
    "rerank",
    "rerank",
    "FORBIDDEN",
    () => [
      get("/agent/handbook/search?query=shared&rerank=true"),
      get(`/openapi/v2/knowledge-bases/${ID}/files/search?query=shared&rerank=true`),
      get(`/openapi/v2/knowledge-bases/${ID}/files/search?query=shared&rerank=true&rerank=false`),
      tool("search_files", { query: "shared", rerank: "true" }),
      mcp("search_files", { query: "shared", rerank: true }),
      inHandbook('search(query: "shared", rerank: {}) { edges { cursor } }'),
      graphql('{ search(query: "shared", rerank: {}) { edges { cursor } } }')
    ]
  ],
  [
    "sources",
    "searchSources",
    "VALIDATION_ERROR",
    () => [
      graphql(`{ search(query: "shared", knowledgeBases: ["handbook", "${OTHER}"]) { edges { cursor } } }`),
      get("/agent/search?query=shared")
    ]
  ]
];

describe("invariant 8, invariant 10: a refusal names its limit", () => {
  it.each(PASSING)(
    "of %s: %s is %s on every surface, and the tenant beside it is served",
    async (tenant, limit, code, asks) => {
      for (const ask of asks()) {
        const answer = await ask(gateway.token(tenant));
        const refusal = refusalOf(answer);
        expect(refusal.code, answer.text).toBe(code);
        const named = [refusal.details?.limit, refusal.details?.field, refusal.message].join(" ");
        expect(named).toMatch(limit === "pageSize" ? /\b5\b/ : new RegExp(limit));
        if (limit === "batchSize") continue;
        const served = await ask(gateway.token("generous"));
        expect(served.status, served.text).toBeLessThan(400);
        expect(served.body.errors ?? served.body.error ?? served.body.result?.isError, served.text).toBeFalsy();
      }
    }
  );

  it("of time: requestTimeoutMs ends what takes longer", async () => {
    upstream.knowledgeBase(ID).publish();
    const release = upstream.on((request) => request.knowledgeBaseId === ID, { fault: "hang" });
    const answers = await Promise.all([
      gateway.get("/agent/handbook/tree?parentPath=pages", { token: gateway.token("time") }),
      inHandbook("name tree { edges { cursor } }")(gateway.token("time")),
      mcp("list_tree", {})(gateway.token("time"))
    ]);
    release();
    for (const answer of answers) expect(refusalOf(answer).code).toBe("UPSTREAM_TIMEOUT");
  });

  it("of rate: the request after the last of a minute, with the wait", async () => {
    const token = gateway.token("rate");
    for (let asked = 0; asked < 3; asked += 1) expect((await get("/openapi.json")(token)).status).toBe(200);
    for (const ask of [get("/openapi.json"), graphql("{ viewer { tenant } }"), mcp("list_tree", {})]) {
      const answer = await ask(token);
      expect(answer.status).toBe(429);
      expect(refusalOf(answer)).toMatchObject({
        code: "RATE_LIMITED",
        details: { limit: "requestsPerMinute", maximum: 3, retryAfterSeconds: expect.any(Number) }
      });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    }
    expect((await get("/openapi.json")(gateway.token("generous"))).status).toBe(200);
  });

  it("of places: a request while another of the tenant's is answered", async () => {
    const token = gateway.token("places");
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    upstream.reset();
    upstream.on("listKnowledgeBases", async (_request, model) => held.then(model), 1);
    const slow = gateway.get("/openapi/v2/knowledge-bases?limit=7", { token });
    await upstream.until(() => upstream.count("listKnowledgeBases") === 1);
    const refused = await gateway.get("/openapi.json", { token });
    expect(refused.status).toBe(429);
    expect(refusalOf(refused)).toMatchObject({
      details: { limit: "concurrentRequests", maximum: 1, retryAfterSeconds: 1 }
    });
    expect((await gateway.get("/openapi.json", { token: gateway.token("generous") })).status).toBe(200);
    answer();
    expect((await slow).status).toBe(200);
    expect((await gateway.get("/openapi.json", { token })).status).toBe(200);
  });

  it("of parts: MCP splits content that passes mcpContentBytes instead of refusing it", async () => {
    const { body } = await mcp("read_file", { path: "pages/p0.md" })(gateway.token("parts"));
    expect(body.result.structuredContent).toMatchObject({ offset: 0, nextOffset: 500, totalCharacters: 2007 });
  });
});

describe("viewer", () => {
  it("tells every limit that GraphQL has a number for, as the configuration has it", async () => {
    const query =
      "{ viewer { limits { requestsPerMinute concurrentRequests pageSize queryDepth queryComplexity queryTokens aliases bodyBytes requestTimeoutMs upstreamCallsPerRequest contentBytes rerank } } }";
    const { body } = await graphql(query)(gateway.token("generous"));
    expect({ ...LimitsSchema.parse({ rerank: true }) }).toMatchObject(body.data.viewer.limits);
  });
});
