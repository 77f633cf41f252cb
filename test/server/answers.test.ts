/** Answers on the wire: compressed for who takes it, and unchanged for who already has them, each caller by itself. */
import { request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { preferredEncoding } from "../../src/server/compression.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";

const KB = "knowledge-base-answers";
const pages = Array.from({ length: 40 }, (_, index) => ({
  path: `pages/folder/page-${String(index).padStart(2, "0")}.md`,
  content: "About caches. ".repeat(50)
}));
const TREE = `/agent/${KB}/tree?parentPath=pages/folder`;
const FILE = `/agent/${KB}/files/content?path=pages/folder/page-07.md`;
const QUERY = `{ knowledgeBase(key: "${KB}") { tree(parentPath: "pages/folder") { edges { node { path name parentPath } } } } }`;
const GRAPHQL = `/graphql?query=${encodeURIComponent(QUERY)}`;

let upstream: FakeUpstream;
let gateway: TestGateway;
beforeAll(async () => {
  upstream = await fakeUpstream({ knowledgeBases: [{ id: KB, pages }] });
  const grants = [{ upstream: "main" }];
  const tenants = { red: { grants }, blue: { grants } };
  gateway = await startGateway({
    upstreams: { main: upstream },
    tenants,
    config: { server: { cors: { origins: ["https://app.example.com"] } }, cache: { revisionCheckMs: 0 } }
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

interface Raw {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** As it is on the wire: nothing is decoded, and only the headers given are sent. */
function send(path: string, headers: Record<string, string> = {}, method = "GET", body?: string): Promise<Raw> {
  const authorization = `Bearer ${gateway.token("red")}`;
  return new Promise((resolve, reject) => {
    const asked = request(`${gateway.url}${path}`, { method, headers: { authorization, ...headers } }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(chunks) })
      );
    });
    asked.on("error", reject).end(body);
  });
}

const post = (headers: Record<string, string>) =>
  send("/graphql", { "content-type": "application/json", ...headers }, "POST", JSON.stringify({ query: QUERY }));

describe("compression", () => {
  it.each([
    ["REST", () => (headers: Record<string, string>) => send(TREE, headers)],
    [
      "the mirror",
      () => (headers: Record<string, string>) =>
        send(`/openapi/v2/knowledge-bases/${KB}/tree?parentPath=pages/folder`, headers)
    ],
    ["GraphQL", () => post]
  ])("of %s leaves the same answer, in fewer bytes", async (_, asking) => {
    const ask = asking();
    const plain = await ask({});
    expect(plain.headers["content-encoding"]).toBeUndefined();
    for (const [encoding, decompress] of [
      ["br", brotliDecompressSync],
      ["gzip", gunzipSync]
    ] as const) {
      const { headers, body } = await ask({ "accept-encoding": encoding });
      expect(headers["content-encoding"]).toBe(encoding);
      expect(headers["content-length"]).toBe(String(body.byteLength));
      expect(headers["content-type"]).toBe(plain.headers["content-type"]);
      expect(decompress(body)).toEqual(plain.body);
      expect(body.byteLength).toBeLessThan(plain.body.byteLength / 4);
    }
    for (const { headers } of [plain, await ask({ "accept-encoding": "br" })]) {
      expect(headers.vary).toBe("Authorization, Accept-Encoding");
    }
  });

  it("is not for small answers, archives, and clients that do not take it", async () => {
    const all = { "accept-encoding": "br, gzip" };
    for (const path of ["/healthz", `/agent/${KB}/skill.zip`, "/agent/knowledge-base-none/tree"]) {
      expect((await send(path, all)).headers["content-encoding"]).toBeUndefined();
    }
    for (const accepted of ["identity", "deflate", "br;q=0", "*;q=0", "gzip;q=0, *;q=0"]) {
      expect((await send(TREE, { "accept-encoding": accepted })).headers["content-encoding"]).toBeUndefined();
    }
  });

  it.each([
    ["br", "br"],
    ["gzip, deflate, br", "br"],
    ["gzip, br;q=0.5", "gzip"],
    ["GZIP ; Q=0.3", "gzip"],
    ["*", "br"],
    ["br;q=0, *", "gzip"],
    ["gzip;q=x", null],
    ["", null],
    [undefined, null]
  ])("of %s is %s", (accepted, encoding) => {
    expect(preferredEncoding(accepted)).toBe(encoding);
  });
});

describe("entity tags", () => {
  it.each([TREE, FILE, GRAPHQL, `/agent/${KB}/search?query=caches`, "/openapi.json"])(
    "of %s spare the answer to the caller who has it, while it holds",
    async (path) => {
      const first = await send(path);
      const etag = String(first.headers.etag);
      expect(etag).toMatch(/^W\/"[\w-]{43}"$/);
      expect(first.headers["cache-control"]).toBe("private, no-store");
      const conditions = [etag, etag.slice(2), `"other", ${etag}`, "*"];
      for (const condition of conditions) {
        const again = await send(path, { "if-none-match": condition, "accept-encoding": "br" });
        expect([again.status, again.body.byteLength, again.headers.etag]).toEqual([304, 0, etag]);
        expect(again.headers["cache-control"]).toBe("private, no-cache");
        // What a cache goes by is the same on both. Source: RFC 9110, section 15.4.5.
        expect(again.headers.vary).toBe(first.headers.vary);
      }
      const changed = await send(path, { "if-none-match": '"other"' });
      expect([changed.status, changed.headers["cache-control"]]).toEqual([200, "private, no-cache"]);
      expect(changed.body).toEqual(first.body);
    }
  );

  it("case 22: of another tenant are no 304", async () => {
    const { headers } = await send(FILE);
    const blue = { authorization: `Bearer ${gateway.token("blue")}` };
    const theirs = await send(FILE, { ...blue, "if-none-match": String(headers.etag) });
    expect(theirs.status).toBe(200);
    expect(theirs.headers.etag).not.toBe(headers.etag);
    const nobody = await send(FILE, { authorization: "Bearer nobody", "if-none-match": String(headers.etag) });
    expect([nobody.status, nobody.headers.etag]).toEqual([401, undefined]);
  });

  it("change with the content", async () => {
    const { headers } = await send(FILE);
    upstream.knowledgeBase().addPage({ path: "pages/folder/page-07.md", content: "New." }).publish();
    const changed = await send(FILE, { "if-none-match": String(headers.etag) });
    expect([changed.status, JSON.parse(String(changed.body)).content]).toEqual([200, "New."]);
  });

  it("are of answers to GET alone, and of no refusal", async () => {
    expect((await post({})).headers.etag).toBeUndefined();
    expect((await send(`${FILE}x`)).headers.etag).toBeUndefined();
    expect((await send("/healthz")).headers.etag).toBeUndefined();
  });

  it("can be read by pages of allowed origins", async () => {
    const { headers } = await send(FILE, { origin: "https://app.example.com" });
    expect(headers["access-control-expose-headers"]).toContain("ETag");
  });
});
