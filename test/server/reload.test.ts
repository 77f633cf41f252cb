import { expect, it } from "vitest";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";

const PATH = "/openapi/v2/knowledge-bases";

it("a request sees one version of the configuration from start to end; the next one sees the new one", async () => {
  await using upstream = await fakeUpstream();
  const before = { upstreams: { main: upstream }, tenants: { acme: { grants: [{ upstream: "main" }] } } };
  await using gateway = await startGateway(before);
  const token = gateway.token("acme");
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  upstream.on(
    "listKnowledgeBases",
    async (_, model) => {
      await held;
      return model();
    },
    1
  );
  const started = gateway.get(PATH, { token });
  await upstream.until(() => upstream.count("listKnowledgeBases") === 1);
  gateway.reload({ ...before, tenants: { acme: { credentials: [], grants: [{ upstream: "main" }] } } });
  expect((await gateway.get(PATH, { token })).status).toBe(401);
  answer();
  expect((await started).body.items).toHaveLength(1);
});

it("connections and caches outlive a reload that does not concern them", async () => {
  await using upstream = await fakeUpstream();
  const options = { upstreams: { main: upstream }, config: { cache: { revisionCheckMs: 60_000 } } };
  await using gateway = await startGateway(options);
  const path = `/agent/${upstream.knowledgeBase().id}/tree`;
  const first = await gateway.get(path);
  const asked = upstream.count();
  const connections = upstream.connections();
  gateway.reload({ ...options, config: { ...options.config, graphql: { graphiql: false } } });
  expect((await gateway.get(path)).body).toEqual(first.body);
  expect(upstream.count()).toBe(asked);
  expect(upstream.connections()).toBe(connections);
  expect((await gateway.get("/readyz")).body.configuration).toMatchObject({ version: 2, lastReloadRefused: false });
});

it("connections to an upstream that is gone are closed when its last request has ended", async () => {
  await using old = await fakeUpstream();
  await using next = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: old } });
  const release = old.on("listKnowledgeBases", { fault: "hang" }, 1);
  const client = new AbortController();
  const hanging = gateway.get(PATH, { signal: client.signal });
  const aborted = expect(hanging).rejects.toThrow();
  await old.until(() => old.count("listKnowledgeBases") === 1);
  gateway.reload({ upstreams: { main: next } });
  expect((await gateway.get(PATH)).status).toBe(200);
  expect([old.count(), next.count("listKnowledgeBases")]).toEqual([1, 1]);
  expect(old.connections()).toBe(1);
  release();
  client.abort();
  await aborted;
  await old.until(() => old.connections() === 0);
});

it("a refused reload leaves the version in force, and readiness says so", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream } });
  gateway.running.runtime.refuse();
  const { status, body, text } = await gateway.get("/readyz");
  expect(status).toBe(200);
  expect(body.configuration).toMatchObject({ version: 1, lastReloadRefused: true });
  expect(text).not.toContain(upstream.url);
});

it("without a cursor secret one is made, with a warning, and lasts as long as the process", async () => {
  await using upstream = await fakeUpstream({
    knowledgeBases: [{ pages: [{ path: "pages/a.md" }, { path: "pages/b.md" }] }]
  });
  const options = { upstreams: { main: upstream }, config: { server: { cursorSecret: undefined } } };
  await using gateway = await startGateway(options);
  expect(gateway.logs).toMatchObject([{ level: 40, msg: expect.stringContaining("server.cursorSecret is not set") }]);
  const tree = (cursor: string) =>
    gateway.get(`/agent/${upstream.knowledgeBase().id}/tree?parentPath=pages&limit=1&cursor=${cursor}`);
  const { nextCursor } = (await tree("")).body;
  gateway.reload({ ...options, config: { ...options.config, cache: { maxBytes: 0 } } });
  const next = await tree(nextCursor);
  expect(next.body.items.map(({ path }: { path: string }) => path)).toEqual(["pages/b.md"]);
});
