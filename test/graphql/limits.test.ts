/** Bounds on queries. Where one is passed, the answer is 400 and nothing is read. Source: docs/invariants.md 10. */
import { getIntrospectionQuery, parse } from "graphql";
import { describe, expect, it } from "vitest";
import { createDocumentCache } from "../../src/graphql/document-cache.ts";
import { type Answer, Client } from "./client.ts";
import { FakeReader } from "./fake-reader.ts";

type Options = ConstructorParameters<typeof FakeReader>[0];

async function ask(query: string, options: Options = {}, variables?: Record<string, unknown>) {
  const reader = new FakeReader(options);
  return { reader, answer: await new Client(reader).ask(query, variables) };
}

function expectRefused(answer: Answer<unknown>, limit: string, actual?: number): void {
  expect(answer.status).toBe(400);
  expect(answer.data).toBeUndefined();
  expect(answer.errors).toHaveLength(1);
  expect(answer.errors?.[0]?.message).toContain(limit);
  expect(answer.errors?.[0]?.extensions).toMatchObject({
    code: "QUERY_TOO_COMPLEX",
    httpStatus: 400,
    details: { limit, ...(actual === undefined ? {} : { actual }) }
  });
}

const nested = `{ knowledgeBase(key: "handbook") { tree(first: 500) { edges { node { ... on File {
  content related { edges { node { file { content } } } }
} } } } } }`;

describe("invariant 10: cost", () => {
  it("multiplies what is selected of a row by the size of the page", async () => {
    const { reader, answer } = await ask(nested);
    expectRefused(answer, "queryComplexity");
    expect(reader.calls).toEqual([]);
  });

  it("takes the size of the page from variables, and from defaults where it is left out", async () => {
    const query = `query ($first: Int) { knowledgeBase(key: "handbook") { tree(first: $first) { edges { node { ... on File {
      title related { edges { node { file { title } } } }
    } } } } } }`;
    expectRefused((await ask(query, {}, { first: 200 })).answer, "queryComplexity");
    expect((await ask(query, {}, { first: 10 })).answer.errors).toBeUndefined();
    expect((await ask(query, { limits: { queryComplexity: 1500 } })).answer.status).toBe(400);
  });

  it("is the tenant's", async () => {
    const query = `{ knowledgeBase(key: "handbook") { search(query: "note") { edges { node { file { content } } } } } }`;
    expect((await ask(query)).answer.status).toBe(200);
    expectRefused((await ask(query, { limits: { queryComplexity: 50 } })).answer, "queryComplexity");
  });

  it("lets a page of five hundred entries and a page of fifty details pass", async () => {
    const rows = `edges { cursor node { path name ... on File { id fileId fileKind contentAvailable } } }`;
    const titles = `edges { node { ... on File { title description tags frontmatter okfSignals { trustTier } } } }`;
    for (const fields of [`tree(first: 500) { ${rows} }`, `tree(first: 50) { ${titles} }`]) {
      const { answer } = await ask(`{ knowledgeBase(key: "handbook") { ${fields} } }`);
      expect(answer.errors).toBeUndefined();
    }
  });

  it("counts nodes by their ids", async () => {
    const ids = Array.from({ length: 1000 }, (_, index) => `id-${index}`);
    const { reader, answer } = await ask(`query ($ids: [ID!]!) { nodes(ids: $ids) { id } }`, {}, { ids });
    expectRefused(answer, "queryComplexity");
    expect(reader.calls).toEqual([]);
  });
});

describe("invariant 10: depth", () => {
  const circle = (times: number) =>
    `{ knowledgeBase(key: "handbook") { ${'search(query: "q", first: 1) { edges { node { knowledgeBase { '.repeat(times)}
       key ${"} } } }".repeat(times)} } }`;

  it("counts fields, through fragments too", async () => {
    expect((await ask(circle(2))).answer.errors).toBeUndefined();
    expectRefused((await ask(circle(3))).answer, "queryDepth", 14);
    const hidden = `{ knowledgeBase(key: "handbook") { ...A } }
      fragment A on KnowledgeBase { search(query: "q") { edges { node { knowledgeBase { ...B } } } } }
      fragment B on KnowledgeBase { search(query: "q") { edges { node { knowledgeBase { ...C } } } } }
      fragment C on KnowledgeBase { search(query: "q") { edges { node { ... on SearchResult { knowledgeBase { key } } } } } }`;
    expectRefused((await ask(hidden)).answer, "queryDepth", 14);
  });

  it("has no end where fragments go in circles", async () => {
    const circular = `{ knowledgeBase(key: "handbook") { ...A } }
      fragment A on KnowledgeBase { key ...B } fragment B on KnowledgeBase { name ...A }`;
    expectRefused((await ask(circular)).answer, "queryDepth");
  });

  it("leaves introspection to GraphQL's own bounds", async () => {
    const { answer } = await ask(getIntrospectionQuery());
    expect(answer.errors).toBeUndefined();
    const bomb = `{ __schema { types { ${"fields { type { ".repeat(5)} name ${"} }".repeat(5)} } } }`;
    expect((await ask(bomb)).answer.errors?.[0]?.message).toContain("introspection depth");
  });
});

