import { once } from "node:events";
import { connect } from "node:net";
import { Readable } from "node:stream";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Client } from "undici";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";
import { sendRequest } from "../harness/raw-http.ts";

const MEBIBYTE = 1024 * 1024;
const LIMIT = 1_000;

let upstream: FakeUpstream;
let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  upstream = await fakeUpstream();
  gateway = await startGateway({
    upstreams: { main: upstream },
    tenants: { acme: { grants: [{ upstream: "main" }], limits: { bodyBytes: LIMIT, requestTimeoutMs: 400 } } }
  });
  token = gateway.token("acme");
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

const ROUTES = [
  ["POST", "/graphql"],
  ["POST", "/agent/tools/list_tree"],
  ["POST", "/mcp"],
  ["GET", "/agent/tree"],
  ["GET", "/openapi/v2/knowledge-bases"]
] as const;

function codeOf(path: string, text: string): string {
  const body = JSON.parse(text);
  if (path === "/mcp") return body.error.data.code;
  return path === "/graphql" ? body.errors[0].extensions.code : body.error.code;
}

describe("invariant 10: a body is bounded", () => {
  it.each(ROUTES)("%s %s with an announced length is refused without being read", async (method, target) => {
    const answer = await sendRequest(gateway.url, {
      method,
      target,
      headers: [
        ["Authorization", `Bearer ${token}`],
        ["Content-Type", "application/json"],
        ["Content-Length", `${5 * MEBIBYTE}`]
      ]
    });
    expect([answer.status, codeOf(target, answer.text)]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
    expect(answer.text).toContain(`${LIMIT} bytes (limits.bodyBytes)`);
  });

  it.each(ROUTES)("%s %s in chunks is refused once it passes the limit", async (method, target) => {
    const chunk = "x".repeat(600);
    const answer = await sendRequest(gateway.url, {
      method,
      target,
      headers: [
        ["Authorization", `Bearer ${token}`],
        ["Content-Type", "application/json"],
        ["Transfer-Encoding", "chunked"]
      ],
      // It never ends: who waits for its end never answers.
      body: `258\r\n${chunk}\r\n258\r\n${chunk}\r\n`
    });
    expect([answer.status, codeOf(target, answer.text)]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });

  it("a sender in the middle of a large body reads the refusal, and may ask again on the connection", async () => {
    async function* parts() {
      for (let sent = 0; sent < 5; sent += 1) yield Buffer.alloc(MEBIBYTE, "x");
    }
    const client = new Client(gateway.url);
    for (const body of [Buffer.alloc(5 * MEBIBYTE, "x"), Readable.from(parts())]) {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const answer = await client.request({ method: "POST", path: "/graphql", headers, body });
      expect(answer.statusCode).toBe(413);
      expect(await answer.body.json()).toMatchObject({
        errors: [{ extensions: { code: "PAYLOAD_TOO_LARGE", details: { field: "body", limit: LIMIT } } }]
      });
    }
    const after = await client.request({ method: "GET", path: "/healthz" });
    expect(after.statusCode).toBe(200);
    await after.body.dump();
    await client.close();
  });

  it("memory stays flat under many large bodies at once", async () => {
    // One chunk, sent again and again, so that what grows is what the server holds.
    const chunk = Buffer.concat([Buffer.from("100000\r\n"), Buffer.alloc(MEBIBYTE, "x"), Buffer.from("\r\n")]);
    const { hostname, port, host } = new URL(gateway.url);
    // What is held counts, not what only waits to be collected.
    setFlagsFromString("--expose-gc");
    const collectGarbage = runInNewContext("gc") as () => void;
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    let most = 0;
    const statuses = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const socket = connect(Number(port), hostname);
        socket.write(
          `POST /graphql HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nTransfer-Encoding: chunked\r\n\r\n`
        );
        const answered = once(socket, "data");
        const gone = once(socket, "close");
        for (let sent = 0; sent < 8; sent += 1) {
          if (!socket.write(chunk)) await Promise.race([once(socket, "drain"), gone]);
          collectGarbage();
          most = Math.max(most, process.memoryUsage().arrayBuffers - before);
        }
        const [first] = await answered;
        socket.destroy();
        return String(first).split(" ")[1];
      })
    );
    expect(statuses).toEqual(statuses.map(() => "413"));
    expect(most).toBeLessThan(16 * MEBIBYTE);
  });

  it("is asked for only where it will be read", async () => {
    const ask = async (length: number) => {
      const { hostname, port, host } = new URL(gateway.url);
      const socket = connect(Number(port), hostname);
      socket.write(
        `POST /graphql HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${length}\r\nExpect: 100-continue\r\n\r\n`
      );
      const [first] = await once(socket, "data");
      socket.destroy();
      return String(first).split("\r\n")[0];
    };
    expect(await ask(10)).toBe("HTTP/1.1 100 Continue");
    expect(await ask(5 * MEBIBYTE)).toBe("HTTP/1.1 413 Payload Too Large");
  });

  it("that stops arriving is given up at the deadline", async () => {
    const answer = await sendRequest(gateway.url, {
      method: "POST",
      target: "/graphql",
      headers: [
        ["Authorization", `Bearer ${token}`],
        ["Content-Type", "application/json"],
        ["Content-Length", "100"]
      ],
      body: '{"query":'
    });
    expect([answer.status, codeOf("/graphql", answer.text)]).toEqual([400, "BAD_REQUEST"]);
    expect(answer.text).toContain("requestTimeoutMs");
  });
});

describe("a body of another kind", () => {
  it("that is compressed is 415 on every surface", async () => {
    for (const [method, target] of ROUTES.filter(([verb]) => verb === "POST")) {
      const answer = await sendRequest(gateway.url, {
        method,
        target,
        headers: [
          ["Authorization", `Bearer ${token}`],
          ["Content-Encoding", "gzip"],
          ["Content-Length", "2"]
        ],
        body: "{}"
      });
      expect([answer.status, codeOf(target, answer.text)]).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
    }
  });

  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])(
    "%s to /graphql is refused, and nothing is asked upstream",
    async (type) => {
      upstream.reset();
      const query = "{ knowledgeBases { edges { node { key } } } }";
      const answer = await gateway.post("/graphql", JSON.stringify({ query }), {
        token,
        headers: { "content-type": type }
      });
      expect([400, 415]).toContain(answer.status);
      expect(answer.body.errors).toHaveLength(1);
      expect(upstream.count()).toBe(0);
    }
  );
});
