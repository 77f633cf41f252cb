/** The contract: requests of every read operation, and what must come back from whoever implements it. */
import { expect } from "vitest";
import type { Operation, OperationInput } from "../../src/upstream/operations.ts";
import { type Json, MISSING_FILE, MISSING_KNOWLEDGE_BASE, type World } from "./world.ts";

export interface Row {
  readonly name: string;
  readonly operation: Operation;
  /** Null where a world has nothing to ask with. */
  readonly input: (world: World) => OperationInput | null;
  /** Default 200. */
  readonly status?: number;
  readonly code?: string;
  readonly details?: Json;
  /** What the schema does not say. */
  readonly check?: (body: Json, world: World) => void;
}

const inKnowledgeBase =
  (query: Record<string, string> = {}, fileId?: (world: World) => string) =>
  (world: World): OperationInput => ({
    ids: { knowledgeBaseId: world.knowledgeBase, ...(fileId && { fileId: fileId(world) }) },
    query
  });
const inMissing =
  (query: Record<string, string> = {}, fileId?: string) =>
  (): OperationInput => ({
    ids: { knowledgeBaseId: MISSING_KNOWLEDGE_BASE, ...(fileId && { fileId }) },
    query
  });
const inEmpty =
  (query: Record<string, string> = {}, fileId?: string) =>
  ({ empty }: World): OperationInput | null =>
    empty === null ? null : { ids: { knowledgeBaseId: empty, ...(fileId && { fileId }) }, query };

const NOT_FOUND = { status: 404, code: "NOT_FOUND", details: undefined };
const refused = (details: Json) => ({ status: 422, code: "VALIDATION_ERROR", details });
const field = (name: string) => refused({ field: name });
const reason = (code: string) => refused({ code });

const seedId = (world: World) => world.seed.id;
const expansion = (query: Record<string, string>) => (world: World) =>
  inKnowledgeBase({ fileId: world.seed.id, ...query })(world);
const search =
  (query: Record<string, string> = {}) =>
  (world: World) =>
    inKnowledgeBase({ query: world.word, ...query })(world);
const question = (query: string) => inKnowledgeBase({ query });

function expectSortedByPath(items: Json[]): void {
  const paths = items.map((item) => item.path);
  expect(paths).toEqual([...paths].sort((left, right) => (left < right ? -1 : 1)));
}

