import { describe, expect, it } from "vitest";
import type { Search } from "../../src/knowledge/types.ts";
import { ask } from "./ask.ts";
import { file } from "./fake-reader.ts";

const BASE = "/openapi/v2/knowledge-bases/id-of-handbook";
const names = { first: "limit", after: "cursor" };

describe("the mirror keeps the upstream's wrappers", () => {
  it.each([
    ["/openapi/v2/health", { status: "ok" }],
    ["/openapi/v2/version", { product: "focowiki", version: "0.0.0-dev", apiVersion: "v2" }],
    [`${BASE}/files/file-1`, { file }],
    [`${BASE}/files/file-1/content`, { file, content: "# Guide\n" }],
    [`${BASE}/files/content?path=pages%2Fguide.md`, { file, content: "# Guide\n" }],
    [`${BASE}/graph/overview`, { activeContentRevision: 3, availability: "available" }]
  ])("%s", async (path, expected) => {
    const { status, text } = await ask(path);
    expect([status, text]).toEqual([200, JSON.stringify(expected)]);
  });

  it("lists knowledge bases, and wraps one", async () => {
    const list = await ask("/openapi/v2/knowledge-bases?limit=2", { keys: ["handbook", "library"], next: "sealed" });
    expect(list.body).toMatchObject({
      items: [{ knowledgeBaseId: "id-of-handbook" }, { knowledgeBaseId: "id-of-library" }],
      nextCursor: "sealed"
    });
    expect(list.reader.calls[0]?.page).toEqual({ after: undefined, names, verbatim: { limit: "2" } });
    expect((await ask(BASE)).body).toMatchObject({ knowledgeBase: { knowledgeBaseId: "id-of-handbook" } });
  });

  it("keeps unknown fields and the order of the upstream's", async () => {
    const search = (): Search => ({ zeta: 1, nextCursor: null, items: [], activeContentRevision: 3, alpha: 2 });
    const { text } = await ask(`${BASE}/files/search?query=cache`, { answers: { search }, next: "sealed" });
    expect(text).toBe(JSON.stringify({ ...search(), nextCursor: "sealed" }));
  });
});

describe("the mirror hands on the caller's own parameters", () => {
  it.each([
    ["/tree?parentPath=pages%2Fa+b&limit=0x10", "tree", { parentPath: "pages/a b", limit: "0x10" }],
    ["/tree?limit=%202&cursor=c&entryType=", "tree", { limit: " 2", cursor: "c", entryType: "" }],
    ["/files/search?query=a&mode=FILE&graphDepth=x", "search", { query: "a", mode: "FILE", graphDepth: "x" }],
    ["/files/search", "search", {}],
    ["/files/file-1/related?limit=201", "related", { limit: "201" }],
    ["/graph/expand?fileId=file-1&fanout=26", "expand", { fileId: "file-1", fanout: "26" }],
    ["/graph/expand", "expand", {}]
  ])("%s", async (path, method, verbatim) => {
    const { status, reader } = await ask(BASE + path);
    expect(status).toBe(200);
    const call = reader.calls.at(-1)!;
    expect(call.method).toBe(method);
    expect(call.page).toEqual({ after: (verbatim as { cursor?: string }).cursor, names, verbatim });
  });

  it("hands on what is repeated or unknown too", async () => {
    const { reader } = await ask(`${BASE}/tree?limit=1&limit=900&recursive=true`);
    expect(reader.calls.at(-1)?.page).toMatchObject({
      verbatim: { limit: "1" },
      extra: [
        ["limit", "900"],
        ["recursive", "true"]
      ]
    });
  });

  it("reads them as the upstream does, so that policy and cursors know what was asked", async () => {
    const asked = async (path: string) => (await ask(BASE + path)).reader.calls.at(-1)?.args;
    expect(await asked("/tree?parentPath=root&entryType=")).toEqual({ parentPath: undefined, entryType: undefined });
    expect(await asked("/tree?parentPath=")).toEqual({ parentPath: "", entryType: undefined });
    expect(await asked("/graph/expand")).toEqual({ fileId: "", depth: undefined, fanout: undefined });
    expect(await asked("/graph/expand?fileId=f&depth=%202&fanout=")).toEqual({
      fileId: "f",
      depth: 2,
      fanout: undefined
    });
    expect(await asked("/graph/expand?fileId=f&depth=x")).toMatchObject({ depth: Number.NaN });
    expect(await asked("/files/search?query=q&graphDepth=1e0&rerank=true&mode=&rerankScoreThreshold=.5")).toEqual({
      query: "q",
      graphDepth: 1,
      rerank: true,
      rerankScoreThreshold: 0.5
    });
  });

  it("leaves a missing path to the upstream's own refusal", async () => {
    expect((await ask(`${BASE}/files/content`)).reader.calls.at(-1)).toEqual({ method: "content", args: { path: "" } });
  });

  it("refuses to search the tree", async () => {
    const { status, body, reader } = await ask(`${BASE}/tree?query=x`);
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: { code: "VALIDATION_ERROR", details: { field: "query" } } });
    expect(reader.calls.map(({ method }) => method)).toEqual(["knowledgeBase"]);
  });
});

describe("the mirror knows no other routes and methods than the upstream", () => {
  it.each([
    ["GET", "/openapi/v2"],
    ["GET", "/openapi/v2/nope"],
    ["GET", "/openapi/v2/knowledge-bases/"],
    ["GET", `${BASE}/`],
    ["GET", `${BASE}/files`],
    ["GET", `${BASE}/source-files`],
    ["POST", `${BASE}/tree`],
    ["DELETE", BASE],
    ["OPTIONS", "/openapi/v2/knowledge-bases"]
  ])("%s %s", async (method, path) => {
    const { status, headers, body, reader } = await ask(path, {}, { method });
    expect([status, headers.get("allow")]).toEqual([404, null]);
    expect(body).toEqual({
      error: { code: "UNSUPPORTED_ROUTE", message: "Route is not supported.", httpStatus: 404 },
      requestId: reader.requestId
    });
    expect(headers.get("x-request-id")).toBe(reader.requestId);
    expect(reader.calls).toEqual([]);
  });

  it("answers HEAD like GET; the server leaves the body away", async () => {
    const { status, headers, text, reader } = await ask(`${BASE}/files/file-1/content`, {}, { method: "HEAD" });
    expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(text).toBe((await ask(`${BASE}/files/file-1/content`)).text);
    expect(reader.calls.at(-1)?.method).toBe("content");
  });
});
