import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { describe, expect, it } from "vitest";
import { type WriteOptions, writeResponse } from "../../src/server/response.ts";

const MEBIBYTE = 1024 * 1024;

/** A server that answers everything with what `answer` makes. */
async function serve(answer: () => Response, options: Partial<WriteOptions> = {}) {
  const written: Promise<void>[] = [];
  const server = createServer((incoming, outgoing) => {
    const client = new AbortController();
    outgoing.on("close", () => client.abort());
    const method = incoming.method ?? "GET";
    written.push(
      writeResponse(outgoing, answer(), {
        requestId: "req-1",
        method,
        requested: {},
        caller: null,
        headers: {},
        signal: client.signal,
        ...options
      })
    );
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    port,
    written,
    [Symbol.asyncDispose]: async () => void server.close(() => undefined).closeAllConnections()
  };
}

/** A stream of parts that tells how many were taken and whether it was cancelled. */
function parts(count: number, part: Uint8Array, failAt = Number.POSITIVE_INFINITY) {
  const state = { taken: 0, cancelled: false };
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (state.taken === failAt) return controller.error(new Error("the source broke"));
        state.taken += 1;
        controller.enqueue(part);
        if (state.taken === count) controller.close();
      },
      cancel() {
        state.cancelled = true;
      }
    },
    { highWaterMark: 0 }
  );
  const response = () => new Response(stream, { headers: { "content-type": "text/event-stream" } });
  return { state, response };
}

describe("an answer that is whole", () => {
  it("has its length, the surface's headers over the common ones, and one Vary", async () => {
    const headers = { "content-type": "text/plain", "cache-control": "private, max-age=5", vary: "Accept" };
    await using server = await serve(() => new Response("héllo", { status: 201, headers }));
    const answer = await fetch(server.url);
    expect([answer.status, await answer.text()]).toEqual([201, "héllo"]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "cache-control": "private, max-age=5",
      "content-length": "6",
      vary: "Authorization, Accept",
      "x-request-id": "req-1"
    });
  });

  it("is sent without its body to HEAD, with the length that a GET has", async () => {
    await using server = await serve(() => new Response("hello"));
    const answer = await fetch(server.url, { method: "HEAD" });
    expect([answer.headers.get("content-length"), await answer.text()]).toEqual(["5", ""]);
  });

  it("may be nothing", async () => {
    await using server = await serve(() => new Response(null, { status: 204 }));
    const answer = await fetch(server.url);
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
  });
});

describe("an answer that comes in parts", () => {
  it("is sent part by part", async () => {
    let release = (): void => undefined;
    const second = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* events() {
      yield Buffer.from("data: 1\n\n");
      await second;
      yield Buffer.from("data: 2\n\n");
    }
    const stream = new ReadableStream<Uint8Array>({
      async start(controller) {
        for await (const event of events()) controller.enqueue(event);
        controller.close();
      }
    });
    await using server = await serve(() => new Response(stream, { headers: { "content-type": "text/event-stream" } }));
    const answer = await fetch(server.url);
    const reader = (answer.body ?? expect.fail("no body")).getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("data: 1\n\n");
    release();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("data: 2\n\n");
    expect((await reader.read()).done).toBe(true);
  });

  it("waits for a client that reads slowly, and reads no more of its source meanwhile", async () => {
    const { state, response } = parts(200, new Uint8Array(MEBIBYTE));
    await using server = await serve(response);
    const socket = connect(server.port, "127.0.0.1");
    socket.pause();
    socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
    await expect.poll(() => state.taken).toBeGreaterThan(0);
    const seen: number[] = [];
    await expect.poll(() => seen.push(state.taken) > 3 && seen.at(-1) === seen.at(-4)).toBe(true);
    expect(state.taken).toBeLessThan(100);
    socket.destroy();
    await Promise.all(server.written);
    expect(state.cancelled).toBe(true);
  });

  it("that breaks off ends the connection instead of looking complete", async () => {
    const { response } = parts(5, Buffer.from("data\n\n"), 2);
    await using server = await serve(response);
    const answer = await fetch(server.url);
    await expect(answer.text()).rejects.toThrow();
    await Promise.all(server.written);
  });

  it("ends with the signal, even while its source says nothing", async () => {
    const state = { cancelled: false };
    const stream = new ReadableStream<Uint8Array>({
      cancel() {
        state.cancelled = true;
      }
    });
    const deadline = new AbortController();
    const headers = { "content-type": "text/event-stream" };
    await using server = await serve(() => new Response(stream, { headers }), { signal: deadline.signal });
    const answer = await fetch(server.url);
    deadline.abort();
    await Promise.allSettled([answer.text()]);
    await Promise.all(server.written);
    expect(state.cancelled).toBe(true);
  });
});