export const TABLE: readonly Row[] = [
  {
    name: "health",
    operation: "getHealth",
    input: () => ({}),
    check: (body) => expect(body).toEqual({ status: "ok" })
  },
  {
    name: "version",
    operation: "getVersion",
    input: () => ({}),
    check: (body) => expect(body).toMatchObject({ product: "focowiki", apiVersion: "v2" })
  },

  {
    name: "knowledge bases, in the order of their ids",
    operation: "listKnowledgeBases",
    input: () => ({}),
    check: ({ items }, world) => {
      const ids = items.map((item: Json) => item.knowledgeBaseId);
      expect(ids).toContain(world.knowledgeBase);
      expect(ids).toEqual([...ids].sort());
    }
  },
  ...["1e1", "0x10", " 2", ""].map(
    (limit): Row => ({
      name: `a limit of "${limit}" is a number, or none`,
      operation: "listKnowledgeBases",
      input: () => ({ query: { limit } })
    })
  ),
  ...["0", "-1", "1.5", "abc", "201"].map(
    (limit): Row => ({
      name: `a limit of ${limit} is refused`,
      operation: "listKnowledgeBases",
      input: () => ({ query: { limit } }),
      ...field("limit")
    })
  ),
  {
    name: "a knowledge base cursor of junk",
    operation: "listKnowledgeBases",
    input: () => ({ query: { cursor: "garbage" } }),
    ...field("cursor")
  },
  {
    name: "an empty knowledge base cursor is the first page",
    operation: "listKnowledgeBases",
    input: () => ({ query: { cursor: "" } }),
    check: (body) => expect(body.items.length).toBeGreaterThan(0)
  },
  {
    name: "a knowledge base",
    operation: "getKnowledgeBase",
    input: inKnowledgeBase(),
    check: ({ knowledgeBase }, world) => {
      expect(knowledgeBase.knowledgeBaseId).toBe(world.knowledgeBase);
      expect(knowledgeBase.activeContentRevision).toBeGreaterThan(0);
    }
  },
  { name: "a knowledge base that is missing", operation: "getKnowledgeBase", input: inMissing(), ...NOT_FOUND },
  {
    name: "an id that is none",
    operation: "getKnowledgeBase",
    input: () => ({ ids: { knowledgeBaseId: "x" } }),
    ...NOT_FOUND
  },
  {
    name: "an empty knowledge base has revision 0",
    operation: "getKnowledgeBase",
    input: inEmpty(),
    check: ({ knowledgeBase }) => expect(knowledgeBase.activeContentRevision).toBe(0)
  },

  {
    name: "the root of the tree",
    operation: "listKnowledgeBaseTree",
    input: inKnowledgeBase(),
    check: ({ items, nextCursor }) => {
      const paths = items.map((item: Json) => item.path);
      expect(paths).toEqual(expect.arrayContaining(["_graph", "index.md", "log.md", "pages"]));
      expectSortedByPath(items);
      expect(items.every((item: Json) => item.parentPath === "")).toBe(true);
      expect(nextCursor).toBeNull();
    }
  },
  {
    name: "root is the root",
    operation: "listKnowledgeBaseTree",
    input: inKnowledgeBase({ parentPath: "root" }),
    check: ({ items }) => expect(items.map((item: Json) => item.path)).toContain("pages")
  },
  {
    name: "a directory, each row with its place, its counts and its links",
    operation: "listKnowledgeBaseTree",
    input: inKnowledgeBase({ parentPath: "pages" }),
    check: ({ items, activeContentRevision }) => {
      expectSortedByPath(items);
      for (const item of items) {
        expect(item.parentPath).toBe("pages");
        expect(item.path).toBe(`pages/${item.name}`);
        expect(item.sortKey).toBe(`${item.path}:${item.id}`);
        expect(item.activeContentRevision).toBe(activeContentRevision);
        expect(item.directEntryCount).toBe(item.directDirectoryCount + item.directFileCount);
        expect(item.readActions === null).toBe(item.entryType === "directory");
      }
    }
  },
  ...(["file", "directory"] as const).map(
    (entryType): Row => ({
      name: `only entries of type ${entryType}`,
      operation: "listKnowledgeBaseTree",
      input: inKnowledgeBase({ parentPath: "pages", entryType }),
      check: ({ items }) => {
        expect(items.length).toBeGreaterThan(0);
        expect(items.every((item: Json) => item.entryType === entryType)).toBe(true);
      }
    })
  ),
  {
    name: "an entry type that is none",
    operation: "listKnowledgeBaseTree",
    input: inKnowledgeBase({ entryType: "symlink" }),
    ...refused({ allowedValues: ["file", "directory"] })
  },
  {
    name: "a directory that does not exist is empty",
    operation: "listKnowledgeBaseTree",
    input: inKnowledgeBase({ parentPath: "pages/missing" }),
    check: (body) => expect(body).toMatchObject({ items: [], nextCursor: null })
  },
  ...["", "/", "/pages", "pages/", "pages/..", "other", "_index/terms/klingon"].map(
    (parentPath): Row => ({
      name: `"${parentPath}" is no directory`,
      operation: "listKnowledgeBaseTree",
      input: inKnowledgeBase({ parentPath }),
      ...field("parentPath")
    })
  ),
  ...["0", "501"].map(
    (limit): Row => ({
      name: `a tree limit of ${limit}`,
      operation: "listKnowledgeBaseTree",
      input: inKnowledgeBase({ limit }),
      ...field("limit")
    })
  ),
  {
    name: "a tree is not searched",
    operation: "listKnowledgeBaseTree",
    input: inKnowledgeBase({ query: "x" }),
    ...field("query")
  },
  {
    name: "a tree cursor of junk",
    operation: "listKnowledgeBaseTree",
    input: inKnowledgeBase({ parentPath: "pages", cursor: "!!" }),
    ...field("cursor")
  },
  {
    name: "the tree of a missing knowledge base",
    operation: "listKnowledgeBaseTree",
    input: inMissing(),
    ...NOT_FOUND
  },
  {
    name: "the tree of an empty knowledge base has no revision",
    operation: "listKnowledgeBaseTree",
    input: inEmpty(),
    check: (body) => expect(body).toEqual({ activeContentRevision: null, items: [], nextCursor: null })
  },

  {
    name: "a page's detail",
    operation: "getFileById",
    input: inKnowledgeBase({}, seedId),
    check: ({ file }, world) => {
      expect(file).toMatchObject({ fileId: world.seed.id, sourceFileId: world.seed.id, path: world.seed.path });
      expect(file.fileKind).toBe("page");
      expect(Object.keys(file.okfSignals)).toHaveLength(8);
    }
  },
  {
    name: "a generated file's detail",
    operation: "getFileById",
    input: inKnowledgeBase({}, (world) => world.indexId),
    check: ({ file }) => {
      expect(file).toMatchObject({ path: "index.md", sourceFileId: null, fileKind: "index" });
      expect(file.readActions).toMatchObject({ relatedFilesById: null, graphExpansionByFileId: null });
    }
  },
  {
    name: "a file that is missing",
    operation: "getFileById",
    input: inKnowledgeBase({}, () => MISSING_FILE),
    ...NOT_FOUND
  },
  { name: "a file id that is none", operation: "getFileById", input: inKnowledgeBase({}, () => "zzz"), ...NOT_FOUND },
  {
    name: "a page's content",
    operation: "getFileContentById",
    input: inKnowledgeBase({}, (world) => world.page.id),
    check: ({ file, content }, world) => {
      expect(file.path).toBe(world.page.path);
      expect(content.length).toBeGreaterThan(0);
    }
  },
  {
    name: "the content of a file that is missing",
    operation: "getFileContentById",
    input: inKnowledgeBase({}, () => MISSING_FILE),
    ...NOT_FOUND
  },
  {
    name: "content by path",
    operation: "getFileContentByPath",
    input: (world) => inKnowledgeBase({ path: world.page.path })(world),
    check: ({ file }, world) => expect(file.fileId).toBe(world.page.id)
  },
  {
    name: "the graph's index by path",
    operation: "getFileContentByPath",
    input: inKnowledgeBase({ path: "_graph/index.md" }),
    check: ({ file }) => expect(file.fileId).toMatch(/^generated-[0-9a-f]{32}$/)
  },
  ...[
    "",
    "pages",
    "pages/",
    "/index.md",
    "./index.md",
    "pages/../index.md",
    "root",
    "pages/a.txt",
    "_index/other.json"
  ].map(
    (path): Row => ({
      name: `"${path}" is no file's path`,
      operation: "getFileContentByPath",
      input: inKnowledgeBase({ path }),
      ...field("path")
    })
  ),
  ...["pages/a:b.md", "pages/~a.md", "pages/.hidden.md"].map(
    (path): Row => ({
      name: `"${path}" is not there`,
      operation: "getFileContentByPath",
      input: inKnowledgeBase({ path }),
      ...NOT_FOUND
    })
  ),
  {
    name: "content in a missing knowledge base",
    operation: "getFileContentByPath",
    input: inMissing({ path: "index.md" }),
    ...NOT_FOUND
  },
  {
    name: "content in an empty knowledge base",
    operation: "getFileContentByPath",
    input: inEmpty({ path: "index.md" }),
    ...NOT_FOUND
  },

  {
    name: "related files, each with the file that it relates to",
    operation: "listRelatedFiles",
    input: inKnowledgeBase({}, seedId),
    check: ({ items, fileId }, world) => {
      expect(fileId).toBe(world.seed.id);
      expect(items.length).toBeGreaterThanOrEqual(3);
      for (const item of items) {
        expect(item).toMatchObject({ fromFileId: world.seed.id, relationshipDepth: 1, contentAvailable: true });
        expect(["outgoing", "incoming", "bidirectional"]).toContain(item.direction);
      }
      const ids = items.map((item: Json) => item.fileId);
      expect(ids).toEqual([...ids].sort());
    }
  },
  {
    name: "a generated file has no related ones",
    operation: "listRelatedFiles",
    input: inKnowledgeBase({}, (world) => world.indexId),
    status: 409,
    code: "CONFLICT"
  },
  {
    name: "related files of a missing one",
    operation: "listRelatedFiles",
    input: inKnowledgeBase({}, () => MISSING_FILE),
    ...NOT_FOUND
  },
  {
    name: "a related limit of 201",
    operation: "listRelatedFiles",
    input: inKnowledgeBase({ limit: "201" }, seedId),
    ...field("limit")
  },
  {
    name: "a related cursor of junk",
    operation: "listRelatedFiles",
    input: inKnowledgeBase({ cursor: "x" }, seedId),
    ...field("cursor")
  },

  {
    name: "an expansion, from the seed outward",
    operation: "expandGraph",
    input: expansion({ depth: "2" }),
    check: (body, world) => {
      expect(body.seedFile.fileId).toBe(world.seed.id);
      const depths = body.relationships.map((row: Json) => row.relationshipDepth);
      expect(depths).toEqual([...depths].sort());
      expect(depths).toContain(2);
      const reached = new Set([world.seed.id]);
      for (const row of body.relationships) {
        expect(reached).toContain(row.fromFileId);
        reached.add(row.fileId);
      }
      expect(body.graphPaths[0]).toBe(world.seed.path.replace(/^pages/, "_graph/by-file").replace(/md$/, "json"));
      expect(body.resultSummary).toMatchObject({ relationshipCount: depths.length, depth: 2, fanout: 10 });
    }
  },
  ...[{ depth: "0" }, { fanout: "0" }].map(
    (query): Row => ({
      name: `an expansion with ${JSON.stringify(query)} is the seed alone`,
      operation: "expandGraph",
      input: expansion(query),
      check: (body) => {
        expect(body.relationships).toEqual([]);
        expect(body.graphPaths).toHaveLength(1);
        expect(body.nextCursor).toBeNull();
      }
    })
  ),
  {
    name: "a fanout of 1 is one relation of each",
    operation: "expandGraph",
    input: expansion({ fanout: "1", depth: "2" }),
    check: ({ relationships }) => {
      const from = relationships.map((row: Json) => row.fromFileId);
      expect(new Set(from).size).toBe(from.length);
    }
  },
  {
    name: "a depth of 3",
    operation: "expandGraph",
    input: expansion({ depth: "3" }),
    ...reason("INVALID_GRAPH_EXPANSION_DEPTH")
  },
  {
    name: "a fanout of 26",
    operation: "expandGraph",
    input: expansion({ fanout: "26" }),
    ...reason("INVALID_GRAPH_EXPANSION_FANOUT")
  },
  {
    name: "a fanout of x",
    operation: "expandGraph",
    input: expansion({ fanout: "x" }),
    ...reason("INVALID_GRAPH_EXPANSION_FANOUT")
  },
  {
    name: "an expansion limit of 201",
    operation: "expandGraph",
    input: expansion({ limit: "201" }),
    ...field("limit")
  },
  {
    name: "an expansion cursor of junk",
    operation: "expandGraph",
    input: expansion({ cursor: "x" }),
    ...field("cursor")
  },
  {
    name: "an expansion of nothing",
    operation: "expandGraph",
    input: inKnowledgeBase({ fileId: "" }),
    ...reason("GRAPH_EXPANSION_FILE_ID_REQUIRED")
  },
  {
    name: "an expansion of a missing file",
    operation: "expandGraph",
    input: inKnowledgeBase({ fileId: MISSING_FILE }),
    ...NOT_FOUND
  },
  {
    name: "an expansion of a generated file",
    operation: "expandGraph",
    input: (world) => inKnowledgeBase({ fileId: world.indexId })(world),
    ...NOT_FOUND
  },
  {
    name: "the graph's overview",
    operation: "getGraphOverview",
    input: inKnowledgeBase(),
    check: (body) => {
      expect(body.availability).toBe("available");
      expect(body.summary.readableFileCount).toBeGreaterThan(0);
      expect(body.summary.relationshipCount).toBeGreaterThan(0);
      expect(body.resources.graphIndexPath).toBe("_graph/index.md");
    }
  },
  { name: "the overview of a missing knowledge base", operation: "getGraphOverview", input: inMissing(), ...NOT_FOUND },
  { name: "the overview of an empty knowledge base", operation: "getGraphOverview", input: inEmpty(), ...NOT_FOUND },

  {
    name: "a search in every way at once",
    operation: "searchGeneratedFiles",
    input: search(),
    check: (body, world) => {
      expect(body.query).toEqual({
        query: world.word,
        normalizedQuery: world.word,
        scope: "all",
        fileKind: "page",
        mode: "hybrid",
        graphDepth: 1,
        graphFanout: 10,
        okfStatus: null,
        okfTrustTier: null,
        okfFreshness: null,
        limit: 10,
        rerank: false,
        rerankTopK: null,
        rerankScoreThreshold: null,
        cursorProvided: false
      });
      expect(body).toMatchObject({ searchStatus: "ok", searchMode: "hybrid", graphStatus: "available" });
      expect(body.rerankerStatus).toEqual({ state: "skipped", safeCode: "RERANKER_DISABLED" });
      expect(body.evidenceStatus.degradedFamilies).toEqual([]);
      expect(body.message).toBeUndefined();
      expect(body.items.some((item: Json) => item.sourceExcerpt?.includes("<em>"))).toBe(true);
      for (const item of body.items) {
        expect(item.graphContext.graphPaths[0]).toBe(item.graphContext.graphRef);
        expect(item.graphContext.seedSourceFileId).toBe(item.sourceFileId);
      }
      const scores = body.items.map((item: Json) => item.score);
      expect(scores).toEqual([...scores].sort((left, right) => right - left));
    }
  },
  {
    name: "a search of files knows no graph",
    operation: "searchGeneratedFiles",
    input: search({ mode: "file" }),
    check: (body) => {
      expect(body).toMatchObject({ searchStatus: "ok", searchMode: "file", graphStatus: "disabled_for_file_mode" });
      expect(body.graphSummary).toMatchObject({ available: false, indexedDocumentCount: 0 });
      expect(body.items.every((item: Json) => item.graphContext === undefined)).toBe(true);
      expect(body.items.every((item: Json) => item.matchType === "file_direct")).toBe(true);
    }
  },
  {
    name: "a search of depth 0 shows where the graph is, and none of it",
    operation: "searchGeneratedFiles",
    input: search({ graphDepth: "0" }),
    check: ({ items }) => {
      expect(items.length).toBeGreaterThan(0);
      for (const { graphContext } of items) {
        expect(graphContext).toMatchObject({ depth: 0, relationships: [], graphPaths: [graphContext.graphRef] });
      }
    }
  },
  {
    name: "a search of fanout 0",
    operation: "searchGeneratedFiles",
    input: search({ graphFanout: "0" }),
    check: ({ items }) => expect(items.every((item: Json) => item.graphContext.relationships.length === 0)).toBe(true)
  },
  {
    name: "a search that finds nothing says what to try",
    operation: "searchGeneratedFiles",
    input: question("zzqqxxyy"),
    check: (body) => {
      expect(body).toMatchObject({ searchStatus: "no_candidates", items: [], nextCursor: null });
      expect(body.resultSummary).toMatchObject({ resultCount: 0, hasMore: false });
      expect(body.message.length).toBeGreaterThan(0);
      expect(body.nextActions.length).toBeGreaterThan(0);
    }
  },
  {
    name: "the path scope matches without pages/",
    operation: "searchGeneratedFiles",
    input: (world) => inKnowledgeBase({ scope: "path", query: world.page.path.replace("pages/", "") })(world),
    check: ({ items, evidenceStatus }, world) => {
      expect(items.map((item: Json) => item.path)).toEqual([world.page.path]);
      expect(items[0]).toMatchObject({ matchedFields: ["path"], evidenceTypes: ["path"], matchType: "file_direct" });
      expect(evidenceStatus.completedFamilies).toEqual(["exact_path", "exact_title"]);
    }
  },
  {
    name: "and not with it",
    operation: "searchGeneratedFiles",
    input: (world) => inKnowledgeBase({ scope: "path", query: world.page.path })(world),
    check: (body) => expect(body).toMatchObject({ searchStatus: "no_candidates", items: [] })
  },
  {
    name: "reranking where no reranker is configured",
    operation: "searchGeneratedFiles",
    input: search({ rerank: "true" }),
    check: (body) => {
      expect(body.rerankerStatus).toEqual({ state: "not_configured", safeCode: "RERANKER_NOT_CONFIGURED" });
      expect(body.query).toMatchObject({ rerank: true, rerankTopK: 30, rerankScoreThreshold: 0.35 });
    }
  },
  {
    name: "white space in a query collapses",
    operation: "searchGeneratedFiles",
    input: question("  cache \u3000 invalidation "),
    check: (body) => expect(body.query.query).toBe("cache invalidation")
  },
  { name: "a query of 512 characters", operation: "searchGeneratedFiles", input: question("a".repeat(512)) },
  { name: "a tab in a query", operation: "searchGeneratedFiles", input: question("ca\tche") },
  ...(
    [
      ["", "FILE_SEARCH_QUERY_REQUIRED"],
      ["  ", "FILE_SEARCH_QUERY_REQUIRED"],
      ["a", "FILE_SEARCH_QUERY_TOO_SHORT"],
      ["a".repeat(513), "FILE_SEARCH_QUERY_TOO_LONG"],
      ["a\u0001b", "INVALID_FILE_SEARCH_QUERY"],
      ["a\nb", "INVALID_FILE_SEARCH_QUERY"]
    ] as const
  ).map(
    ([query, code]): Row => ({
      name: `a query of ${JSON.stringify(query.slice(0, 8))} is ${code}`,
      operation: "searchGeneratedFiles",
      input: question(query),
      ...reason(code)
    })
  ),
  ...(
    [
      [{ scope: "content" }, "INVALID_FILE_SEARCH_SCOPE"],
      [{ fileKind: "index" }, "INVALID_FILE_SEARCH_KIND"],
      [{ mode: "FILE" }, "INVALID_FILE_SEARCH_MODE"],
      [{ graphDepth: "-1" }, "INVALID_FILE_SEARCH_GRAPH_DEPTH"],
      [{ graphDepth: "3" }, "INVALID_FILE_SEARCH_GRAPH_DEPTH"],
      [{ graphFanout: "26" }, "INVALID_FILE_SEARCH_GRAPH_FANOUT"],
      [{ okfStatus: "x" }, "INVALID_FILE_SEARCH_OKF_STATUS"],
      [{ okfTrustTier: "x" }, "INVALID_FILE_SEARCH_OKF_TRUST_TIER"],
      [{ okfFreshness: "x" }, "INVALID_FILE_SEARCH_OKF_FRESHNESS"],
      [{ limit: "0" }, "INVALID_FILE_SEARCH_LIMIT"],
      [{ limit: "51" }, "INVALID_FILE_SEARCH_LIMIT"],
      [{ rerank: "yes" }, "INVALID_FILE_SEARCH_RERANK_CONTROLS"],
      [{ rerankTopK: "10" }, "INVALID_FILE_SEARCH_RERANK_CONTROLS"],
      [{ rerank: "true", rerankTopK: "51" }, "INVALID_FILE_SEARCH_RERANK_CONTROLS"],
      [{ rerank: "true", rerankScoreThreshold: "2" }, "INVALID_FILE_SEARCH_RERANK_CONTROLS"],
      [{ rerank: "true", limit: "20", rerankTopK: "10" }, "INVALID_FILE_SEARCH_RERANK_CONTROLS"]
    ] as [Record<string, string>, string][]
  ).map(
    ([query, code]): Row => ({
      name: `${JSON.stringify(query)} is ${code}`,
      operation: "searchGeneratedFiles",
      input: search(query),
      ...reason(code)
    })
  ),
  {
    name: "a search cursor of junk",
    operation: "searchGeneratedFiles",
    input: search({ cursor: "garbage" }),
    ...field("cursor")
  },
  ...[inMissing, inEmpty].map(
    (within): Row => ({
      name: `a search in ${within === inMissing ? "a missing" : "an empty"} knowledge base is empty`,
      operation: "searchGeneratedFiles",
      input: within({ query: "cache" }),
      check: (body) => {
        expect(body).toMatchObject({ activeContentRevision: null, items: [], searchStatus: "no_candidates" });
        expect(body).toMatchObject({ graphStatus: "index_unavailable", evidenceStatus: { completedFamilies: [] } });
      }
    })
  )
];
