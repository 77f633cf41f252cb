/** The six operations as GraphQL asks them, and queries that go through many of them at once. */
import type { Operation } from "./caller.ts";

interface GraphQLQuestion {
  readonly query: string;
  /** The field whose connection is walked; null where there is one thing only. */
  readonly list: "tree" | "search" | "related" | "expand" | null;
}

const PAGE = "pageInfo { hasNextPage endCursor startCursor }";
const RELATION =
  "relationType direction weight reason depth from { fileId } file { id fileId path title name readActions { fileContentByPath relatedFilesById } }";

export const GRAPHQL: Readonly<Record<Operation, GraphQLQuestion>> = {
  list_tree: {
    list: "tree",
    query: `query ($key: String!, $parentPath: String, $first: Int, $after: String) { knowledgeBase(key: $key) {
      tree(parentPath: $parentPath, first: $first, after: $after) { activeContentRevision ${PAGE} edges { cursor node {
        __typename path name parentPath
        ... on File { id fileId sourceFileId fileKind readActions { fileContentByPath } }
        ... on Directory { id directoryId directEntryCount directDirectoryCount directFileCount descendantFileCount }
      } } } } }`
  },
  get_file: {
    list: null,
    query: `query ($key: String!, $by: FileLookup!) { knowledgeBase(key: $key) { file(by: $by) {
      id fileId sourceFileId path name parentPath title description tags frontmatter sizeBytes
      readActions { fileDetailById fileContentById fileContentByPath relatedFilesById graphExpansionByFileId } } } }`
  },
  read_file: {
    list: null,
    query: "query ($key: String!, $by: FileLookup!) { knowledgeBase(key: $key) { file(by: $by) { content } } }"
  },
  search_files: {
    list: "search",
    query: `query ($key: String!, $query: String!, $first: Int, $after: String, $graphDepth: Int, $graphFanout: Int, $fileKind: SearchFileKind) {
      knowledgeBase(key: $key) {
        search(query: $query, first: $first, after: $after, graphDepth: $graphDepth, graphFanout: $graphFanout,
          fileKind: $fileKind) {
          ${PAGE} searchStatus graphSummary resultSummary message nextActions edges { cursor node {
            sourceExcerpt matchType matchedFields evidenceTypes
            file { id fileId path title description tags frontmatter }
            graphContext { graphRef depth graphPaths } } } } } }`
  },
  read_related: {
    list: "related",
    query: `query ($key: String!, $by: FileLookup!, $first: Int, $after: String) { knowledgeBase(key: $key) {
      file(by: $by) { related(first: $first, after: $after) { ${PAGE} message nextActions edges { cursor node { ${RELATION} } } } } } }`
  },
  expand_graph: {
    list: "expand",
    query: `query ($key: String!, $by: FileLookup!, $depth: Int, $fanout: Int, $first: Int, $after: String) {
      knowledgeBase(key: $key) { file(by: $by) {
        expand(depth: $depth, fanout: $fanout, first: $first, after: $after) { ${PAGE} graphPaths resultSummary
          seedFile { id path title } edges { cursor node { ${RELATION} } } } } } }`
  }
};

/** Everything that can be reached from a tree, three reads deep. */
export const NESTED_TREE = `query ($key: String!, $parentPath: String) { knowledgeBase(key: $key) {
  id name description graphOverview { availability summary { readableFileCount relationshipCount }
    resources { graphIndexPath byDirectoryPath byFilePath } readActions }
  tree(parentPath: $parentPath, first: 6) { edges { cursor node { __typename path
    ... on File { fileId title description tags content related(first: 4) { edges { node { reason
      file { path title description content } } } } }
    ... on Directory { descendantFileCount children(first: 6) { edges { cursor node { path name
      ... on File { title content }
      ... on Directory { children(first: 4) { edges { node { path } } } } } } } } } } } } }`;

/** One file, what it is related to, and what those are related to. */
export const NESTED_FILE = `query ($key: String!, $by: FileLookup!) { knowledgeBase(key: $key) { file(by: $by) {
  id path title description content
  related(first: 5) { edges { cursor node { reason from { path title } file { path title description content
    expand(depth: 2, fanout: 25, first: 10) { graphPaths resultSummary seedFile { path } edges { node { reason
      from { path } file { path title related(first: 3) { edges { node { reason file { path } } } } } } } } } } } } } } }`;

/** Search results with all that is told of them. */
export const NESTED_SEARCH = `query ($key: String!, $query: String!, $fileKind: SearchFileKind) { knowledgeBase(key: $key) {
  search(query: $query, first: 20, graphDepth: 2, graphFanout: 25, fileKind: $fileKind) {
    searchStatus graphSummary resultSummary message nextActions edges { cursor node { score sourceExcerpt
      file { id path title description content related(first: 2) { edges { node { file { path } } } } }
      graphContext { graphRef depth graphPaths relationships { reason depth from { path } file { path title description } } }
    } } } } }`;

/** Objects by their node ids. */
export const NODES = `query ($ids: [ID!]!) { nodes(ids: $ids) { id __typename
  ... on KnowledgeBase { key name description }
  ... on File { path title description content related(first: 3) { edges { node { file { path } } } } }
  ... on Directory { path name descendantFileCount children(first: 10) { edges { node { path } } } } } }`;

/** The same as a supergraph's router asks for them. */
export const ENTITIES = `query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename
  ... on KnowledgeBase { id key name description }
  ... on File { id path title description content related(first: 3) { edges { node { file { path } } } } } } }`;

/** Every knowledge base. */
export const KNOWLEDGE_BASES = `{ viewer { tenant subject grants { knowledgeBase operations hasPathRules } }
  knowledgeBases { edges { cursor node { id key name description
    search(query: "shared", first: 5) { edges { node { file { path } sourceExcerpt } } } } } } }`;

/** One search through everything. */
export const FEDERATED_SEARCH = `query ($query: String!) { search(query: $query, first: 50, graphDepth: 2, graphFanout: 25) {
  edges { cursor node { sourceExcerpt knowledgeBase { key name } file { id path title description content }
    graphContext { graphRef graphPaths relationships { reason from { path } file { path title } } } } }
  sources { knowledgeBase { key } searchStatus resultCount error { code message } } } }`;
