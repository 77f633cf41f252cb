import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { startEmbeddedSample } from "../contract/sample.ts";
import { linksOf } from "../contract/suite.ts";
import { addressOf, ask, type Json, type World } from "../contract/world.ts";
import { manyPages, Served } from "./folder.ts";

const ONE = { "kb/a.md": "# A\n\nSee [b](b.md).", "kb/b.md": "# B" };
const VERSION = "/openapi/v2/version";

describe("every answer", () => {
  test("carries the security headers, its length, and no request id unless it is an error", async () => {
    await using served = await Served.start(ONE);
    const { headers, body } = await served.get("KB/tree");
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(JSON.stringify(body))),
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY"
    });
    for (const absent of ["x-request-id", "etag", "access-control-allow-origin"])
      expect(headers.has(absent)).toBe(false);
  });

  test("to HEAD is that to GET without its body", async () => {
    await using served = await Served.start(ONE);
    for (const [path, status] of [
      ["KB/tree", 200],
      ["KB/files/zzz", 404],
      [VERSION, 200]
    ] as const) {
      const reply = await served.get(path, { method: "HEAD" });
      expect([path, reply.status, reply.body]).toEqual([path, status, null]);
      expect(reply.headers.get("content-type")).toBe("application/json");
    }
  });

  test("that is an error repeats the request's id where it may stand in a header", async () => {
    await using served = await Served.start(ONE);
    const named = await served.get("KB/files/zzz", { headers: { "x-request-id": "client-trace-2" } });
    expect([named.headers.get("x-request-id"), named.body.requestId]).toEqual(["client-trace-2", "client-trace-2"]);
    const odd = await served.get("KB/files/zzz", { headers: { "x-request-id": "<script>" } });
    expect(odd.body.requestId).toMatch(/^req-[0-9a-f-]{36}$/);
  });
});

describe("the key", () => {
  test("is asked for before anything is told, health included", async () => {
    await using served = await Served.start(ONE);
    for (const path of ["/openapi/v2/health", VERSION, "/openapi/v2/nope", "KB/tree"]) {
      const { status, body } = await served.get(path, { headers: { authorization: "Bearer wrong" } });
      expect([path, status, body.error.code]).toEqual([path, 401, "UNAUTHORIZED"]);
    }
    const outside = await fetch(`${served.upstream.url}/healthz`);
    expect(await outside.json()).toEqual({ status: "ok" });
  });

  test("is random unless one is given, and its scheme may have any case", async () => {
    await using first = await Served.start(ONE);
    await using second = await Served.start(ONE, { apiKey: "given" });
    expect(first.upstream.apiKey).toMatch(/^[\w-]{43}$/);
    expect(second.upstream.apiKey).toBe("given");
    expect((await second.get(VERSION, { headers: { authorization: "BEARER   given" } })).status).toBe(200);
  });
});

describe("the rate limit", () => {
  test("is one for all requests of an address: bad keys, unknown routes and HEAD included", async () => {
    await using served = await Served.start(ONE, { rateLimit: { requests: 4, perSeconds: 60 } });
    await served.get(VERSION);
    await served.get(VERSION, { headers: { authorization: "Bearer wrong" } });
    await served.get("/openapi/v2/nope");
    await served.get(VERSION, { method: "HEAD" });
    for (const authorization of [`Bearer ${served.upstream.apiKey}`, "Bearer wrong"]) {
      const { status, headers, body } = await served.get(VERSION, { headers: { authorization } });
      expect([status, body.error.code, headers.get("retry-after")]).toEqual([429, "RATE_LIMITED", "60"]);
      expect(body.error.details).toMatchObject({ retryAfterSeconds: 60, retryHint: "retry_after_short_delay" });
    }
    expect((await fetch(`${served.upstream.url}/healthz`)).status).toBe(200);
  });

  test.for([
    [10, 15],
    [29, 30],
    [100, 120],
    [1_000, 300]
  ])("a window of %i seconds is told as a wait of %i", async ([perSeconds, wait]) => {
    await using served = await Served.start(ONE, { rateLimit: { requests: 0, perSeconds: perSeconds as number } });
    expect((await served.get(VERSION)).headers.get("retry-after")).toBe(String(wait));
  });

  test("is none by default", async () => {
    await using served = await Served.start(ONE);
    const replies = await Promise.all(Array.from({ length: 60 }, () => served.get(VERSION)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });
});

describe("limits of a deployment", () => {
  test("lists and trees may be capped lower, and their defaults with them", async () => {
    await using served = await Served.start(manyPages("kb/many", 30), {
      maxima: { list: 5, tree: 20, related: 7, expand: 9 }
    });
    const tree = (await served.get("KB/tree?parentPath=pages/many")).body;
    expect(tree.items).toHaveLength(20);
    expect((await served.get("KB/tree?parentPath=pages/many&limit=20")).status).toBe(200);
    const { fileId } = tree.items.find((item: Json) => item.fileKind === "page");
    for (const path of [
      "KB/tree?limit=21",
      "/openapi/v2/knowledge-bases?limit=6",
      `KB/files/${fileId}/related?limit=8`,
      `KB/graph/expand?fileId=${fileId}&limit=10`
    ]) {
      const { status, body } = await served.get(path);
      expect([path, status, body.error.details]).toEqual([path, 422, { field: "limit" }]);
      expect(body.error.message).toMatch(/\d/);
    }
  });

  test("a generated file larger than the content limit is told, and not cut", async () => {
    await using served = await Served.start(manyPages("kb/many", 30), { contentBytes: 400 });
    const { items } = (await served.get("KB/tree?parentPath=pages/many&limit=1")).body;
    expect(items[0].name).toBe("index.md");
    for (const path of [
      `KB/files/${items[0].fileId}`,
      `KB/files/${items[0].fileId}/content`,
      "KB/files/content?path=pages/many/index.md"
    ]) {
      const { status, body } = await served.get(path);
      expect([path, status, body.error.code]).toEqual([path, 413, "PAYLOAD_TOO_LARGE"]);
    }
  });

  test("a head of more than sixteen kilobytes is refused by the server itself", async () => {
    await using served = await Served.start(ONE);
    const status = await new Promise((resolve, reject) => {
      request(`${served.upstream.url}${VERSION}?x=${"a".repeat(17_000)}`, (response) =>
        resolve(response.resume().statusCode)
      )
        .on("error", reject)
        .end();
    });
    expect(status).toBe(431);
  });
});

test("addresses that a URL would rewrite are taken as they were sent", async () => {
  await using served = await Served.start(ONE);
  const raw = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const { hostname, port } = new URL(served.upstream.url);
      const headers = { authorization: `Bearer ${served.upstream.apiKey}` };
      request({ hostname, port, path, headers }, (response) => resolve(response.resume().statusCode))
        .on("error", reject)
        .end();
    });
  expect(await raw("/openapi/v2/../v2/health")).toBe(200);
  expect(await raw("//evil.example/openapi/v2/health")).toBe(404);
  expect(await raw("/openapi/v2/knowledge-bases/%zz")).toBe(400);
  expect(await raw("/openapi/v2/knowledge-bases/a%5Cb")).toBe(400);
  expect(await raw("/openapi/v2/knowledge-bases/a%2Fb")).toBe(404);
  expect(await raw("/openapi/v2/knowledge-bases//tree")).toBe(404);
  expect(await raw("/openapi/v2/health/")).toBe(404);
});

