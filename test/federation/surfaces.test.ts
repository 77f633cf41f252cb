/** The same federated search through GraphQL, REST and MCP: the same items, the same errors, the same upstream calls. */
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { SearchEverywhereDocument } from "../graphql/generated/graphql.ts";
import { type FakeUpstream, fakeUpstream, serviceUnavailable } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";
import { idOf } from "./library.ts";

interface Item {
  readonly knowledgeBaseId: string;
  readonly path: string;
}
interface Source {
  readonly key: string;
  readonly searchStatus: string | null;
  readonly error: { readonly code: string; readonly requestId: string } | null;
}
interface Everywhere {
  readonly items: readonly Item[];
  readonly sources: readonly Source[];
  readonly nextCursor: string | null;
}

const pages = (name: string) =>
  Array.from({ length: 4 }, (_, index) => ({ path: `pages/${name}-${index}.md`, content: "About caches." }));

let main: FakeUpstream;
let second: FakeUpstream;
let gateway: TestGateway;

beforeAll(async () => {
  const held = (slug: string) => ({ id: idOf(slug), name: slug, pages: pages(slug) });
  main = await fakeUpstream({ knowledgeBases: [held("ants"), held("cats")] });
  second = await fakeUpstream({ knowledgeBases: [held("bees")] });
  gateway = await startGateway({
    upstreams: { main, second },
    knowledgeBases: {
      ants: { upstream: "main", id: idOf("ants") },
      bees: { upstream: "second", id: idOf("bees") },
      cats: { upstream: "main", id: idOf("cats") }
    },
    tenants: {
      all: { grants: [{ knowledgeBases: ["ants", "bees", "cats"] }] },
      one: { grants: [{ knowledgeBases: ["bees"] }] },
      few: { grants: [{ knowledgeBases: ["ants", "bees", "cats"] }], limits: { searchSources: 2 } },
      cheap: { grants: [{ knowledgeBases: ["ants", "bees", "cats"] }], limits: { queryComplexity: 45 } }
    },
    config: { cache: { maxBytes: 0 } }
  });
});
afterAll(async () => {
  await gateway.close();
  await main.close();
  await second.close();
});
beforeEach(() => {
  main.reset();
  second.reset();
});

const as = (tenant: string) => ({ token: gateway.token(tenant) });

async function overGraphQL(tenant: string, first: number, after?: string): Promise<Everywhere> {
  const variables = { query: "caches", first, after };
  const { body } = await gateway.graphql(SearchEverywhereDocument.toString(), variables, as(tenant));
  const { edges, pageInfo, sources } = body.data.search;
  return {
    items: edges.map(({ node }: { node: { knowledgeBase: { key: string }; file: { path: string } } }) => ({
      knowledgeBaseId: idOf(node.knowledgeBase.key),
      path: node.file.path
    })),
    sources: sources.map((source: Source & { knowledgeBase: { key: string } }) => ({
      ...source,
      key: source.knowledgeBase.key
    })),
    nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null
  };
}

async function overRest(tenant: string, limit: number, cursor = "", more = ""): Promise<Everywhere> {
  const { status, body } = await gateway.get(
    `/agent/search?query=caches&limit=${limit}&cursor=${cursor}${more}`,
    as(tenant)
  );
  expect(status).toBe(200);
  return body;
}

async function callMcp(tenant: string, args: Record<string, unknown>): Promise<CallToolResult> {
  const client = new Client({ name: "test", version: "1" });
  const headers = { authorization: `Bearer ${gateway.token(tenant)}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${gateway.url}/mcp`), { requestInit: { headers } });
  // The SDK's own types differ under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  try {
    await client.listTools();
    return (await client.callTool({ name: "search_files", arguments: { query: "caches", ...args } })) as CallToolResult;
  } finally {
    await client.close();
  }
}

async function overMcp(tenant: string, limit: number, cursor?: string): Promise<Everywhere> {
  const { structuredContent } = await callMcp(tenant, { limit, cursor });
  return structuredContent as unknown as Everywhere;
}

