/** What goes wrong for one caller, one kind of read or one upstream stays there. */

import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { type FakeAnswer, fakeUpstream, rateLimited, serviceUnavailable } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer } from "../harness/gateway.ts";
import { subjectIn } from "./ask.ts";
import { ASKS } from "./asks.ts";
import { startLane } from "./lane.ts";
import { SELF_SIGNED } from "./self-signed.ts";
import { send } from "./surfaces.ts";

const pages = Array.from({ length: 500 }, (_, index) => ({ path: `pages/note-${String(index).padStart(3, "0")}.md` }));
const NESTED = `query ($key: String!) { knowledgeBase(key: $key) { tree(parentPath: "pages", first: 500) { edges { node {
  ... on File { content related { edges { node { file { content } } } } }
} } } } }`;

test("invariant 10: a query for the content of five hundred files and of all their relations is refused before any call", async () => {
  await using upstream = await fakeUpstream({ knowledgeBases: [{ pages }] });
  await using gateway = await startGateway({ upstreams: { main: upstream } });
  const { status, body } = await gateway.graphql(NESTED, { key: upstream.knowledgeBase().id });
  expect([status, body.errors[0].extensions.code]).toEqual([400, "QUERY_TOO_COMPLEX"]);
  expect(upstream.count()).toBe(0);
});

test("invariant 10: where its cost is allowed, its calls are bounded, at once and in all, and another tenant is served", async () => {
  await using upstream = await fakeUpstream({ knowledgeBases: [{ pages }] });
  const grants = [{ upstream: "main" }];
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    upstreamSettings: { rateLimit: { requests: 1_000_000 } },
    tenants: { large: { grants, limits: { queryComplexity: 100_000_000 } }, other: { grants } }
  });
  const key = upstream.knowledgeBase().id;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const patient = upstream.fileId("pages/note-499.md");
  upstream.on("getFileContentById", async ({ fileId }, model) => {
    if (fileId !== patient) await held;
    return model();
  });
  const large = gateway.graphql(NESTED, { key }, { token: gateway.token("large") });
  await upstream.until(() => upstream.count("getFileContentById") >= 64);
  const other = await gateway.get(`/agent/${key}/files/${patient}/content`, { token: gateway.token("other") });
  expect(other.status).toBe(200);
  expect(upstream.requests.filter(({ finished }) => !finished)).toHaveLength(64);
  release();
  const { body } = await large;
  expect(upstream.count()).toBeLessThanOrEqual(200 + 4);
  const codes = new Set(body.errors.map(({ extensions }: { extensions: { code: string } }) => extensions.code));
  // A generated page of the directory has no relations.
  codes.delete("CONFLICT");
  expect([...codes]).toEqual(["QUERY_TOO_COMPLEX"]);
  const { edges } = body.data.knowledgeBase.tree;
  // Every node that is missing says why.
  const told = new Set(body.errors.map(({ path }: { path: unknown[] }) => path[3]));
  const missing = [...edges.keys()].filter((index) => edges[index].node === null);
  expect(missing.filter((index) => !told.has(index))).toEqual([]);
});

test("searches that hang hold up no tree", async () => {
  await using lane = await startLane(60_000);
  const { upstream, gateway, subject } = lane;
  upstream.on("searchGeneratedFiles", { fault: "hang" });
  const leaving = new AbortController();
  const search = ASKS.find(({ operation, surface }) => operation === "searchGeneratedFiles" && surface === "agent");
  const tree = ASKS.find(({ operation, surface }) => operation === "listKnowledgeBaseTree" && surface === "agent");
  const request = { token: gateway.token("acme"), signal: leaving.signal };
  // Each another question, more of them than there are slots.
  const hanging = Array.from({ length: 12 }, (_, index) =>
    send(gateway, search?.question(subject, { limit: index + 1 }) ?? expect.unreachable(), request)
  );
  const left = Promise.allSettled(hanging);
  await upstream.until(() => upstream.count("searchGeneratedFiles") >= 3);
  for (let asked = 0; asked < 5; asked += 1) expect((await lane.ask(tree ?? expect.unreachable())).status).toBe(200);
  leaving.abort();
  await left;
});

test("an upstream that hangs, and one whose rate limit is spent, leave the others as they are", async () => {
  await using healthy = await fakeUpstream({ knowledgeBases: [{ id: "knowledge-base-healthy", pages }] });
  const expectServed = async (answer: FakeAnswer, code: string) => {
    await using ill = await fakeUpstream({ knowledgeBases: [{ id: "knowledge-base-ill", pages }] });
    await using gateway = await startGateway({
      upstreams: { ill, healthy },
      upstreamSettings: { timeoutMs: 300 },
      knowledgeBases: {
        ill: { upstream: "ill", id: "knowledge-base-ill" },
        healthy: { upstream: "healthy", id: "knowledge-base-healthy" }
      }
    });
    ill.on(() => true, answer);
    const asked = await Promise.all([gateway.get("/agent/ill/tree"), gateway.get("/agent/healthy/tree")]);
    expect(asked.map(({ status, body }) => (status === 200 ? "OK" : body.error.code))).toEqual([code, "OK"]);
    const query = `{ ill: knowledgeBase(key: "ill") { name } healthy: knowledgeBase(key: "healthy") { name } }`;
    const { body } = await gateway.graphql(query);
    expect(body.data).toEqual({ ill: null, healthy: { name: "Fake handbook" } });
    expect(body.errors).toMatchObject([{ path: ["ill"], extensions: { code } }]);
  };
  await expectServed({ fault: "hang" }, "UPSTREAM_TIMEOUT");
  await expectServed(rateLimited(15), "RATE_LIMITED");
});

