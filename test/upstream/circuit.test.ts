import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { GatewayError } from "../../src/errors.ts";
import type { Operation } from "../../src/upstream/operations.ts";
import type { Upstream } from "../../src/upstream/upstream.ts";
import { clientOf } from "../harness/fake-client.ts";
import {
  fakeUpstream,
  internalError,
  invalidCursor,
  notFoundAnswer,
  rateLimited,
  serviceUnavailable,
  unauthorized
} from "../harness/fake-upstream.ts";

// The circuit's clock is Date; the sockets' timers stay real.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const file = (fileId: string) => ({ ids: { knowledgeBaseId: "kb", fileId } });

async function fail(client: Upstream, times: number, operation: Operation = "getFileById"): Promise<string[]> {
  const codes: string[] = [];
  for (let index = 0; index < times; index += 1) {
    const error: GatewayError = await client
      .read(operation, { ...file(`file-${index}`), query: { query: `query ${index}` } })
      .then(
        () => expect.unreachable(),
        (thrown) => thrown
      );
    codes.push(error.code);
  }
  return codes;
}

test("opens after failures in a row, refuses without asking, and closes after a try that works", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  const recover = upstream.on("getFileById", internalError());
  expect(new Set(await fail(client, 10))).toEqual(new Set(["INTERNAL_ERROR"]));
  expect(client.state().reads).toBe("open");
  upstream.requests.length = 0;
  await expect(client.read("getFileById", file("any"))).rejects.toMatchObject({
    code: "UPSTREAM_UNAVAILABLE",
    httpStatus: 503,
    answered: false,
    retryAfterSeconds: 3
  });
  expect(upstream.count()).toBe(0);
  recover();
  vi.advanceTimersByTime(3000);
  expect(client.state().reads).toBe("half-open");
  expect((await client.read("getHealth", {})).body.status).toBe("ok");
  expect(client.state().reads).toBe("closed");
});

test("stays half-open for one try at a time, and opens again where that fails", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on("getFileById", internalError());
  await fail(client, 10);
  vi.advanceTimersByTime(3000);
  upstream.requests.length = 0;
  const tries = await Promise.allSettled([1, 2, 3].map((id) => client.read("getFileById", file(String(id)))));
  expect(tries.map((outcome) => outcome.status === "rejected" && outcome.reason.code)).toEqual([
    "INTERNAL_ERROR",
    "UPSTREAM_UNAVAILABLE",
    "UPSTREAM_UNAVAILABLE"
  ]);
  expect([upstream.count(), client.state().reads]).toEqual([1, "open"]);
});

test("while one call tries the others are refused at once; a try whose caller leaves proves nothing", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on("getFileById", internalError());
  await fail(client, 10);
  vi.advanceTimersByTime(3000);
  upstream.on("getHealth", { fault: "hang" });
  const leaving = new AbortController();
  const asked = client.read("getHealth", {}, { signal: leaving.signal }).catch(() => undefined);
  await upstream.until(() => upstream.count("getHealth") === 1);
  expect(client.state().reads).toBe("half-open");
  await expect(client.read("getVersion", {})).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
  leaving.abort();
  await asked;
  expect(client.state().reads).toBe("open");
});

test("search and reads have circuits of their own, and so has each upstream", async () => {
  await using upstream = await fakeUpstream();
  await using other = await fakeUpstream();
  await using client = clientOf(upstream);
  await using second = clientOf(other, { name: "second" });
  upstream.on("searchGeneratedFiles", serviceUnavailable("SEARCH_UNAVAILABLE"));
  await fail(client, 10, "searchGeneratedFiles");
  expect([client.state().search, client.state().reads, second.state().search]).toEqual(["open", "closed", "closed"]);
  expect((await client.read("getHealth", {})).body.status).toBe("ok");
});

test("five connections that fail are enough, whatever was asked for", async () => {
  const upstream = await fakeUpstream();
  await upstream.close();
  await using client = clientOf(upstream);
  for (let index = 0; index < 5; index += 1) await client.read("getFileById", file("same")).catch(() => undefined);
  expect(client.state().reads).toBe("open");
});

test("five calls that time out are enough, where they are about different files", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, { timeoutMs: 30 });
  upstream.on("getFileById", { fault: "hang" });
  for (let index = 0; index < 8; index += 1) await client.read("getFileById", file("same")).catch(() => undefined);
  expect(client.state().reads).toBe("closed");
  await fail(client, 4);
  expect(client.state().reads).toBe("open");
});

test.each([
  ["404", notFoundAnswer()],
  ["401", unauthorized()],
  ["422", invalidCursor()],
  ["429", rateLimited(null)],
  ["an answer of an unknown shape", { body: { file: "changed" } }]
])("%s never opens it", async (_, answer) => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on("getFileById", answer);
  await fail(client, 30);
  expect([client.state().reads, upstream.count()]).toEqual(["closed", 30]);
});

test("a single file that always fails does not open it", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on("getFileContentById", internalError());
  for (let index = 0; index < 30; index += 1) {
    await expect(client.read("getFileContentById", file("broken"))).rejects.toMatchObject({ code: "INTERNAL_ERROR" });
  }
  expect(client.state().reads).toBe("closed");
});

test("callers in a hurry do not open it", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on("getHealth", { fault: "hang" });
  for (let index = 0; index < 12; index += 1) {
    await client.read("getHealth", {}, { deadline: Date.now() + 5 }).catch(() => undefined);
  }
  expect(client.state().reads).toBe("closed");
});

test("invariant 3: a search without evidence stays what it is, however often it is asked", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.evidence = "none";
  const ids = { knowledgeBaseId: upstream.knowledgeBase().id };
  for (let index = 0; index < 30; index += 1) {
    await expect(
      client.read("searchGeneratedFiles", { ids, query: { query: `question ${index}` } })
    ).rejects.toMatchObject({ code: "SEARCH_UNAVAILABLE" });
  }
  expect(client.state().search).toBe("closed");
});

test("the state tells when calls last went well and ill, and changes are logged", async () => {
  const logged: string[] = [];
  const write = (fields: object, message: string) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream, {}, { logger: { warn: write, info: write } });
  expect(client.state()).toEqual({
    search: "closed",
    reads: "closed",
    lastSuccessAt: null,
    lastFailureAt: null,
    budgetLeft: 1200
  });
  await client.read("getHealth", {});
  expect(client.state()).toMatchObject({ lastSuccessAt: Date.now(), lastFailureAt: null });
  upstream.on("getFileById", internalError());
  await fail(client, 10);
  expect(client.state().lastFailureAt).toBe(Date.now());
  vi.advanceTimersByTime(3000);
  await client.read("getHealth", {});
  expect(logged).toEqual([
    'circuit changed {"upstream":"main","kind":"reads","state":"open"}',
    'circuit changed {"upstream":"main","kind":"reads","state":"closed"}'
  ]);
});