const gist = ({ items, sources }: Everywhere) => ({
  items: items.map(({ knowledgeBaseId, path }) => `${knowledgeBaseId} ${path}`),
  sources: sources.map(({ key, searchStatus, error }) => [key, searchStatus, error?.code ?? null])
});

describe("invariant 1: one search over several knowledge bases", () => {
  const surfaces = [
    ["GraphQL", overGraphQL],
    ["REST", overRest],
    ["MCP", overMcp]
  ] as const;

  it("is the same on every surface, page by page, and a cursor of one serves the others", async () => {
    const seen: unknown[] = [];
    for (const [index, [, first]] of surfaces.entries()) {
      main.reset();
      const page = await first("all", 5);
      const calls = main.count("searchGeneratedFiles");
      const following = surfaces[(index + 1) % surfaces.length]?.[1] ?? first;
      const next = await following("all", 50, page.nextCursor ?? undefined);
      expect(next.nextCursor).toBeNull();
      seen.push({ first: gist(page), next: gist(next), calls });
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(seen[2]).toEqual(seen[0]);
    expect(seen[0]).toMatchObject({ calls: 2, first: { items: { length: 5 } }, next: { items: { length: 7 } } });
  });

  it("tells of a failed source alike, and of the others' items", async () => {
    for (const [, search] of surfaces) {
      second.on("searchGeneratedFiles", serviceUnavailable("SEARCH_UNAVAILABLE"));
      expect(gist(await search("all", 50))).toEqual({
        items: [0, 1, 2, 3].flatMap((index) => ["ants", "cats"].map((key) => `${idOf(key)} pages/${key}-${index}.md`)),
        sources: [
          ["ants", "ok", null],
          ["bees", null, "SEARCH_UNAVAILABLE"],
          ["cats", "ok", null]
        ]
      });
    }
  });

  it("is refused alike above the tenant's searchSources", async () => {
    const rest = await gateway.get("/agent/search?query=caches", as("few"));
    expect([rest.status, rest.body.error.details]).toEqual([422, { field: "knowledgeBases", limit: 2 }]);
    const graphql = await gateway.graphql(`{ search(query: "caches") { edges { cursor } } }`, {}, as("few"));
    expect(graphql.body.errors[0].extensions).toMatchObject({ code: "VALIDATION_ERROR", details: { limit: 2 } });
    const { isError, content } = await callMcp("few", {});
    expect(isError).toBe(true);
    expect(JSON.parse((content[0] as { text: string }).text).error).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { field: "knowledgeBase", limit: 2 }
    });
    expect(main.count() + second.count()).toBe(0);
  });
});

