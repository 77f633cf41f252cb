/** Clients that leave in the middle of a request, alone or while others wait for the same. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";
import { ASKS } from "./asks.ts";
import { startLane } from "./lane.ts";
import { send, verdictOf } from "./surfaces.ts";

const warnings: Error[] = [];
const note = (warning: Error) => warnings.push(warning);
beforeAll(() => void process.on("warning", note));
afterAll(() => {
  process.off("warning", note);
  expect(warnings).toEqual([]);
});

test("the upstream sees it, whatever was asked for on whatever surface, and the slot is free again", async () => {
  await using lane = await startLane(60_000);
  const { upstream, gateway, subject } = lane;
  for (const ask of ASKS) {
    const back = upstream.on(ask.operation, { fault: "hang" });
    const client = new AbortController();
    const asked = send(gateway, ask.question(subject, {}), { token: gateway.token("acme"), signal: client.signal });
    await upstream.until(() => upstream.count(ask.operation) > 0);
    client.abort();
    await expect(asked).rejects.toThrow();
    await upstream.until(() => upstream.requests.every(({ aborted, finished }) => aborted || finished));
    back();
    expect([ask.as, verdictOf(ask.surface, await lane.ask(ask)).code]).toEqual([ask.as, "OK"]);
    upstream.requests.length = 0;
  }
});

test("invariant 7: another who waits for the same answer gets it", async () => {
  await using lane = await startLane(60_000);
  const { upstream, gateway, subject } = lane;
  for (const ask of ASKS) {
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const back = upstream.on(ask.operation, async (_, model) => {
      await held;
      return model();
    });
    const leaving = new AbortController();
    const token = gateway.token("acme");
    const first = send(gateway, ask.question(subject, {}), { token, signal: leaving.signal });
    const left = expect(first).rejects.toThrow();
    await upstream.until(() => upstream.count(ask.operation) > 0);
    const second = lane.ask(ask);
    // The second waits where the first does once its own check of the revision was answered.
    const asksBefore = ask.operation === "getKnowledgeBase" ? 0 : 1;
    if ("knowledgeBaseId" in (upstream.requests[0] ?? {}))
      await upstream.until(() => upstream.count("getKnowledgeBase") > asksBefore || upstream.count(ask.operation) > 1);
    leaving.abort();
    await left;
    answer();
    expect([ask.as, verdictOf(ask.surface, await second).code]).toEqual([ask.as, "OK"]);
    back();
    upstream.requests.length = 0;
  }
});

test("sixty upstream calls of one request end with it, and warn of no listeners", async () => {
  const pages = Array.from({ length: 60 }, (_, index) => ({ path: `pages/note-${index}.md` }));
  await using upstream = await fakeUpstream({ knowledgeBases: [{ pages }] });
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    config: { cache: { maxBytes: 0, revisionCheckMs: 60_000 } }
  });
  const query = `query ($key: String!) { knowledgeBase(key: $key) {
    tree(parentPath: "pages", first: 100) { edges { node { ... on File { title } } } }
  } }`;
  const variables = { key: upstream.knowledgeBase().id };
  const { body } = await gateway.graphql(query, variables);
  expect(body.errors).toBeUndefined();
  expect(upstream.count("getFileById")).toBeGreaterThanOrEqual(60);

  upstream.requests.length = 0;
  upstream.on("getFileById", { fault: "hang" });
  const client = new AbortController();
  const asked = gateway.graphql(query, variables, { signal: client.signal });
  await upstream.until(() => upstream.count("getFileById") >= 60);
  client.abort();
  await expect(asked).rejects.toThrow();
  await upstream.until(() => upstream.requests.every(({ aborted, finished }) => aborted || finished));
  expect(gateway.logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
});
