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

test("retries stay within a tenth of the calls", async () => {
  const layer = retries(new RetryBudget(0.1, 10));
  const failing = new GatewayError("UPSTREAM_UNAVAILABLE", { cause: WireFailure.ofStatus(502), answered: true });
  let sent = 0;
  const call = fakeCall();
  for (let calls = 0; calls < 60; calls += 1) {
    await layer(call, async () => {
      sent += 1;
      throw failing;
    }).catch(() => undefined);
  }
  expect(sent).toBeGreaterThanOrEqual(60 + 10);
  expect(sent).toBeLessThanOrEqual(60 + 10 + 6);
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
