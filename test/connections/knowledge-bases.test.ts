import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer, type TestGateway } from "../harness/gateway.ts";

const COUNT = 23;
const idOf = (index: number) => `knowledge-base-${String(index).padStart(2, "0")}`;
const ALL = Array.from({ length: COUNT }, (_, index) => idOf(index));
/** Granted by name, in that order; the last does not exist. */
const NAMED = [idOf(7), idOf(3), idOf(21), idOf(20), idOf(11), "knowledge-base-none"];
const limits = { requestsPerMinute: 1_000_000 };
const TENANTS = {
  whole: { grants: [{ upstream: "main" }], limits },
  named: { grants: [{ upstream: "main", knowledgeBases: NAMED }], limits }
};
type Tenant = keyof typeof TENANTS;
const GRANTED: Readonly<Record<Tenant, readonly string[]>> = { whole: ALL, named: NAMED.slice(0, -1) };

interface Seen {
  readonly ids: readonly string[];
  readonly next: string | null;
  readonly error: { readonly code: string; readonly details?: Readonly<Record<string, unknown>> } | null;
}

type Ask = (size: number | undefined, cursor: string | null | undefined, token: string) => Promise<Seen>;

let fake: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  fake = await fakeUpstream({ knowledgeBases: ALL.map((id) => ({ id })) });
  gateway = await startGateway({
    upstreams: { main: fake },
    upstreamSettings: { rateLimit: { requests: 1_000_000 } },
    tenants: TENANTS
  });
});
afterAll(async () => {
  await gateway.close();
  await fake.close();
});
beforeEach(() => fake.reset());

function seenOf({ status, body }: Pick<TestAnswer, "status" | "body">): Seen {
  if (status !== 200) return { ids: [], next: null, error: body.error };
  const items: { readonly knowledgeBaseId: string }[] = body.items;
  return { ids: items.map(({ knowledgeBaseId }) => knowledgeBaseId), next: body.nextCursor, error: null };
}

const QUERY = `query ($first: Int, $after: String) { knowledgeBases(first: $first, after: $after) {
  edges { cursor node { knowledgeBaseId } } pageInfo { hasNextPage endCursor } } }`;

async function connection(first: number | undefined, after: string | null | undefined, token: string) {
  const { body } = await gateway.graphql(QUERY, { first, after }, { token });
  return body;
}

const SURFACES: Readonly<Record<string, Ask>> = {
  async graphql(first, after, token) {
    const { data, errors } = await connection(first, after, token);
    if (errors !== undefined) return { ids: [], next: null, error: errors[0].extensions };
    const { edges, pageInfo } = data.knowledgeBases;
    return {
      ids: edges.map((edge: { node: { knowledgeBaseId: string } }) => edge.node.knowledgeBaseId),
      next: pageInfo.hasNextPage ? pageInfo.endCursor : null,
      error: null
    };
  },
  async mirror(limit, cursor, token) {
    const query = new URLSearchParams();
    if (limit !== undefined) query.set("limit", String(limit));
    if (cursor !== undefined) query.set("cursor", cursor ?? "");
    return seenOf(await gateway.get(`/openapi/v2/knowledge-bases?${query}`, { token }));
  },
  async mcp(limit, cursor, token) {
    const params = { name: "list_knowledge_bases", arguments: { limit, cursor } };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const { result } = (await gateway.post("/mcp", message, { token })).body;
    const body = result.isError ? JSON.parse(result.content[0].text) : result.structuredContent;
    return seenOf({ status: result.isError ? body.error.httpStatus : 200, body });
  }
};

describe.each(Object.entries(SURFACES))("knowledge bases through %s", (name, ask) => {
  describe.each(["whole", "named"] as const)("of a tenant that is granted them by %s", (tenant) => {
    it.each([1, 4, 5, 200])("invariant 5: are walked once each, %i a page", async (size) => {
      const token = gateway.token(tenant);
      const ids: string[] = [];
      let pages = 0;
      let cursor: string | null | undefined;
      do {
        const page: Seen = await ask(size, cursor, token);
        expect(page.error).toBeNull();
        if (page.next !== null) expect(page.ids).toHaveLength(size);
        ids.push(...page.ids);
        cursor = page.next;
        pages += 1;
      } while (cursor !== null);
      expect(ids).toEqual(GRANTED[tenant]);
      expect(pages).toBe(Math.ceil(GRANTED[tenant].length / size));
    });

    it("invariant 5: go on behind any edge with any size, from whatever surface it came", async () => {
      const token = gateway.token(tenant);
      const { data } = await connection(5, null, token);
      const cursors: string[] = data.knowledgeBases.edges.map((edge: { cursor: string }) => edge.cursor);
      expect(new Set(cursors.map((cursor) => cursor.length))).toEqual(new Set([460]));
      for (const [index, size] of [
        [0, 3],
        [2, 10],
        [3, 1]
      ] as const) {
        const { ids } = await ask(size, cursors[index], token);
        expect(ids).toEqual(GRANTED[tenant].slice(index + 1, index + 1 + size));
      }
    });
  });

  it("invariant 8: a size beyond the bounds is refused, naming them, without a call", async () => {
    const token = gateway.token("named");
    for (const size of [201, -1, 2_147_483_647]) {
      const { ids, error } = await ask(size, undefined, token);
      expect([size, ids]).toEqual([size, []]);
      const field = name === "graphql" ? "first" : "limit";
      expect(error).toMatchObject({ code: "VALIDATION_ERROR", details: { field, limit: 200 } });
    }
    expect(fake.count()).toBe(0);
  });

  it("invariant 5: a cursor of another tenant, or none at all, is refused without data", async () => {
    const { data } = await connection(2, null, gateway.token("named"));
    fake.reset();
    for (const cursor of [data.knowledgeBases.edges[0].cursor, "null", "A".repeat(10_240)]) {
      const { ids, error } = await ask(2, cursor, gateway.token("whole"));
      expect(ids).toEqual([]);
      expect(error).toMatchObject({
        code: "VALIDATION_ERROR",
        details: { field: "cursor", reason: "INVALID", restart: true }
      });
    }
    expect(fake.count()).toBe(0);
    for (const cursor of ["", null])
      expect((await ask(2, cursor, gateway.token("named"))).ids).toEqual(NAMED.slice(0, 2));
  });

  it("an upstream that repeats its cursor ends in an error, not in a loop", async () => {
    const token = gateway.token("whole");
    const first = await ask(2, undefined, token);
    expect(fake.requests.at(-1)?.query).toEqual({ limit: "2" });
    await ask(2, first.next, token);
    const repeated = fake.requests.at(-1)?.query.cursor;
    fake.on("listKnowledgeBases", (_, model) => {
      const answer = model();
      return { ...answer, body: { ...(answer.body as object), nextCursor: repeated } };
    });
    expect((await ask(2, first.next, token)).error).toMatchObject({ code: "UPSTREAM_INVALID_RESPONSE" });
  });
});

it("invariant 8: no knowledge bases at all are asked for without a call", async () => {
  for (const tenant of ["whole", "named"] as const) {
    const { data } = await connection(0, null, gateway.token(tenant));
    expect(data.knowledgeBases).toEqual({ edges: [], pageInfo: { hasNextPage: true, endCursor: null } });
  }
  expect(fake.count()).toBe(0);
});