describe("invariant 10: aliases and tokens", () => {
  it("counts aliased fields, through fragments too", async () => {
    const aliased = Array.from({ length: 31 }, (_, index) => `a${index}: __typename`).join(" ");
    expectRefused((await ask(`{ ${aliased} }`)).answer, "aliases", 31);
    const fields = Array.from({ length: 11 }, (_, index) => `a${index}: key`).join(" ");
    const spread = `{ knowledgeBase(key: "handbook") { ...A ... on KnowledgeBase { ...A } ...A } }
      fragment A on KnowledgeBase { ${fields} }`;
    expectRefused((await ask(spread)).answer, "aliases", 33);
  });

  it("refuses a thousand aliased searches", async () => {
    const searches = Array.from({ length: 150 }, (_, index) => `s${index}: search(query: "note") { message }`);
    const query = `{ knowledgeBase(key: "handbook") { ${searches.join(" ")} } }`;
    const { reader, answer } = await ask(query);
    expectRefused(answer, "aliases", 150);
    expect(reader.calls).toEqual([]);
  });

  it("stops reading at the last token allowed", async () => {
    const query = `{ ${"viewer { tenant } ".repeat(50_000)} }`;
    expectRefused((await ask(query)).answer, "queryTokens");
    const junk = `{ ${"a ".repeat(3000)} "`;
    expectRefused((await ask(junk)).answer, "queryTokens");
  });

  it("measures again what the parser remembers for another tenant", async () => {
    const query = `{ viewer { tenant subject } }`;
    const wide = new FakeReader();
    const narrow = new FakeReader({ limits: { queryTokens: 4 } });
    const client = new Client(wide);
    expect((await client.ask(query)).status).toBe(200);
    const request = () =>
      new Request("http://gateway.test/graphql", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ query })
      });
    expect((await client.surface.handle(request(), narrow)).status).toBe(400);
    expect((await client.surface.handle(request(), wide)).status).toBe(200);
  });
});

describe("invariant 10: fragments that double", () => {
  const doubling = (body: (next: string, level: number) => string) => {
    const levels = Array.from({ length: 30 }, (_, i) => `fragment F${i} on KnowledgeBase { ${body(`F${i + 1}`, i)} }`);
    return `{ knowledgeBase(key: "handbook") { ...F0 } } ${levels.join(" ")} fragment F30 on KnowledgeBase { key }`;
  };

  it.each([
    ["plain spreads", doubling((next) => `...${next} ...${next}`)],
    ["inline fragments", doubling((next) => `... on KnowledgeBase { ...${next} } ... on KnowledgeBase { ...${next} }`)],
    ["aliases", doubling((next, level) => `a${level}: key ...${next} ...${next}`)],
    [
      "nested fields",
      doubling(
        (next) =>
          `search(query: "q") { edges { node { knowledgeBase { ...${next} } file { knowledgeBase { ...${next} } } } } }`
      )
    ]
  ])("are refused, doubled thirty times by %s", async (_, query) => {
    const { reader, answer } = await ask(query);
    expect(answer.status).toBe(400);
    expect(answer.errors?.[0]?.extensions.code).toBe("QUERY_TOO_COMPLEX");
    expect(reader.calls).toEqual([]);
  });
});

describe("remembered queries", () => {
  it("are bounded by their size, and none of them is huge", () => {
    const cache = createDocumentCache();
    const text = (index: number, padding: number) => `# ${index} ${"x".repeat(padding)}\n{ viewer { tenant } }`;
    const huge = text(0, 2_000_000);
    cache.set(huge, parse(huge));
    expect(cache.has(huge)).toBe(false);
    for (let index = 0; index < 500; index += 1) cache.set(text(index, 100_000), parse(text(index, 100_000)));
    expect(cache.calculatedSize).toBeLessThanOrEqual(32 * 1024 * 1024);
    expect(cache.size).toBeGreaterThan(100);
  });
});
