/** The fake upstream's read operations but for search, over the model. */
import { directoryEntry, fileDetail, fileEntry, graphPaths, neighborsOf, relatedFile, walk } from "./fake-files.ts";
import { directoriesOf, type FakeFile, type KnowledgeBaseModel, parentOf } from "./fake-model.ts";
import { decodeCursor, encodeCursor, type Limits, type ListName, limitOf, Refused } from "./fake-paging.ts";
import { invalidCode, invalidField, notFoundAnswer, payloadTooLarge, refusal } from "./fake-refusals.ts";

export type Query = Readonly<Record<string, string>>;

/** What every operation sees of the server. */
export interface World {
  readonly knowledgeBases: KnowledgeBaseModel[];
  readonly maxima: Limits;
  readonly defaults: Limits;
  /** Larger contents are 413, on content, detail and expansion alike. */
  readonly contentCap: number;
}

const PATH_ROOTS = /^(index\.md|log\.md|pages\/.+\.md|_index\/.+\.(md|json)|_graph\/.+\.(md|json))$/;
const TREE_ROOTS = /^(pages|_index|_graph)(\/|$)/;
/** Beyond this an expansion's cursor is refused. */
const EXPANSION_OFFSET = 1000;

export function listKnowledgeBases(world: World, query: Query) {
  const limit = pageSize(world, "list", query);
  const all = world.knowledgeBases;
  let start = 0;
  if (query.cursor) {
    const { publicId } = decodeCursor(query.cursor, { kind: "knowledge_base", scope: "current:" });
    start = all.findIndex(({ id }) => id === publicId) + 1 || all.length;
  }
  const items = all.slice(start, start + limit);
  const last = items.at(-1);
  return {
    items: items.map(knowledgeBaseRow),
    nextCursor:
      last === undefined || start + limit >= all.length
        ? null
        : encodeCursor({ kind: "knowledge_base", scope: "current:", normalizedPath: null, publicId: last.id })
  };
}

export function getKnowledgeBase(kb: KnowledgeBaseModel) {
  return { knowledgeBase: knowledgeBaseRow(kb) };
}

function knowledgeBaseRow(kb: KnowledgeBaseModel) {
  return {
    knowledgeBaseId: kb.id,
    name: kb.name,
    description: kb.description,
    activeContentRevision: kb.revision,
    resourceRevision: 1,
    createdAt: kb.createdAt,
    updatedAt: kb.createdAt
  };
}

export function listTree(world: World, kb: KnowledgeBaseModel, query: Query, label: number) {
  const limit = pageSize(world, "tree", query);
  const entryType = query.entryType || null;
  if (query.query !== undefined) throw new Refused(invalidField("query", "Tree search is not supported."));
  if (entryType !== null && entryType !== "file" && entryType !== "directory") {
    throw new Refused(
      refusal(422, "VALIDATION_ERROR", "Invalid tree entry type filter.", { allowedValues: ["file", "directory"] })
    );
  }
  const parentPath = parentPathOf(query.parentPath);
  if (kb.revision === 0) return { activeContentRevision: null, items: [], nextCursor: null };
  const files = kb.files();
  const directories = directoriesOf(files.keys());
  const entries = [
    ...[...files.values()]
      .filter((file) => parentOf(file.path) === parentPath)
      .map((file) => fileEntry(kb, file, label)),
    ...directories
      .filter((path) => parentOf(path) === parentPath)
      .map((path) => directoryEntry(kb, path, files.values(), directories, label))
  ]
    .filter((entry) => entryType === null || entry.entryType === entryType)
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const scope = JSON.stringify({
    knowledgeBaseId: kb.id,
    activationRevision: kb.revision,
    parentPath,
    entryType,
    query: ""
  });
  let start = 0;
  if (query.cursor) {
    const after = String(decodeCursor(query.cursor, { version: 1, scope }).logicalPath);
    start = entries.filter(({ path }) => path <= after).length;
  }
  const items = entries.slice(start, start + limit);
  const last = items.at(-1);
  const nextCursor =
    last === undefined || start + limit >= entries.length
      ? null
      : encodeCursor({ version: 1, scope, logicalPath: last.path, recordId: last.id });
  return { activeContentRevision: label, items, nextCursor };
}

export function getFile(world: World, kb: KnowledgeBaseModel, file: FakeFile, label: number) {
  return { file: fileDetail(kb, within(world, file), label) };
}

export function getContent(world: World, kb: KnowledgeBaseModel, file: FakeFile, label: number) {
  if (kb.contentWithdrawn(file.path)) throw new Refused(notFoundAnswer());
  return { file: fileDetail(kb, within(world, file), label), content: file.content };
}

export function fileByPath(kb: KnowledgeBaseModel, path: string | undefined): FakeFile {
  if (path === undefined || path.normalize("NFC") !== path || !PATH_ROOTS.test(path) || !wellFormed(path)) {
    throw new Refused(invalidField("path", "This knowledge-base file path is not supported."));
  }
  const file = kb.files().get(path);
  if (file === undefined) throw new Refused(notFoundAnswer());
  return file;
}

