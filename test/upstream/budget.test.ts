import { expect, test } from "vitest";
import type { UpstreamBudget } from "../../src/upstream/budget.ts";
import { slidingBudget } from "../../src/upstream/budget.ts";
import { clientOf } from "../harness/fake-client.ts";
import { fakeUpstream, rateLimited, serviceUnavailable } from "../harness/fake-upstream.ts";

const limited = (retryAfterSeconds: number) =>
  expect.objectContaining({ code: "RATE_LIMITED", httpStatus: 429, answered: false, retryAfterSeconds });

test("in any stretch of the time no more requests than the limit, and the refusal names the wait", () => {
  let now = 1_000_000;
  const budget = slidingBudget({ requests: 3, perSeconds: 60 }, () => now);
  const take = () => budget.take("");
  take();
  now += 20_000;
  take();
  take();
  expect(take).toThrow(limited(40));
  now += 39_999;
  expect(take).toThrow(limited(1));
  now += 1;
  take();
  expect(take).toThrow(limited(20));
});

test("what is over the limit is refused without asking the upstream", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, { rateLimit: { requests: 5, perSeconds: 60 } });
  for (let index = 0; index < 5; index += 1) await client.read("getHealth", {});
  await expect(client.read("getHealth", {})).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 60 });
  expect([upstream.count(), client.state().reads]).toEqual([5, "closed"]);
});

test("every try counts", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, { rateLimit: { requests: 4, perSeconds: 60 } });
  upstream.on("getHealth", serviceUnavailable(), 2);
  await client.read("getHealth", {});
  await client.read("getHealth", {});
  await expect(client.read("getHealth", {})).rejects.toEqual(limited(60));
  expect(upstream.count()).toBe(4);
});

test("a 429 pauses every call for the wait it names, and the rest of the wait reaches each caller", async () => {
  let now = 1_000_000;
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, {}, { now: () => now });
  upstream.on("getHealth", rateLimited(15), 1);
  const first = client.read("getHealth", {}, { tenant: "a" });
  await expect(first).rejects.toMatchObject({ code: "RATE_LIMITED", answered: true, retryAfterSeconds: 15 });
  now += 5000;
  await expect(client.read("getVersion", {}, { tenant: "b" })).rejects.toEqual(limited(10));
  now += 9999;
  await expect(client.read("getVersion", {})).rejects.toEqual(limited(1));
  expect(upstream.count()).toBe(1);
  now += 1;
  expect((await client.read("getHealth", {})).body.status).toBe("ok");
});

test("a 429 that names no wait pauses nobody", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on("getHealth", rateLimited(null), 1);
  await expect(client.read("getHealth", {})).rejects.toMatchObject({
    code: "RATE_LIMITED",
    retryAfterSeconds: undefined
  });
  expect((await client.read("getHealth", {})).body.status).toBe("ok");
  expect(upstream.count()).toBe(2);
});

test("a budget from outside hears whose call it is, may take its time, and is closed by a 429", async () => {
  const heard: string[] = [];
  const budget: UpstreamBudget = {
    take: async (tenant) => void heard.push(`take ${tenant}`),
    close: (seconds) => void heard.push(`close ${seconds}`)
  };
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, {}, { budget });
  upstream.on("getVersion", rateLimited(30));
  upstream.on("listKnowledgeBases", rateLimited(null));
  await client.read("getHealth", {}, { tenant: "acme" });
  await client.read("getVersion", {}, { tenant: "other" }).catch(() => undefined);
  await client.read("listKnowledgeBases", {}).catch(() => undefined);
  expect(heard).toEqual(["take acme", "take other", "close 30", "take "]);
});

test("a budget that does not answer holds nobody past the deadline", async () => {
  const budget: UpstreamBudget = { take: () => new Promise(() => undefined), close: () => undefined };
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, { timeoutMs: 30 }, { budget });
  await expect(client.read("getHealth", {})).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
  expect(upstream.count()).toBe(0);
});

test("a tenant that floods leaves the others their guaranteed share, and is told when to come back", () => {
  let at = 0;
  const budget = slidingBudget(
    { requests: 100, perSeconds: 60 },
    () => at,
    () => ["flood", "calm"]
  );
  const flood = () => budget.take("flood");
  for (let taken = 0; taken < 75; taken += 1) flood();
  expect(flood).toThrowError(expect.objectContaining({ code: "RATE_LIMITED", retryAfterSeconds: 60 }));
  for (let taken = 0; taken < 25; taken += 1) budget.take("calm");
  expect(() => budget.take("calm")).toThrowError(expect.objectContaining({ code: "RATE_LIMITED" }));
  at = 60_000;
  flood();
});

test("what nobody is guaranteed is lent to whoever asks first, and a large limit costs nothing until it is used", () => {
  const budget = slidingBudget(
    { requests: 1_000_000_000, perSeconds: 60 },
    () => 0,
    () => ["a", "b"]
  );
  for (let taken = 0; taken < 5000; taken += 1) budget.take("a");
  const small = slidingBudget(
    { requests: 4, perSeconds: 60 },
    () => 0,
    () => ["a"]
  );
  for (let taken = 0; taken < 4; taken += 1) small.take("a");
  expect(() => small.take("a")).toThrowError(expect.objectContaining({ code: "RATE_LIMITED" }));
});
