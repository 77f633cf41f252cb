/** What the jobs of the benchmark cost the upstream, in calls: cold, warm, after a publication, and for another tenant. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";

const DIRECTORY = "pages/area";
const HITS = 10;
const TARGETS = 12;
/** With the two that the upstream makes of them, fifty entries of their directory. */
const PAGES = 48;
const path = (index: number) => `${DIRECTORY}/page-${String(index).padStart(2, "0")}.md`;
/** Longer than any test takes: what is known is trusted to its end. */
const TRUSTED_MS = 600_000;

const FIFTY = `{ knowledgeBase(key: "kb") { tree(parentPath: "${DIRECTORY}", first: 50) {
  edges { node { path ... on File { title tags } } } } } }`;
const NESTED = `{ knowledgeBase(key: "kb") { search(query: "caches", first: 10) {
  edges { node { file { path related(first: 5) { edges { node { file { path title tags } } } } } } } } } }`;
const SEARCH = `{ knowledgeBase(key: "kb") { search(query: "caches", first: 10) {
  edges { node { score matchType sourceExcerpt file { path title } } } } } }`;

interface Job {
  readonly name: string;
  /** Calls of a cold start, the check of the revision left out. */
  readonly cold: Readonly<Record<string, number>>;
  ask(gateway: TestGateway, token: string): Promise<string>;
}

const over = (query: string) => async (gateway: TestGateway, token: string) => {
  const { body } = await gateway.graphql(query, {}, { token });
  expect(body.errors).toBeUndefined();
  return JSON.stringify(body.data);
};
const get = (target: (id: string) => string) => async (gateway: TestGateway, token: string) => {
  const { status, text } = await gateway.get(target(world.fileId(path(PAGES - 1))), { token });
  expect(status).toBe(200);
  return text;
};

const JOBS: readonly Job[] = [
  { name: "a search over GraphQL", cold: { searchGeneratedFiles: 1 }, ask: over(SEARCH) },
  {
    name: "a search over REST",
    cold: { searchGeneratedFiles: 1 },
    ask: get(() => "/agent/kb/search?query=caches&limit=10")
  },
  { name: "fifty files", cold: { listKnowledgeBaseTree: 1, getFileById: PAGES + 2 }, ask: over(FIFTY) },
  {
    name: "hits, their relations, and those files",
    cold: { searchGeneratedFiles: 1, listRelatedFiles: HITS, getFileById: TARGETS },
    ask: over(NESTED)
  },
  { name: "content over REST", cold: { getFileContentById: 1 }, ask: get((id) => `/agent/kb/files/${id}/content`) },
  {
    name: "content over GraphQL",
    cold: { getFileContentById: 1 },
    ask: async (gateway, token) => {
      const query = `query ($by: FileLookup!) { knowledgeBase(key: "kb") { file(by: $by) { content } } }`;
      const { body } = await gateway.graphql(query, { by: { fileId: world.fileId(path(PAGES - 1)) } }, { token });
      expect(body.errors).toBeUndefined();
      return JSON.stringify(body.data);
    }
  }
];

let world: FakeUpstream;
let gateway: TestGateway | undefined;

beforeEach(async () => {
  world = await fakeUpstream({
    knowledgeBases: [
      {
        pages: Array.from({ length: PAGES }, (_, index) => ({
          path: path(index),
          content: `# Page ${index}\n\n${index < HITS ? "About caches." : "About nothing."}\n`
        })),
        // Five of each hit, twelve distinct ones of all ten.
        relations: Array.from({ length: HITS * 5 }, (_, index) => ({
          from: path(Math.floor(index / 5)),
          to: path(HITS + (index % TARGETS))
        }))
      }
    ]
  });
});
afterEach(async () => {
  await gateway?.[Symbol.asyncDispose]();
  gateway = undefined;
  await world.close();
});

async function start(revisionCheckMs: number): Promise<TestGateway> {
  gateway = await startGateway({
    upstreams: { main: world },
    knowledgeBases: { kb: { upstream: "main", id: world.knowledgeBase().id } },
    tenants: {
      open: { grants: [{ knowledgeBases: ["kb"] }] },
      narrow: {
        grants: [{ knowledgeBases: ["kb"], paths: { deny: [path(0), path(HITS), `${DIRECTORY}/page-4*.md`] } }]
      }
    },
    config: { cache: { revisionCheckMs } }
  });
  return gateway;
}