test("invariant 3: a search over several knowledge bases tells of the one that failed, and shows the others' results", async () => {
  await using upstream = await fakeUpstream({
    knowledgeBases: ["ill", "healthy"].map((name) => ({
      id: `knowledge-base-${name}`,
      pages: [{ path: `pages/${name}.md`, content: "About the cache." }]
    }))
  });
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    upstreamSettings: { timeoutMs: 300 },
    config: { cache: { maxBytes: 0 } }
  });
  const query = `{ search(query: "cache") {
    edges { node { file { path } } } sources { knowledgeBase { key } resultCount error { code } }
  } }`;
  const faults: [FakeAnswer, string][] = [
    [{ fault: "hang" }, "UPSTREAM_TIMEOUT"],
    [{ fault: "cut-json" }, "UPSTREAM_INVALID_RESPONSE"],
    [serviceUnavailable("SEARCH_UNAVAILABLE"), "SEARCH_UNAVAILABLE"]
  ];
  for (const [answer, code] of faults) {
    const back = upstream.on(({ operation, knowledgeBaseId }) => {
      return operation === "searchGeneratedFiles" && knowledgeBaseId === "knowledge-base-ill";
    }, answer);
    const { body } = await gateway.graphql(query);
    const rest = await gateway.get("/agent/search?query=cache");
    back();
    expect(body.data.search).toEqual({
      edges: [{ node: { file: { path: "pages/healthy.md" } } }],
      sources: [
        { knowledgeBase: { key: "knowledge-base-healthy" }, resultCount: 1, error: null },
        { knowledgeBase: { key: "knowledge-base-ill" }, resultCount: null, error: { code } }
      ]
    });
    expect(body.errors).toMatchObject([{ extensions: { code } }]);
    expect(rest.body.items).toMatchObject([{ path: "pages/healthy.md" }]);
    expect(rest.body.sources).toMatchObject([{ error: null }, { error: { code } }]);
  }
});

test("invariant 4: an upstream whose certificate nobody vouches for is unavailable, and says nothing of itself", async () => {
  const server = createServer(SELF_SIGNED, (_, response) => response.end('{"status":"ok"}'));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  {
    await using gateway = await startGateway({
      upstreams: { main: { url: `https://127.0.0.1:${port}/hidden-prefix`, key: "hidden-key" } }
    });
    const answers: TestAnswer[] = [
      await gateway.get("/openapi/v2/health"),
      await gateway.get("/agent/tree"),
      await gateway.graphql("{ knowledgeBases { edges { node { key } } } }")
    ];
    for (const { text } of answers) {
      expect(text).toContain("UPSTREAM_UNAVAILABLE");
      expect(text).toMatch(/"requestId":"req-[0-9a-f-]{36}"/);
    }
    for (const text of [...answers.map((answer) => answer.text), ...gateway.written]) {
      for (const secret of [String(port), "hidden-prefix", "hidden-key", "127.0.0.1", "CERT"]) {
        expect(text).not.toContain(secret);
      }
    }
  }
  server.close();
});

test("a tenant that floods is refused; another is served all the while, and the upstream keeps its rest", async () => {
  await using upstream = await fakeUpstream();
  const grants = [{ upstream: "main" }];
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    upstreamSettings: { rateLimit: { requests: 40, perSeconds: 60 } },
    tenants: { flood: { grants }, calm: { grants } },
    config: { cache: { maxBytes: 0, revisionCheckMs: 60_000 } }
  });
  const { knowledgeBaseId, fileId } = subjectIn(upstream, "pages/one.md");
  const path = `/agent/${knowledgeBaseId}/files/${fileId}/content`;
  const flood: TestAnswer[] = [];
  for (let asked = 0; asked < 60; asked += 1) flood.push(await gateway.get(path, { token: gateway.token("flood") }));
  const refused = flood.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(20);
  for (const { body, headers } of refused) {
    expect(body.error.code).toBe("RATE_LIMITED");
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  }
  // A half is shared out in equal parts, so that ten are the other's.
  for (let asked = 0; asked < 10; asked += 1) {
    expect((await gateway.get(path, { token: gateway.token("calm") })).status).toBe(200);
  }
  expect(upstream.count()).toBeLessThanOrEqual(40);
});
