import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import type { GraphExpansion, Related, Search, SearchHit, Tree } from "../../src/knowledge/types.ts";
import { callTool, toolNamed } from "../../src/tools/call.ts";
import { objectSchema } from "../../src/tools/definitions.ts";
import { type Answers, fakeReader, file } from "../agent/fake-reader.ts";
import { loadRecordings, RECORDINGS_ABSENT } from "../harness/recordings.ts";

async function compact(tool: string, args: object, answers: Answers, next = "sealed"): Promise<Compact> {
  const reader = fakeReader({ answers, next });
  const answer = await callTool(reader, await reader.knowledgeBase("handbook"), tool, args);
  const validate = validatorOf(tool);
  expect(validate(answer), JSON.stringify(validate.errors)).toBe(true);
  return answer as Compact;
}

type Compact = Record<string, unknown> & { items?: unknown; seedFile?: unknown };

const validators = new Map<string, ValidateFunction>();

function validatorOf(tool: string): ValidateFunction {
  const validate = validators.get(tool) ?? new Ajv2020().compile(objectSchema(toolNamed(tool).output));
  validators.set(tool, validate);
  return validate;
}

const links = {
  fileDetailById: "/d",
  fileContentById: "/c",
  fileContentByPath: "/p",
  relatedFilesById: "/r",
  graphExpansionByFileId: "/g",
  sourceFileStatusById: null
};

describe("answers hold what the table names, in its order", () => {
  it("search_files", async () => {
    const answer = await compact(
      "search_files",
      { query: "cache" },
      {
        search: () => ({
          nextCursor: null,
          query: { query: "cache" },
          semanticStatus: { state: "ready" },
          searchStatus: "ok",
          activeContentRevision: 3,
          graphSummary: {},
          message: null,
          items: [
            {
              readActions: links,
              graphContext: { depth: 1, graphRef: "_graph/by-file/a.json", relationships: [], graphPaths: [] },
              score: 0.5,
              tags: [],
              path: "pages/a.md",
              fileId: "a",
              sourceExcerpt: "text",
              title: null
            }
          ]
        })
      }
    );
    expect(JSON.stringify(answer)).toBe(
      JSON.stringify({
        activeContentRevision: 3,
        items: [
          {
            fileId: "a",
            path: "pages/a.md",
            title: null,
            score: 0.5,
            sourceExcerpt: "text",
            graphRef: "_graph/by-file/a.json",
            readActions: { fileContentById: "/c" }
          }
        ],
        searchStatus: "ok",
        semanticStatus: { state: "ready" },
        message: null,
        nextCursor: "sealed"
      })
    );
  });

  it("list_tree: counts of directories, links of files", async () => {
    const entry = {
      id: "x",
      parentPath: "",
      fileId: "f",
      contentAvailable: true,
      descendantFileCount: 4,
      sortKey: "s"
    };
    const tree: Tree = {
      activeContentRevision: 3,
      nextCursor: null,
      items: [
        { ...entry, name: "pages", path: "pages", entryType: "directory", readActions: null },
        { ...entry, name: "index.md", path: "index.md", entryType: "file", readActions: links }
      ]
    };
    const answer = await compact("list_tree", {}, { tree: () => tree });
    expect(Object.keys(answer)).toEqual(["activeContentRevision", "items", "nextCursor"]);
    expect(answer.items).toEqual([
      {
        fileId: "f",
        path: "pages",
        name: "pages",
        entryType: "directory",
        contentAvailable: true,
        descendantFileCount: 4
      },
      {
        fileId: "f",
        path: "index.md",
        name: "index.md",
        entryType: "file",
        contentAvailable: true,
        readActions: { fileContentByPath: "/p" }
      }
    ]);
  });

  const relation = {
    fileId: "b",
    path: "pages/b.md",
    relationType: "invented_later",
    direction: "bidirectional",
    reason: null,
    readActions: links
  };
  const shown = {
    fileId: "b",
    path: "pages/b.md",
    relationType: "invented_later",
    direction: "bidirectional",
    reason: null
  };

  it("read_related: a missing weight stays missing, a null reason null", async () => {
    const related: Related = {
      activeContentRevision: 3,
      fileId: "a",
      items: [relation],
      nextCursor: null,
      message: "m"
    };
    expect(await compact("read_related", { fileId: "a" }, { related: () => related })).toEqual({
      activeContentRevision: 3,
      fileId: "a",
      items: [{ ...shown, readActions: { fileContentById: "/c" } }],
      message: "m",
      nextCursor: "sealed"
    });
  });

  it("expand_graph: a seed of null stays null", async () => {
    const expansion: GraphExpansion = {
      activeContentRevision: 3,
      seedFile: null,
      relationships: [relation],
      graphPaths: ["_graph/by-file/a.json"],
      nextCursor: null
    };
    const answer = await compact("expand_graph", { fileId: "a" }, { expand: () => expansion });
    expect(answer).toEqual({
      activeContentRevision: 3,
      seedFile: null,
      relationships: [{ ...shown, readActions: { fileContentById: "/c", graphExpansionByFileId: "/g" } }],
      graphPaths: ["_graph/by-file/a.json"],
      nextCursor: "sealed"
    });
    const withSeed = await compact(
      "expand_graph",
      { fileId: "a" },
      { expand: () => ({ ...expansion, seedFile: file }) }
    );
    expect(withSeed.seedFile).toEqual({ fileId: "file-1", path: "pages/guide.md", title: "Guide" });
  });

  it("read_file and get_file: the upstream's objects, whole", async () => {
    expect(await compact("read_file", { fileId: "file-1" }, {})).toEqual({ file, content: "# Guide\n" });
    expect(await compact("get_file", { fileId: "file-1" }, {})).toEqual(file);
  });
});

describe("bytes of the recorded searches, as a model pays for them", () => {
  const KB = 1024;
  /** As long as sealed ones are. */
  const cursor = "c".repeat(460);

  it("five hits in 6 KB, ten in 11 KB", async ({ skip }) => {
    const searches = loadRecordings()
      .filter(({ request, response }) => request.path.includes("/files/search") && response.status === 200)
      .map(({ response }) => response.body as Search);
    if (searches.length === 0) return skip(RECORDINGS_ABSENT);
    const tens = searches.filter(({ items }) => items.length >= 10);
    expect(tens.length).toBeGreaterThan(2);
    for (const search of searches) {
      const items = search.items.slice(0, 10);
      const answer = await compact("search_files", { query: "the" }, { search: () => ({ ...search, items }) }, cursor);
      expect(Buffer.byteLength(JSON.stringify(answer))).toBeLessThanOrEqual(items.length <= 5 ? 6 * KB : 11 * KB);
      // What fits is what the upstream wrote.
      const shown = (answer.items as SearchHit[]).map(({ sourceExcerpt }) => sourceExcerpt);
      if (items.length <= 5) expect(shown).toEqual(items.map(({ sourceExcerpt }) => sourceExcerpt));
    }
  });
});
