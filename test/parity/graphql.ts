/** The reads as GraphQL asks for them; its answers are brought into the form that REST gives them. */
import type { TestAnswer } from "../harness/gateway.ts";
import type { Args, Form } from "./surfaces.ts";

type Json = ReturnType<typeof JSON.parse>;

const VARIABLES: Readonly<Record<keyof Args, string>> = {
  knowledgeBase: "String!",
  fileId: "String!",
  path: "String!",
  parentPath: "String",
  entryType: "TreeEntryType",
  query: "String!",
  mode: "SearchMode",
  graphDepth: "Int",
  rerank: "RerankInput",
  depth: "Int",
  fanout: "Int",
  limit: "Int",
  cursor: "String"
};

/** Those whose values GraphQL writes in capitals. */
const ENUMS: readonly string[] = ["entryType", "mode"];

/**
 * @param document selections of the query, in which `$` and an argument's name stand for its value
 * @param shape from the answer's `data` to REST's body
 */
function graphql(document: string, shape: (data: Json) => unknown, absent?: (data: Json) => boolean): Form {
  const used = Object.entries(VARIABLES).filter(([name]) => new RegExp(`\\$${name}\\b`).test(document));
  const query = `query (${used.map(([name, type]) => `$${name}: ${type}`).join(", ")}) { ${document} }`;
  return {
    ask(gateway, args, token) {
      const values: Readonly<Record<string, unknown>> = { knowledgeBase: "handbook", ...args };
      const given = used.map(([name]) => [name, variable(name, values[name] ?? null)]);
      return gateway.graphql(query, Object.fromEntries(given), { ...(token && { token }) });
    },
    body: ({ body }) => shape(body.data),
    ...(absent && { absent: ({ body }: TestAnswer) => absent(body.data) })
  };
}

function variable(name: string, value: unknown): unknown {
  if (name === "rerank") return value === true ? {} : null;
  return typeof value === "string" && ENUMS.includes(name) ? value.toUpperCase() : value;
}

const inKnowledgeBase = (document: string) => `knowledgeBase(key: $knowledgeBase) { ${document} }`;
const noKnowledgeBase = (data: Json) => data.knowledgeBase === null;
const noFile = (data: Json) => noKnowledgeBase(data) || data.knowledgeBase.file === null;

const PAGE = "pageInfo { hasNextPage endCursor }";
const page = "first: $limit, after: $cursor";

/** The page as REST shows it. */
function listed({ edges, pageInfo, ...rest }: Json, rows: "items" | "relationships", toRow: (node: Json) => object) {
  return {
    ...rest,
    [rows]: edges.map(({ node }: { node: Json }) => toRow(node)),
    // Of a page that nothing was asked for, the place is not known.
    nextCursor: pageInfo.hasNextPage ? (pageInfo.endCursor ?? "") : null
  };
}

const FILE = `fileId sourceFileId path title description tags frontmatter fileKind contentType sizeBytes okfType
  okfSignals { effectiveStatus trustTier isStale staleAfter generatedAt generatedAtSource latestVerifiedAt sourceCount }
  contentAvailable activeContentRevision
  readActions { fileDetailById fileContentById fileContentByPath relatedFilesById graphExpansionByFileId sourceFileStatusById }`;

const RELATION = `relationType direction weight reason relationshipDepth: depth from { fileId }
  file { fileId sourceFileId path title contentAvailable readActions { fileContentById graphExpansionByFileId } }`;

const relation = ({ from, file, ...row }: Json) => ({ ...row, ...file, fromFileId: from?.fileId ?? null });

export const knowledgeBases = graphql(
  `knowledgeBases(${page}) { edges { node { knowledgeBaseId name description activeContentRevision updatedAt } } ${PAGE} }`,
  (data) => listed(data.knowledgeBases, "items", (node) => node)
);

export const knowledgeBase = graphql(
  inKnowledgeBase("knowledgeBaseId name description activeContentRevision createdAt updatedAt"),
  (data) => data.knowledgeBase,
  noKnowledgeBase
);

export const tree = graphql(
  inKnowledgeBase(`tree(parentPath: $parentPath, entryType: $entryType, ${page}) { activeContentRevision ${PAGE}
    edges { node { __typename path name
      ... on File { fileId sourceFileId fileKind contentAvailable readActions { fileContentByPath } }
      ... on Directory { descendantFileCount } } } }`),
  (data) =>
    listed(data.knowledgeBase.tree, "items", ({ __typename, ...node }) => ({
      ...node,
      entryType: __typename.toLowerCase()
    })),
  noKnowledgeBase
);

export const file = graphql(
  inKnowledgeBase(`file(by: { fileId: $fileId }) { ${FILE} }`),
  (data) => data.knowledgeBase.file,
  noFile
);

const withContent = ({ content, ...metadata }: Json) => ({ content, file: metadata });

/** REST's answer holds the metadata too: the same read where it succeeds, reads of their own where the content fails. */
export const contentById = graphql(
  inKnowledgeBase(`file(by: { fileId: $fileId }) { content ${FILE} }`),
  (data) => withContent(data.knowledgeBase.file),
  noFile
);
export const contentByPath = graphql(
  inKnowledgeBase(`file(by: { path: $path }) { content ${FILE} }`),
  (data) => withContent(data.knowledgeBase.file),
  noFile
);
export const textById = graphql(
  inKnowledgeBase("file(by: { fileId: $fileId }) { content }"),
  (data) => withContent(data.knowledgeBase.file),
  noFile
);
export const textByPath = graphql(
  inKnowledgeBase("file(by: { path: $path }) { content }"),
  (data) => withContent(data.knowledgeBase.file),
  noFile
);

export const search = graphql(
  inKnowledgeBase(`search(query: $query, mode: $mode, graphDepth: $graphDepth, rerank: $rerank, ${page}) { activeContentRevision ${PAGE}
    searchStatus searchMode semanticStatus { state safeCode } evidenceStatus { completedFamilies degradedFamilies }
    rerankerStatus { state safeCode } graphStatus message nextActions
    edges { node { score matchType matchedFields evidenceTypes sourceExcerpt graphContext { graphRef }
      file { fileId sourceFileId path title description contentAvailable readActions { fileContentById } } } } }`),
  (data) =>
    listed(data.knowledgeBase.search, "items", ({ file, graphContext, ...hit }) => ({
      ...hit,
      ...file,
      graphRef: graphContext?.graphRef ?? null
    })),
  noKnowledgeBase
);

export const related = graphql(
  inKnowledgeBase(`file(by: { fileId: $fileId }) { related(${page}) { activeContentRevision
    message nextActions ${PAGE} edges { node { ${RELATION} } } } }`),
  ({ knowledgeBase: { file } }) => listed(file.related, "items", relation),
  noFile
);

export const expansion = graphql(
  inKnowledgeBase(`file(by: { fileId: $fileId }) { expand(depth: $depth, fanout: $fanout, ${page}) { activeContentRevision
    seedFile { fileId sourceFileId path title } graphPaths resultSummary ${PAGE} edges { node { ${RELATION} } } } }`),
  ({ knowledgeBase: { file } }) => listed(file.expand, "relationships", relation),
  noFile
);

export const overview = graphql(
  inKnowledgeBase(`graphOverview { activeContentRevision availability summary { readableFileCount relationshipCount }
    resources { graphIndexPath byDirectoryPath byFilePath } readActions }`),
  (data) => data.knowledgeBase.graphOverview,
  noKnowledgeBase
);