export function listRelated(world: World, kb: KnowledgeBaseModel, file: FakeFile, query: Query, label: number) {
  if (file.page === null) {
    throw new Refused(
      refusal(409, "CONFLICT", "Only readable files created from uploaded Markdown can return related files.")
    );
  }
  const limit = pageSize(world, "related", query);
  const bound = { version: 3, knowledgeBaseId: kb.id, sourceFileId: file.id };
  const all = neighborsOf(kb, file);
  const start = query.cursor ? Number(decodeCursor(query.cursor, bound).offset) : 0;
  const items = all.slice(start, start + limit).map((neighbor) => relatedFile(kb, neighbor, 1, label));
  return {
    activeContentRevision: label,
    fileId: file.id,
    sourceFileId: file.id,
    items,
    ...(all.length === 0 ? { message: "No related files were found.", nextActions: ["Search for other files."] } : {}),
    nextCursor:
      start + limit < all.length
        ? encodeCursor({ ...bound, targetSourceFileId: items.at(-1)?.fileId, offset: start + limit })
        : null
  };
}

export function expandGraph(world: World, kb: KnowledgeBaseModel, query: Query, label: number) {
  if (!query.fileId) throw new Refused(invalidCode("GRAPH_EXPANSION_FILE_ID_REQUIRED"));
  const depth = bounded(query.depth, 1, 2, "INVALID_GRAPH_EXPANSION_DEPTH");
  const fanout = bounded(query.fanout, 10, 25, "INVALID_GRAPH_EXPANSION_FANOUT");
  const limit = pageSize(world, "expand", query);
  const seed = kb.fileById(query.fileId);
  if (seed === undefined || seed.page === null) throw new Refused(notFoundAnswer());
  within(world, seed);
  const bound = { version: 1, knowledgeBaseId: kb.id, sourceFileId: seed.id, depth, fanout };
  const start = query.cursor ? Number(decodeCursor(query.cursor, bound).offset) : 0;
  if (start > EXPANSION_OFFSET) throw new Refused(invalidField("cursor", "Pagination cursor is invalid."));
  const all = walk(kb, seed, depth, fanout);
  const relationships = all
    .slice(start, start + limit)
    .map(({ neighbor, depth: steps }) => relatedFile(kb, neighbor, steps, label));
  const hasMore = start + limit < all.length;
  return {
    activeContentRevision: label,
    seedFile: fileDetail(kb, seed, label),
    relationships,
    graphPaths: graphPaths(seed, relationships),
    nextCursor: hasMore ? encodeCursor({ ...bound, offset: start + limit }) : null,
    resultSummary: {
      relationshipCount: relationships.length,
      hasMore,
      depth,
      fanout,
      meaning: "Relationships connect readable source-backed files in the current knowledge-base version."
    }
  };
}

export function graphOverview(kb: KnowledgeBaseModel, label: number) {
  if (kb.revision === 0) throw new Refused(notFoundAnswer());
  const root = `/openapi/v2/knowledge-bases/${kb.id}`;
  return {
    activeContentRevision: label,
    availability: "available",
    summary: { readableFileCount: kb.pages.length, relationshipCount: kb.relations.length },
    resources: {
      graphIndexPath: "_graph/index.md",
      byDirectoryPath: "_graph/by-directory",
      byFilePath: "_graph/by-file"
    },
    readActions: {
      graphIndexContent: `${root}/files/content?path=_graph%2Findex.md`,
      listGraphRoot: `${root}/tree?parentPath=_graph`,
      listRelationshipsByDirectory: `${root}/tree?parentPath=_graph%2Fby-directory`,
      listRelationshipsByFile: `${root}/tree?parentPath=_graph%2Fby-file`
    }
  };
}

/** A number parameter from 0 to `maximum`. @throws Refused with the code for any other. */
export function bounded(raw: string | undefined, fallback: number, maximum: number, code: string): number {
  if (raw === undefined || raw === "") return fallback;
  const value = Number(raw);
  if (!Number.isInteger(value) || value < 0 || value > maximum) throw new Refused(invalidCode(code));
  return value;
}

function pageSize(world: World, list: ListName, query: Query): number {
  return limitOf(list, query.limit, world.maxima, world.defaults);
}

function parentPathOf(raw: string | undefined): string {
  if (raw === undefined || raw === "root") return "";
  if (!TREE_ROOTS.test(raw) || raw.endsWith(".md") || !wellFormed(raw)) {
    throw new Refused(invalidField("parentPath", "Tree parent path is invalid."));
  }
  return raw;
}

function wellFormed(path: string): boolean {
  const segments = path.split("/");
  return (
    !/[\\\p{Cc}]/u.test(path) && segments.every((segment) => segment !== "" && segment !== "." && segment !== "..")
  );
}

function within(world: World, file: FakeFile): FakeFile {
  if (Buffer.byteLength(file.content) > world.contentCap) throw new Refused(payloadTooLarge());
  return file;
}