describe("GraphQL", () => {
  const failing = () => second.on("searchGeneratedFiles", serviceUnavailable("SEARCH_UNAVAILABLE"));

  it("invariant 3: shows a failed source in its data and in errors, at its path", async () => {
    failing();
    const query = `{ found: search(query: "caches") {
      all: sources { knowledgeBase { key } error { code message httpStatus requestId retryAfterSeconds } } } }`;
    const { status, body } = await gateway.graphql(query, {}, as("all"));
    expect(status).toBe(200);
    const [{ extensions, path, message }, ...others] = body.errors;
    expect([path, others]).toEqual([["found", "all", 1], []]);
    expect(extensions).toMatchObject({ code: "SEARCH_UNAVAILABLE", httpStatus: 503 });
    const { code, httpStatus, requestId } = extensions;
    const error = { code, message, httpStatus, requestId, retryAfterSeconds: null };
    expect(body.data.found.all[1]).toEqual({ knowledgeBase: { key: "bees" }, error });
    expect(second.requests.length).toBeGreaterThan(0);
  });

  it("invariant 3: says it in errors where sources are not asked for", async () => {
    failing();
    const { body } = await gateway.graphql(`{ search(query: "caches") { edges { cursor } } }`, {}, as("all"));
    expect(body.data.search.edges).toHaveLength(8);
    expect(body.errors).toMatchObject([{ path: ["search"], extensions: { code: "SEARCH_UNAVAILABLE" } }]);
  });

  it("keeps the data where every source failed, with an error for each", async () => {
    for (const upstream of [main, second])
      upstream.on("searchGeneratedFiles", serviceUnavailable("SEARCH_UNAVAILABLE"));
    const { body } = await gateway.graphql(SearchEverywhereDocument.toString(), { query: "caches" }, as("all"));
    expect(body.data.search).toMatchObject({ edges: [], pageInfo: { hasNextPage: false } });
    expect(body.errors.map(({ path }: { path: unknown }) => path)).toEqual(
      [0, 1, 2].map((n) => ["search", "sources", n])
    );
  });

  it("invariant 2: refuses the whole search for one that is not granted", async () => {
    const asked = { query: "caches", knowledgeBases: ["bees", "ants"] };
    const { body } = await gateway.graphql(SearchEverywhereDocument.toString(), asked, as("one"));
    expect(body).toMatchObject({ data: null, errors: [{ path: ["search"], extensions: { code: "NOT_FOUND" } }] });
    expect(main.count() + second.count()).toBe(0);
  });

  it("invariant 10: counts each source in the query's cost", async () => {
    const costs = async (named: string) => {
      const query = `{ search(query: "caches", first: 1${named}) { edges { cursor } } }`;
      const { errors } = (await gateway.graphql(query, {}, as("cheap"))).body;
      return errors?.[0]?.extensions.details.actual ?? null;
    };
    expect(await costs("")).toBe(61);
    expect(await costs(', knowledgeBases: ["ants", "bees", "cats"]')).toBe(61);
    expect(await costs(', knowledgeBases: ["bees"]')).toBeNull();
  });
});

describe("REST", () => {
  it("answers as the upstream does for a caller granted one, and as a federated search where asked to", async () => {
    const plain = await gateway.get("/agent/search?query=caches", as("one"));
    expect(Object.keys(plain.body)).toEqual(expect.arrayContaining(["activeContentRevision", "searchStatus"]));
    expect(plain.body.sources).toBeUndefined();
    expect((await overRest("one", 10, "", "&knowledgeBases=bees")).sources).toHaveLength(1);
  });

  it("takes the named ones, separated by commas, and the compact view", async () => {
    const { items, sources } = await overRest("all", 4, "", "&knowledgeBases=cats,%20bees&view=compact");
    expect(sources.map(({ key }) => key)).toEqual(["bees", "cats"]);
    expect(Object.keys(items[0] ?? {})).not.toContain("graphContext");
    const whole = await overRest("all", 4, "", "&knowledgeBases=cats,bees");
    expect(Object.keys(whole.items[0] ?? {})).toContain("graphContext");
  });

  it("answers with the error where every source failed", async () => {
    for (const upstream of [main, second])
      upstream.on("searchGeneratedFiles", serviceUnavailable("SEARCH_UNAVAILABLE"));
    const { status, body } = await gateway.get("/agent/search?query=caches", as("all"));
    expect([status, body.error.code]).toEqual([503, "SEARCH_UNAVAILABLE"]);
  });

  it("names what the other routes take", async () => {
    const { items } = await overRest("all", 3);
    for (const item of items) {
      const { path, knowledgeBaseId } = item;
      const { body } = await gateway.get(`/agent/${knowledgeBaseId}/files/content?path=${path}`, as("all"));
      expect(body.content).toBe("About caches.");
    }
  });
});

describe("MCP", () => {
  it("searches the one that is named, or the only one there is", async () => {
    for (const [tenant, args] of [
      ["all", { knowledgeBase: "bees" }],
      ["one", {}]
    ] as const) {
      const { structuredContent } = await callMcp(tenant, args);
      expect(structuredContent).toMatchObject({ activeContentRevision: 1, searchStatus: "ok" });
      expect(structuredContent).not.toHaveProperty("sources");
    }
  });
});
