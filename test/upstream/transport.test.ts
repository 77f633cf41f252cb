import { once } from "node:events";
import { createServer } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { clientOf } from "../harness/fake-client.ts";
import { type FakeAnswer, type FaultName, fakeUpstream } from "../harness/fake-upstream.ts";

const NO_ANSWER: FaultName[] = ["hang", "hang-in-body", "drip"];

describe("an upstream that does not answer", () => {
  test.each(NO_ANSWER)("%s: ends at the upstream's time limit and frees its socket", async (fault) => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream, { timeoutMs: 100 });
    upstream.on("getVersion", { fault, everyMs: 5 });
    await expect(client.read("getVersion", {})).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT", answered: false });
    await upstream.until(() => upstream.requests[0]?.aborted === true);
    expect(upstream.count()).toBe(1);
    expect((await client.read("getHealth", {})).body.status).toBe("ok");
    await client.close();
    await upstream.until(() => upstream.connections() === 0);
  });

  test.each(NO_ANSWER)("%s: ends at the caller's deadline where that is earlier", async (fault) => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream, { timeoutMs: 60_000 });
    upstream.on("getVersion", { fault, everyMs: 5 });
    const deadline = Date.now() + 100;
    await expect(client.read("getVersion", {}, { deadline })).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
    await upstream.until(() => upstream.requests[0]?.aborted === true);
  });

  test.each(NO_ANSWER)("%s: the caller's abort reaches the upstream and comes back as its reason", async (fault) => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream, { timeoutMs: 60_000 });
    upstream.on("getVersion", { fault, everyMs: 5 });
    const leaving = new AbortController();
    const reason = new Error("the client left");
    const asked = expect(client.read("getVersion", {}, { signal: leaving.signal })).rejects.toBe(reason);
    await upstream.until(() => upstream.count() === 1);
    leaving.abort(reason);
    await asked;
    await upstream.until(() => upstream.requests[0]?.aborted === true);
    await client.close();
    await upstream.until(() => upstream.connections() === 0);
  });

  test("a deadline that has passed and a caller that has left cost no request", async () => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream);
    await expect(client.read("getVersion", {}, { deadline: Date.now() - 1 })).rejects.toMatchObject({
      code: "UPSTREAM_TIMEOUT"
    });
    const reason = new Error("gone before");
    await expect(client.read("getVersion", {}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(upstream.count()).toBe(0);
  });

  test("a caller that leaves before there is a socket costs no request", async () => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream);
    const leaving = new AbortController();
    const reason = new Error("left early");
    const asked = client.read("getVersion", {}, { signal: leaving.signal });
    leaving.abort(reason);
    await expect(asked).rejects.toBe(reason);
    await client.read("getHealth", {});
    expect([upstream.count("getVersion"), upstream.count("getHealth")]).toEqual([0, 1]);
  });

  test("a connection that is never established ends at the deadline too", async () => {
    // Takes the connection, and never says a word of TLS.
    const server = createServer((socket) => void socket.resume().on("error", () => undefined));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" ? address?.port : 0;
    const client = clientOf({ url: `https://127.0.0.1:${port}`, key: "k" }, { timeoutMs: 100 });
    await expect(client.read("getVersion", {})).rejects.toMatchObject({ code: "UPSTREAM_TIMEOUT" });
    await client.close();
    server.close();
    await once(server, "close");
  });
});

describe("an upstream that cannot be reached", () => {
  test("refused, unknown and without TLS, each is UPSTREAM_UNAVAILABLE", async () => {
    await using upstream = await fakeUpstream();
    const closed = await fakeUpstream();
    await closed.close();
    const urls = [closed.url, "http://no-such-host.invalid", upstream.url.replace("http:", "https:")];
    for (const url of urls) {
      await using client = clientOf({ url, key: "k" });
      await expect(client.read("getVersion", {})).rejects.toMatchObject({
        code: "UPSTREAM_UNAVAILABLE",
        httpStatus: 503,
        answered: false
      });
    }
  });

  test.each<FaultName>(["reset", "reset-in-body", "wrong-length"])("%s is UPSTREAM_UNAVAILABLE", async (fault) => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream);
    upstream.on("getVersion", { fault });
    await expect(client.read("getVersion", {})).rejects.toMatchObject({ code: "UPSTREAM_UNAVAILABLE" });
    expect(upstream.count()).toBe(3);
    await client.close();
    await upstream.until(() => upstream.connections() === 0);
  });
});

