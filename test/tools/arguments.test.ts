import { describe, expect, it } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { parseArguments } from "../../src/tools/arguments.ts";
import { callTool } from "../../src/tools/call.ts";
import { listTree } from "../../src/tools/list-tree.ts";
import { readFile } from "../../src/tools/read-file.ts";
import { searchFiles } from "../../src/tools/search-files.ts";
import { fakeReader } from "../agent/fake-reader.ts";

async function call(tool: string, args: unknown, limits = {}) {
  const reader = fakeReader({ limits });
  await callTool(reader, await reader.knowledgeBase("handbook"), tool, args);
  const { method, args: asked, page } = reader.calls.at(-1)!;
  return { method, args: asked, first: page?.first, after: page?.after };
}

async function refusal(tool: string, args: unknown): Promise<GatewayError> {
  const reader = fakeReader();
  const error = await callTool(reader, await reader.knowledgeBase("handbook"), tool, args).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(GatewayError);
  expect(reader.calls.map(({ method }) => method)).toEqual(["knowledgeBase"]);
  return error as GatewayError;
}

describe("what agents send for the first page of the root", () => {
  const root = { method: "tree", args: { parentPath: undefined, entryType: undefined }, after: undefined };

  it.each([
    ["nothing", undefined],
    ["null", null],
    ["an empty object", {}],
    ["nulls", { parentPath: null, cursor: null, limit: null, entryType: null }],
    ["empty strings", { parentPath: "", cursor: "", entryType: "" }],
    ["root", { parentPath: "root" }],
    ["a slash", { parentPath: "/" }],
    ["fields too many", { recursive: true, parentPath: "root", constructor: 1, __proto__: null }]
  ])("%s", async (_, args) => {
    expect(await call("list_tree", args)).toMatchObject(root);
  });

  it("takes a number as a string", async () => {
    expect(await call("list_tree", { parentPath: "", cursor: null, limit: "50" })).toMatchObject({
      ...root,
      first: 50
    });
  });

  it("takes a trailing slash off a directory", async () => {
    expect(await call("list_tree", { parentPath: "pages/" })).toMatchObject({ args: { parentPath: "pages" } });
  });

  it("passes a cursor of any text on, for the reader to judge", async () => {
    expect(await call("list_tree", { cursor: "null" })).toMatchObject({ after: "null" });
  });
});

describe("numbers, booleans and choices", () => {
  it.each(["ten", "1e2", true, 1.5, [], {}, "0x10", " 5", "5.0", "-1", 0, 501, "501", Number.NaN, "9".repeat(30)])(
    "refuses a limit of %j",
    async (limit) => {
      const error = await refusal("list_tree", { limit });
      expect(error.body()).toEqual({
        code: "VALIDATION_ERROR",
        httpStatus: 422,
        message: "limit must be a whole number from 1 to 500. Left out, it is 50.",
        details: { field: "limit", limit: 500 }
      });
    }
  );

  it("reads booleans and fractions from text", () => {
    const args = { query: "cache", rerank: "true", rerankTopK: "20", rerankScoreThreshold: "0.25" };
    expect(parseArguments(searchFiles.input, args)).toEqual({
      query: "cache",
      rerank: true,
      rerankTopK: 20,
      rerankScoreThreshold: 0.25
    });
  });

  it.each([
    ["rerank", "yes", "rerank must be true or false. Left out, it is false."],
    ["rerank", 1, "rerank must be true or false. Left out, it is false."],
    ["mode", "FILE", "mode must be one of hybrid, file, graph. Left out, it is hybrid."],
    ["rerankScoreThreshold", "2", "rerankScoreThreshold must be a number from 0 to 1. Leave it out if in doubt."],
    ["query", 404, "query must be a string."]
  ])("refuses %s of %j", async (field, value, message) => {
    const error = await refusal("search_files", { query: "cache", [field]: value });
    expect(error).toMatchObject({ code: "VALIDATION_ERROR", message, details: { field } });
  });

  it("names the values that a choice allows", async () => {
    const error = await refusal("list_tree", { entryType: "symlink" });
    expect(error.details).toEqual({ field: "entryType", allowedValues: ["file", "directory"] });
  });

  it("refuses arguments that are no object", async () => {
    for (const args of [[], "root", 5]) expect((await refusal("list_tree", args)).details?.field).toBe("arguments");
  });
});

describe("text", () => {
  it("invariant 9: brings paths and queries to NFC, and leaves ids and cursors as they are", async () => {
    const decomposed = "e\u0301";
    expect(parseArguments(listTree.input, { parentPath: decomposed, cursor: decomposed })).toEqual({
      parentPath: "\u00e9",
      cursor: decomposed
    });
    expect(await call("read_file", { fileId: decomposed })).toMatchObject({ args: { fileId: decomposed } });
  });

  it("invariant 9: refuses half of a character pair", async () => {
    expect((await refusal("search_files", { query: "a\ud800" })).details).toEqual({ field: "query" });
  });
});

describe("exactly one of fileId or path", () => {
  it.each([{}, { fileId: "", path: null }, { fileId: "file-1", path: "pages/guide.md" }])(
    "refuses %j",
    async (args) => {
      const error = await refusal("read_file", args);
      expect(error.message).toContain("exactly one of fileId or path");
      expect(error.details).toEqual({ field: "fileId" });
    }
  );

  it("takes the empty one for left out", () => {
    expect(parseArguments(readFile.input, { fileId: "", path: "index.md" })).toEqual({ path: "index.md" });
  });
});

describe("defaults", () => {
  it("invariant 1: leaves what is left out to the reader, so that all surfaces ask the same", async () => {
    expect(await call("search_files", { query: "cache" })).toEqual({
      method: "search",
      args: { query: "cache" },
      first: undefined,
      after: undefined
    });
  });

  it("asks for 50 expanded relations, or as many as the tenant may ask for", async () => {
    expect(await call("expand_graph", { fileId: "file-1" })).toMatchObject({ first: 50 });
    expect(await call("expand_graph", { fileId: "file-1" }, { pageSize: 20 })).toMatchObject({ first: 20 });
    expect(await call("expand_graph", { fileId: "file-1", limit: 7 })).toMatchObject({ first: 7 });
  });

  it("says what a required argument is", async () => {
    const error = await refusal("search_files", { query: null });
    expect(error.message).toBe("query is required: the complete question, 2 to 512 characters, on one line.");
  });
});

it("names the tools where there is no such tool", async () => {
  const error = await refusal("delete_file", {});
  expect(error).toMatchObject({ code: "UNSUPPORTED_ROUTE", httpStatus: 404 });
  expect(error.details?.allowedValues).toContain("search_files");
});
