/** Every read operation: which surfaces have it, and what of its answer all of them carry. */
import type { Operation } from "../../src/upstream/operations.ts";
import { agent, type Forms, flat, mirror, NO_AGENT_ROUTE, NO_TOOL, tool } from "./forms.ts";
import * as graphql from "./graphql.ts";
import { type Form, mcp } from "./surfaces.ts";

export interface Read {
  /** The upstream's operation, which is also what the audit log names. */
  readonly operation: Operation;
  readonly forms: Forms;
  /** Null where the answer is one object and not a list. */
  readonly rows: "items" | "relationships" | null;
  /** What is compared of a row, or of the one object; a field that an answer lacks is as good as null. */
  readonly fields: readonly string[];
  /** What is compared of a list's answer beside its rows. */
  readonly pageFields?: readonly string[];
}

const FILE = [
  "fileId",
  "sourceFileId",
  "path",
  "title",
  "description",
  "tags",
  "frontmatter",
  "fileKind",
  "contentType",
  "sizeBytes",
  "okfType",
  "okfSignals",
  "contentAvailable",
  "activeContentRevision",
  "readActions"
];
const RELATION = [
  "fileId",
  "sourceFileId",
  "path",
  "title",
  "relationType",
  "direction",
  "weight",
  "reason",
  "fromFileId",
  "relationshipDepth",
  "contentAvailable",
  "readActions.fileContentById"
];
const CONTENT = ["content", ...FILE.map((name) => `file.${name}`)];
const PAGED = ["limit", "cursor"] as const;
const SEARCH = ["query", "mode", "graphDepth", "rerank", ...PAGED] as const;

/** A content without its metadata, as GraphQL asks for it where the content is what fails. */
const text = (form: Form, read: Read): Read => ({
  ...read,
  forms: { ...read.forms, graphql: form },
  fields: ["content"]
});

const contentById: Read = {
  operation: "getFileContentById",
  forms: {
    graphql: graphql.contentById,
    ...agent("files/{fileId}/content", []),
    ...mirror("/{kb}/files/{fileId}/content", []),
    ...tool("read_file")
  },
  rows: null,
  fields: CONTENT
};

const contentByPath: Read = {
  operation: "getFileContentByPath",
  forms: {
    graphql: graphql.contentByPath,
    ...agent("files/content", ["path"]),
    ...mirror("/{kb}/files/content", ["path"]),
    ...tool("read_file")
  },
  rows: null,
  fields: CONTENT
};

export const READS = {
  knowledgeBases: {
    operation: "listKnowledgeBases",
    forms: {
      graphql: graphql.knowledgeBases,
      agent: NO_AGENT_ROUTE,
      compact: NO_AGENT_ROUTE,
      tool: NO_AGENT_ROUTE,
      ...mirror("", PAGED),
      mcp: mcp("list_knowledge_bases", ({ limit, cursor }) => ({ limit, cursor }))
    },
    rows: "items",
    fields: ["knowledgeBaseId", "name", "description", "activeContentRevision", "updatedAt"]
  },
  knowledgeBase: {
    operation: "getKnowledgeBase",
    forms: {
      graphql: graphql.knowledgeBase,
      agent: NO_AGENT_ROUTE,
      compact: NO_AGENT_ROUTE,
      ...mirror("/{kb}", [], flat("knowledgeBase")),
      ...NO_TOOL
    },
    rows: null,
    fields: ["knowledgeBaseId", "name", "description", "activeContentRevision", "createdAt", "updatedAt"]
  },
  tree: {
    operation: "listKnowledgeBaseTree",
    forms: {
      graphql: graphql.tree,
      ...agent("tree", ["parentPath", "entryType", ...PAGED]),
      ...mirror("/{kb}/tree", ["parentPath", "entryType", ...PAGED]),
      ...tool("list_tree")
    },
    rows: "items",
    fields: ["entryType", "path", "name", "fileId", "sourceFileId", "fileKind", "readActions.fileContentByPath"],
    pageFields: ["activeContentRevision"]
  },
  file: {
    operation: "getFileById",
    forms: {
      graphql: graphql.file,
      ...agent("files/{fileId}", []),
      ...mirror("/{kb}/files/{fileId}", [], flat("file")),
      ...tool("get_file")
    },
    rows: null,
    fields: FILE
  },
  contentById,
  contentByPath,
  textById: text(graphql.textById, contentById),
  textByPath: text(graphql.textByPath, contentByPath),
  search: {
    operation: "searchGeneratedFiles",
    forms: {
      graphql: graphql.search,
      ...agent("search", SEARCH),
      ...mirror("/{kb}/files/search", SEARCH),
      ...tool("search_files")
    },
    rows: "items",
    fields: [
      "fileId",
      "sourceFileId",
      "path",
      "title",
      "description",
      "score",
      "matchType",
      "matchedFields",
      "evidenceTypes",
      "sourceExcerpt",
      "contentAvailable",
      "graphRef",
      "readActions.fileContentById"
    ],
    pageFields: [
      "activeContentRevision",
      "searchStatus",
      "searchMode",
      "semanticStatus",
      "evidenceStatus",
      "rerankerStatus",
      "graphStatus",
      "message",
      "nextActions"
    ]
  },
  related: {
    operation: "listRelatedFiles",
    forms: {
      graphql: graphql.related,
      ...agent("files/{fileId}/related", PAGED),
      ...mirror("/{kb}/files/{fileId}/related", PAGED),
      ...tool("read_related")
    },
    rows: "items",
    fields: RELATION,
    pageFields: ["activeContentRevision", "message", "nextActions"]
  },
  expansion: {
    operation: "expandGraph",
    forms: {
      graphql: graphql.expansion,
      ...agent("graph/expand", ["fileId", "depth", "fanout", ...PAGED]),
      ...mirror("/{kb}/graph/expand", ["fileId", "depth", "fanout", ...PAGED]),
      ...tool("expand_graph")
    },
    rows: "relationships",
    fields: [...RELATION, "readActions.graphExpansionByFileId"],
    pageFields: [
      "activeContentRevision",
      "seedFile.fileId",
      "seedFile.sourceFileId",
      "seedFile.path",
      "seedFile.title",
      "graphPaths",
      "resultSummary"
    ]
  },
  overview: {
    operation: "getGraphOverview",
    forms: {
      graphql: graphql.overview,
      ...agent("graph/overview", [], false),
      ...mirror("/{kb}/graph/overview", []),
      ...NO_TOOL
    },
    rows: null,
    fields: ["activeContentRevision", "availability", "summary", "resources", "readActions"]
  }
} as const satisfies Readonly<Record<string, Read>>;

export type ReadName = keyof typeof READS;
