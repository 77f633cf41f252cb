/** What the upstream says of the world, in the shapes and sizes of the Developer OpenAPI: a search hit is about 7 KB. */
import { type Group, groups, KNOWLEDGE_BASE, type Page, REVISION } from "./world.ts";

const BASE = `/openapi/v2/knowledge-bases/${KNOWLEDGE_BASE}`;

/** Every answer, as JSON, by its target without the search parameters that all servers send differently. */
export function answers(): ReadonlyMap<string, Buffer> {
  const bodies = new Map<string, Buffer>();
  const add = (target: string, body: object) => bodies.set(target, Buffer.from(JSON.stringify(body)));
  add(BASE, { knowledgeBase: knowledgeBase() });
  for (const group of groups) {
    add(`${BASE}/tree?${group.directory}`, tree(group));
    add(`${BASE}/files/search?${group.query}`, search(group));
    for (const page of group.pages) {
      add(`${BASE}/files/${page.id}`, { file: detail(page) });
      add(`${BASE}/files/${page.id}/content`, { file: detail(page), content: page.content });
    }
    for (const hit of group.hits) add(`${BASE}/files/${hit.id}/related`, related(group, hit));
  }
  return bodies;
}

/** The key of {@link answers} that a request target means. */
export function keyOf(target: string): string {
  const mark = target.indexOf("?");
  if (mark === -1) return target;
  const path = target.slice(0, mark);
  if (path.endsWith("/related")) return path;
  const query = new URLSearchParams(target.slice(mark));
  return `${path}?${query.get("parentPath") ?? query.get("query") ?? ""}`;
}

function knowledgeBase() {
  return {
    knowledgeBaseId: KNOWLEDGE_BASE,
    name: "Benchmark",
    description: "Groups of pages that have nothing in common.",
    activeContentRevision: REVISION,
    resourceRevision: 1,
    createdAt: "2026-01-02T03:04:05.000Z",
    updatedAt: "2026-01-02T03:04:05.000Z"
  };
}

function detail(page: Page) {
  return {
    activeContentRevision: REVISION,
    fileId: page.id,
    knowledgeBaseId: KNOWLEDGE_BASE,
    sourceFileId: page.id,
    path: page.path,
    fileKind: "page",
    contentType: "text/markdown; charset=utf-8",
    sizeBytes: Buffer.byteLength(page.content),
    okfType: "guide",
    title: page.title,
    description: `What to know about ${page.title}, in one sentence that is neither short nor long.`,
    tags: ["handbook", "reviewed", page.path.split("/")[1]],
    frontmatter: { type: "guide", status: "stable", owner: "team-knowledge", reviewed: "2026-05-01" },
    okfSignals: {
      effectiveStatus: "stable",
      trustTier: "human-reviewed",
      isStale: false,
      staleAfter: "2027-05-01",
      generatedAt: null,
      generatedAtSource: null,
      latestVerifiedAt: "2026-05-01T00:00:00.000Z",
      sourceCount: 2
    },
    deletable: true,
    contentAvailable: true,
    readActions: readActions(page)
  };
}

function readActions(page: Page) {
  const file = `${BASE}/files/${page.id}`;
  return {
    fileDetailById: file,
    fileContentById: `${file}/content`,
    fileContentByPath: `${BASE}/files/content?path=${encodeURIComponent(page.path)}`,
    relatedFilesById: `${file}/related`,
    graphExpansionByFileId: `${BASE}/graph/expand?fileId=${page.id}`,
    sourceFileStatusById: `${BASE}/source-files/${page.id}`
  };
}

function tree({ directory, pages }: Group) {
  const items = pages.map((page) => ({
    activeContentRevision: REVISION,
    id: page.id,
    fileId: page.id,
    sourceFileId: page.id,
    directoryId: null,
    parentPath: directory,
    name: page.path.slice(directory.length + 1),
    path: page.path,
    sortKey: `${page.path}:${page.id}`,
    entryType: "file",
    fileKind: "page",
    directEntryCount: 0,
    directDirectoryCount: 0,
    directFileCount: 0,
    descendantFileCount: 0,
    resourceRevision: 1,
    deletable: true,
    contentAvailable: true,
    readActions: readActions(page)
  }));
  return { activeContentRevision: REVISION, items, nextCursor: null };
}

function relation(from: Page, to: Page) {
  return {
    activeContentRevision: REVISION,
    fileId: to.id,
    sourceFileId: to.id,
    path: to.path,
    title: to.title,
    relationType: "references",
    direction: "outgoing",
    reason: `${from.title} links to ${to.title}.`,
    fromFileId: from.id,
    relationshipDepth: 1,
    contentAvailable: true,
    readActions: readActions(to)
  };
}

function related(group: Group, hit: Page) {
  const items = group.relatedTo(hit).map((page) => relation(hit, page));
  return { activeContentRevision: REVISION, fileId: hit.id, sourceFileId: hit.id, items, nextCursor: null };
}

function search(group: Group) {
  const items = group.hits.map((hit, rank) => {
    const { contentType: _1, sizeBytes: _2, okfType: _3, deletable: _4, ...file } = detail(hit);
    const relationships = group.relatedTo(hit).map((page) => relation(hit, page));
    return {
      ...file,
      matchedFields: ["content", "graph_node"],
      evidenceTypes: ["content", "graph_node"],
      sourceExcerpt: `${hit.content.slice(0, 380)} <em>subject</em>`,
      score: 1 / (61 + rank),
      matchType: "hybrid",
      graphContext: {
        graphRef: `_graph/by-file/${hit.path.slice("pages/".length).replace(/\.md$/, "")}.json`,
        depth: 1,
        seedSourceFileId: hit.id,
        relationships,
        graphPaths: relationships.map((row) => `${hit.path} -> ${row.path}`)
      }
    };
  });
  return {
    activeContentRevision: REVISION,
    query: { query: group.query, mode: "hybrid", scope: "all", limit: 10, cursorProvided: false },
    items,
    nextCursor: null,
    searchStatus: "ok",
    searchMode: "hybrid",
    semanticStatus: { state: "ready", safeCode: null },
    evidenceStatus: { completedFamilies: ["content_vector", "file_graph", "lexical"], degradedFamilies: [] },
    rerankerStatus: { state: "skipped", safeCode: "RERANKER_DISABLED" },
    graphStatus: "available",
    graphSummary: { available: true, indexedDocumentCount: 3200, indexedRelationshipCount: 3200, depth: 1, fanout: 10 },
    resultSummary: { resultCount: items.length, hasMore: false, meaning: "Results match the knowledge base." }
  };
}