function calls(): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { operation } of world.requests) {
    if (operation !== null && operation !== "getKnowledgeBase") counted[operation] = (counted[operation] ?? 0) + 1;
  }
  return counted;
}

describe.each(JOBS)("invariant 7: $name", ({ cold, ask }) => {
  it("asks for each thing once when cold, and for nothing when warm", async () => {
    const served = await start(TRUSTED_MS);
    const first = await ask(served, served.token("open"));
    expect(calls()).toEqual(cold);
    expect(world.count("getKnowledgeBase")).toBe(1);
    world.reset();
    for (let again = 0; again < 5; again += 1) expect(await ask(served, served.token("open"))).toBe(first);
    expect(world.count()).toBe(0);
  });

  it("asks for each thing once, however many ask at the same time", async () => {
    const served = await start(TRUSTED_MS);
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(served, served.token("open"))));
    expect(new Set(answers).size).toBe(1);
    expect(calls()).toEqual(cold);
    expect(world.count("getKnowledgeBase")).toBe(1);
  });

  it("asks for everything once more after a publication, and for the revision alone before it", async () => {
    const served = await start(0);
    await ask(served, served.token("open"));
    world.reset();
    await ask(served, served.token("open"));
    expect(calls()).toEqual({});
    // Trusted for no time at all, it is checked for each step of a job, and never for each file.
    expect(world.count("getKnowledgeBase")).toBeLessThanOrEqual(Object.keys(cold).length);
    const changed = { title: "Changed", content: "# Changed\n\nAbout caches.\n" };
    for (const index of [HITS, PAGES - 1, 0]) world.knowledgeBase().addPage({ path: path(index), ...changed });
    world.knowledgeBase().publish();
    world.reset();
    expect(await ask(served, served.token("open"))).toContain("Changed");
    expect(calls()).toEqual(cold);
  });
});

describe("invariant 7: checks of the revision", () => {
  it("are one for as long as it is trusted, however many ask", async () => {
    const served = await start(TRUSTED_MS);
    for (let round = 0; round < 20; round += 1) {
      await Promise.all([1, 2, 3].map(() => over(FIFTY)(served, served.token("open"))));
    }
    expect(world.count("getKnowledgeBase")).toBe(1);
    expect(calls()).toEqual({ listKnowledgeBaseTree: 1, getFileById: PAGES + 2 });
  });
});

describe("invariant 2: a tenant with narrower paths, on what another has warmed", () => {
  it("is answered with its own files, and reads none of them anew", async () => {
    const served = await start(TRUSTED_MS);
    const whole = await over(FIFTY)(served, served.token("open"));
    world.reset();
    const narrow = await over(FIFTY)(served, served.token("narrow"));
    // What is hidden is made up for from the listing's next page.
    expect(Object.keys(calls())).toEqual(["listKnowledgeBaseTree"]);
    const hidden = [path(0), path(HITS), path(40), path(PAGES - 1)];
    for (const name of hidden) expect([whole.includes(name), narrow.includes(name)]).toEqual([true, false]);
    expect(JSON.parse(narrow).knowledgeBase.tree.edges).toHaveLength(PAGES - 10);
    world.reset();
    expect(await over(FIFTY)(served, served.token("narrow"))).toBe(narrow);
    expect(world.count()).toBe(0);
  });
});

describe("invariant 7: a file that is withdrawn before the revision rises", () => {
  it("is gone from what is held at its first 404", async () => {
    const served = await start(TRUSTED_MS);
    const id = world.fileId(path(1));
    const token = served.token("open");
    const byId = () => served.get(`/agent/kb/files/${id}`, { token });
    const content = () => served.get(`/agent/kb/files/${id}/content`, { token });
    expect([(await byId()).status, (await content()).status]).toEqual([200, 200]);
    world.knowledgeBase().removePage(path(1));
    // Held, and nothing says yet that it is gone.
    expect((await content()).status).toBe(200);
    const missing = await served.get(`/agent/kb/files/${id}/related`, { token });
    expect(missing.status).toBe(404);
    expect([(await byId()).status, (await content()).status]).toEqual([404, 404]);
  });
});