test("closing finishes answers under way and frees the port", async () => {
  const served = await Served.start(ONE);
  const pending = Promise.all(Array.from({ length: 20 }, () => served.get("KB/tree")));
  await pending;
  await served[Symbol.asyncDispose]();
  await expect(fetch(served.upstream.url + VERSION)).rejects.toThrow();
});

describe("the sample", () => {
  test("every link of every answer is open, and each page says where it is", async () => {
    await using sample = await startEmbeddedSample();
    const seen = new Set<string>();
    let pages = 0;
    for (const { id } of sample.knowledgeBases) {
      const world = { url: sample.url, key: sample.apiKey } as World;
      const ids = { knowledgeBaseId: id };
      const open = [addressOf("listKnowledgeBaseTree", { ids }), addressOf("getGraphOverview", { ids })];
      for (const query of ["tide", "restore a backup", "出張"])
        open.push(addressOf("searchGeneratedFiles", { ids, query: { query } }));
      for (let address = open.pop(); address !== undefined; address = open.pop()) {
        if (seen.has(address)) continue;
        seen.add(address);
        const response = await fetch(sample.url + address, { headers: { authorization: `Bearer ${sample.apiKey}` } });
        const empty = sample.knowledgeBases.find((held) => held.slug === "empty-shelf")?.id === id;
        if (empty) continue;
        expect([address, response.status]).toEqual([address, 200]);
        const body = await response.json();
        open.push(...linksOf(body));
        for (const row of body.items ?? []) {
          if (row.entryType === "directory")
            open.push(addressOf("listKnowledgeBaseTree", { ids, query: { parentPath: row.path, limit: "500" } }));
          if (row.graphContext)
            open.push(addressOf("getFileContentByPath", { ids, query: { path: row.graphContext.graphRef } }));
        }
        if (body.file?.fileKind === "page") pages += 1;
        for (const path of body.graphPaths ?? [])
          open.push(addressOf("getFileContentByPath", { ids, query: { path } }));
        if (body.file?.fileKind === "index" && body.content === undefined) {
          const related = await ask(world, "listRelatedFiles", { ids: { ...ids, fileId: body.file.fileId } });
          expect([related.status, related.body.error.code]).toEqual([409, "CONFLICT"]);
        }
      }
    }
    expect(seen.size).toBeGreaterThan(400);
    expect(pages).toBeGreaterThan(100);
  });

  test("has what a visitor should find: one long page, a table, code, a directory of 25 files, names of every kind", async () => {
    const warnings: string[] = [];
    await using sample = await startEmbeddedSample({ onWarning: ({ file }) => warnings.push(file) });
    const slugs = sample.knowledgeBases.map(({ slug }) => slug).sort();
    expect([slugs, warnings]).toEqual([["empty-shelf", "engineering", "handbook"], []]);
    const id = (slug: string) => sample.knowledgeBases.find((held) => held.slug === slug)?.id ?? "";
    const world = { url: sample.url, key: sample.apiKey } as World;
    const text = async (slug: string, path: string) => {
      const input = { ids: { knowledgeBaseId: id(slug) }, query: { path } };
      return (await ask(world, "getFileContentByPath", input)).body.content;
    };
    expect((await text("engineering", "pages/reference/station-catalogue.md")).length).toBeGreaterThan(60_000);
    expect(await text("handbook", "pages/welcome/Accounts & Keys #1.md")).toContain("| --- |");
    expect(await text("engineering", "pages/api/pagination.md")).toContain("```python");
    expect(await text("handbook", "pages/🎉 celebrations.md")).toContain("🎂");
    const decisions = { ids: { knowledgeBaseId: id("engineering") }, query: { parentPath: "pages/decisions" } };
    expect((await ask(world, "listKnowledgeBaseTree", decisions)).body.items.length).toBeGreaterThan(25);
  });
});