describe("an answer that must not be taken", () => {
  const refused = { code: "UPSTREAM_INVALID_RESPONSE", httpStatus: 502, answered: true };

  test.each<FaultName>(["gzip-bomb", "huge-body"])("%s stops at the cap, and its socket is let go", async (fault) => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream, {}, { bodyBytes: 1024 * 1024 });
    upstream.on("getVersion", { fault });
    await expect(client.read("getVersion", {})).rejects.toMatchObject(refused);
    if (fault === "huge-body") await upstream.until(() => upstream.requests[0]?.aborted === true);
    expect(upstream.count()).toBe(1);
    expect((await client.read("getHealth", {})).body.status).toBe("ok");
  });

  test("a body of exactly the cap is taken, one byte more is not", async () => {
    await using upstream = await fakeUpstream();
    const raw = JSON.stringify({ status: "x".repeat(1000) });
    upstream.on("getHealth", { raw });
    await using enough = clientOf(upstream, {}, { bodyBytes: raw.length });
    expect((await enough.read("getHealth", {})).bytes.length).toBe(raw.length);
    await using short = clientOf(upstream, {}, { bodyBytes: raw.length - 1 });
    await expect(short.read("getHealth", {})).rejects.toMatchObject(refused);
  });

  test("the cap holds for what a compressed body unpacks to", async () => {
    await using upstream = await fakeUpstream();
    const raw = JSON.stringify({ status: "ok", padding: "x".repeat(10_000) });
    upstream.on("getHealth", { raw: gzipSync(raw), headers: { "content-encoding": "gzip" } });
    await using enough = clientOf(upstream, {}, { bodyBytes: raw.length });
    expect((await enough.read("getHealth", {})).bytes.length).toBe(raw.length);
    await using short = clientOf(upstream, {}, { bodyBytes: raw.length - 1 });
    await expect(short.read("getHealth", {})).rejects.toMatchObject(refused);
  });

  test.each<[string, FakeAnswer]>([
    ["an unknown encoding", { body: { status: "ok" }, headers: { "content-encoding": "snappy" } }],
    ["several encodings", { body: { status: "ok" }, headers: { "content-encoding": "gzip, br" } }],
    ["bytes that are not what the encoding says", { body: { status: "ok" }, headers: { "content-encoding": "gzip" } }],
    ["another content type", { body: { status: "ok" }, headers: { "content-type": "text/plain" } }]
  ])("%s", async (_, answer) => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream);
    upstream.on("getHealth", answer);
    await expect(client.read("getHealth", {})).rejects.toMatchObject(refused);
    expect(upstream.count()).toBe(1);
  });

  test.each([301, 302, 307, 308])("a redirect (%i) is not followed", async (status) => {
    await using elsewhere = await fakeUpstream();
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream);
    upstream.on("getHealth", { fault: "redirect", status, location: `${elsewhere.url}/openapi/v2/health` });
    await expect(client.read("getHealth", {})).rejects.toMatchObject(refused);
    expect([upstream.count(), elsewhere.count()]).toEqual([1, 0]);
  });
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync]
] as const)("an answer that a proxy encoded as %s is read, though none was asked for", async (encoding, encode) => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  const raw = JSON.stringify({ status: "ok", more: "缓存".repeat(1000) });
  upstream.on("getHealth", { raw: encode(raw), headers: { "content-encoding": encoding } });
  const { body, bytes } = await client.read("getHealth", {});
  expect([body, bytes.toString("utf8")]).toEqual([JSON.parse(raw), raw]);
  expect(upstream.requests[0]?.headers["accept-encoding"]).toBeUndefined();
});

test("sockets are kept, and one that the upstream closed is no error that a caller sees", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  for (let round = 0; round < 20; round += 1) {
    await client.read("getHealth", {});
    await client.read("getHealth", {});
    // A socket rests for a turn of the event loop after its answer, so that two take turns.
    expect(upstream.connections()).toBeLessThanOrEqual(2);
    upstream.closeIdleConnections();
  }
  expect(upstream.count()).toBe(40);
});

test("refusals and broken answers leave no sockets behind", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  const ids = { knowledgeBaseId: "missing" };
  for (let round = 0; round < 30; round += 1) await client.read("getKnowledgeBase", { ids }).catch(() => undefined);
  expect(upstream.connections()).toBeLessThanOrEqual(2);
  await client.close();
  await upstream.until(() => upstream.connections() === 0);
});

test("sixty calls with one signal, and sixty with none, warn of no listeners", async () => {
  const warnings: Error[] = [];
  const warned = (warning: Error) => warnings.push(warning);
  process.on("warning", warned);
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  const { signal } = new AbortController();
  const calls = Array.from({ length: 60 }, () => [
    client.read("getHealth", {}, { signal }),
    client.read("getHealth", {})
  ]);
  await Promise.all(calls.flat());
  await new Promise((resolve) => setImmediate(resolve));
  process.off("warning", warned);
  expect(warnings).toEqual([]);
  expect(upstream.count()).toBe(120);
});
