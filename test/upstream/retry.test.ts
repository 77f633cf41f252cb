import { expect, test } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { RetryBudget, retries } from "../../src/upstream/retry.ts";
import { WireFailure } from "../../src/upstream/wire-failure.ts";
import { clientOf, fakeCall } from "../harness/fake-client.ts";
import {
  bareCode,
  type FakeAnswer,
  fakeUpstream,
  internalError,
  notFoundAnswer,
  rateLimited,
  searchTimeout,
  serviceUnavailable
} from "../harness/fake-upstream.ts";

const SOCKETS = 20;
const INPUT = { ids: { knowledgeBaseId: "kb", fileId: "file" } };

test.each<[string, FakeAnswer]>([
  ["502", { fault: "html", status: 502 }],
  ["504", { fault: "html", status: 504 }],
  ["an unavailable database", serviceUnavailable()],
  ["a reset", { fault: "reset" }],
  ["a reset in the body", { fault: "reset-in-body" }]
])("%s is asked again, and the caller sees only the answer", async (_, answer) => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on("getHealth", answer, 2);
  expect((await client.read("getHealth", {})).body.status).toBe("ok");
  expect(upstream.count()).toBe(3);
});

test.each<[string, FakeAnswer]>([
  ["404", notFoundAnswer()],
  ["429 with a wait", rateLimited(1)],
  ["429 without one", rateLimited(null)],
  ["500", internalError()],
  ["503 of a proxy", { fault: "html", status: 503 }],
  ["503 that names a wait", { ...serviceUnavailable(), headers: { "retry-after": "5" } }],
  ["an unavailable search", serviceUnavailable("SEARCH_UNAVAILABLE")],
  ["a full search", serviceUnavailable("SEARCH_OVERLOADED")],
  ["a search that took too long", searchTimeout()],
  ["a code alone", bareCode(400, "INVALID_PATH")],
  ["cut JSON", { fault: "cut-json" }]
])("%s is not asked again", async (_, answer) => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on("searchGeneratedFiles", answer);
  await expect(client.read("searchGeneratedFiles", INPUT)).rejects.toBeInstanceOf(GatewayError);
  expect(upstream.count()).toBe(1);
});

test("three tries are all, and the last error is the caller's", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on("getFileById", serviceUnavailable());
  await expect(client.read("getFileById", INPUT)).rejects.toMatchObject({ code: "DATABASE_REPOSITORY_UNAVAILABLE" });
  expect(upstream.count()).toBe(3);
});

test.each<[string, WireFailure, burst: number]>([
  ["answers that tell of an outage", WireFailure.ofStatus(502), 10],
  ["sockets that break, idle or new", new WireFailure("reset", null, "ECONNRESET"), 10 + SOCKETS]
])("retries of %s stay within a tenth of the calls, and what was saved up", async (_, cause, burst) => {
  const layer = retries(new RetryBudget(SOCKETS));
  const failing = new GatewayError("UPSTREAM_UNAVAILABLE", { cause, answered: cause.status !== null });
  let sent = 0;
  const call = fakeCall();
  for (let calls = 0; calls < 60; calls += 1) {
    await layer(call, async () => {
      sent += 1;
      throw failing;
    }).catch(() => undefined);
  }
  expect(sent).toBeGreaterThanOrEqual(60 + burst);
  expect(sent).toBeLessThanOrEqual(60 + burst + 6);
});

test("all idle sockets may close at one time, and no caller sees it", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, { maxConcurrent: SOCKETS * 2 });
  upstream.on("getHealth", { fault: "reset" }, SOCKETS);
  const reads = await Promise.all(Array.from({ length: SOCKETS }, () => client.read("getHealth", {})));
  expect(reads.map(({ body }) => body.status)).toEqual(Array.from({ length: SOCKETS }, () => "ok"));
  expect(upstream.count()).toBe(2 * SOCKETS);
});

test("where every second socket breaks for long, the upstream hears little more than it was asked", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, { maxConcurrent: SOCKETS, rateLimit: { requests: 100_000, perSeconds: 60 } });
  let asked = 0;
  upstream.on("getHealth", () => {
    asked += 1;
    return asked % 2 === 0 ? { fault: "reset" } : undefined;
  });
  for (let calls = 0; calls < 300; calls += 1) await client.read("getHealth", {}).catch(() => undefined);
  expect(asked).toBeLessThanOrEqual(300 + 30 + 10 + SOCKETS);
});

test("a caller that leaves between two tries is not tried for again", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  const leaving = new AbortController();
  const reason = new Error("left");
  upstream.on("getFileById", () => {
    queueMicrotask(() => leaving.abort(reason));
    return serviceUnavailable();
  });
  await expect(client.read("getFileById", INPUT, { signal: leaving.signal })).rejects.toBe(reason);
  expect(upstream.count()).toBe(1);
});
