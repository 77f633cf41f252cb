import { expect, test } from "vitest";
import { Bulkhead } from "../../src/upstream/bulkhead.ts";
import { clientOf, fakeCall } from "../harness/fake-client.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";

const ids = { knowledgeBaseId: "kb" };

/** Holds answers of an operation until `open` is called. */
function gate(upstream: FakeUpstream, which: Parameters<FakeUpstream["on"]>[0]) {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  upstream.on(which, async (_request, model) => {
    await opened;
    return model();
  });
  return open;
}

const inFlight = (upstream: FakeUpstream) =>
  upstream.requests.filter(({ finished, aborted }) => !finished && !aborted).length;

test.each([1, 2, 4, 9])("no more than %i calls are in flight, and all are answered", async (maxConcurrent) => {
  await using upstream = await fakeUpstream({ knowledgeBases: [{ id: "kb", pages: [{ path: "pages/a.md" }] }] });
  await using client = clientOf(upstream, { maxConcurrent });
  let most = 0;
  upstream.on(
    () => true,
    async (_request, model) => {
      most = Math.max(most, inFlight(upstream));
      await new Promise((resolve) => setImmediate(resolve));
      return model();
    }
  );
  const calls = Array.from({ length: 40 }, (_, index) =>
    index % 3 === 0
      ? client.read("searchGeneratedFiles", { ids, query: { query: "pages" } })
      : client.read("listKnowledgeBaseTree", { ids })
  );
  await Promise.all(calls);
  expect([upstream.count(), upstream.connections() <= maxConcurrent]).toEqual([40, true]);
  expect(most).toBeLessThanOrEqual(maxConcurrent);
});

test("both kinds together stay within the slots", async () => {
  const { layer } = new Bulkhead(8);
  let running = 0;
  let most = 0;
  const calls = Array.from({ length: 40 }, (_, index) =>
    layer(fakeCall({ kind: index % 2 === 0 ? "search" : "reads" }), async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { body: null, bytes: Buffer.alloc(0) };
    })
  );
  await Promise.all(calls);
  expect([most, running]).toEqual([8, 0]);
});

test("searches that hang leave the tree its slots", async () => {
  await using upstream = await fakeUpstream({ knowledgeBases: [{ id: "kb", pages: [{ path: "pages/a.md" }] }] });
  await using client = clientOf(upstream, { maxConcurrent: 8 });
  const open = gate(upstream, "searchGeneratedFiles");
  const searches = Array.from({ length: 20 }, () =>
    client.read("searchGeneratedFiles", { ids, query: { query: "pages" } })
  );
  await upstream.until(() => upstream.count("searchGeneratedFiles") === 6);
  for (let index = 0; index < 5; index += 1) await client.read("listKnowledgeBaseTree", { ids });
  expect([upstream.count("searchGeneratedFiles"), upstream.count("listKnowledgeBaseTree")]).toEqual([6, 5]);
  open();
  await Promise.all(searches);
  expect(upstream.count("searchGeneratedFiles")).toBe(20);
});

test("those who wait keep their deadlines and may leave, at no cost to those behind them", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, { maxConcurrent: 1 });
  const open = gate(upstream, "getHealth");
  const first = client.read("getHealth", {});
  await upstream.until(() => upstream.count() === 1);
  const leaving = new AbortController();
  const reason = new Error("left the queue");
  const hurried = client.read("getVersion", {}, { deadline: Date.now() + 20 });
  const left = client.read("getVersion", {}, { signal: leaving.signal });
  const patient = client.read("getVersion", {});
  const outcomes = Promise.allSettled([hurried, left]);
  leaving.abort(reason);
  expect(await outcomes).toEqual([
    { status: "rejected", reason: expect.objectContaining({ code: "UPSTREAM_TIMEOUT" }) },
    { status: "rejected", reason }
  ]);
  expect(upstream.count()).toBe(1);
  open();
  expect([(await first).body.status, (await patient).body.product]).toEqual(["ok", "focowiki"]);
  expect(upstream.count()).toBe(2);
  expect(client.state().reads).toBe("closed");
});

test("an aborted call gives its slot back", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, { maxConcurrent: 1 });
  upstream.on("getHealth", { fault: "hang" });
  for (let index = 1; index <= 5; index += 1) {
    const leaving = new AbortController();
    const asked = client.read("getHealth", {}, { signal: leaving.signal }).catch(() => undefined);
    await upstream.until(() => upstream.count("getHealth") === index);
    leaving.abort();
    await asked;
  }
  expect((await client.read("getVersion", {})).body.product).toBe("focowiki");
});

test("tenants take turns, so that one's flood is not another's wait", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, { maxConcurrent: 1 });
  const open = gate(upstream, "getHealth");
  const blocking = client.read("getHealth", {});
  await upstream.until(() => upstream.count() === 1);
  const ask = (tenant: string, name: string) =>
    client.read("listKnowledgeBases", { query: { cursor: "", name } }, { tenant });
  const flood = Array.from({ length: 20 }, (_, index) => ask("flooding", `a${index}`));
  const calm = [ask("calm", "b0"), ask("calm", "b1")];
  open();
  await Promise.all([blocking, ...flood, ...calm]);
  const order = upstream.requests.slice(1).map(({ query }) => query.name);
  expect(order.slice(0, 5)).toEqual(["a0", "b0", "a1", "b1", "a2"]);
  expect(order).toHaveLength(22);
});
