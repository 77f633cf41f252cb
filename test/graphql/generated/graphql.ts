/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** One file: by its id, or by its path. */
export type FileLookup =
  {   /** The knowledge service's id of it. */
  fileId: string; path?: never; }
  |  { fileId?: never;   /** The path from the root, without a leading slash. */
  path: string; };

/** Only pages of this standing. What is left out does not filter. */
export type OkfFilter = {
  /** Only fresh or only stale pages. */
  freshness?: OkfFreshness | null | undefined;
  /** Only pages of this status. */
  status?: OkfStatus | null | undefined;
  /** Only pages that this tier vouches for. */
  trustTier?: OkfTrustTier | null | undefined;
};

/** Whether a page's staleAfter has passed. */
export type OkfFreshness =
  /** Not yet. */
  | 'FRESH'
  /** It has. */
  | 'STALE';

/** A page's status. */
export type OkfStatus =
  /** No longer in force. */
  | 'DEPRECATED'
  /** Being written. */
  | 'DRAFT'
  /** In force. */
  | 'STABLE';

/** Who vouches for a page. */
export type OkfTrustTier =
  /** A person reviewed it. */
  | 'HUMAN_REVIEWED'
  /** A machine confirmed it. */
  | 'MACHINE_CONFIRMED'
  /** Nobody yet. */
  | 'UNVERIFIED';

/** What a grant can open. */
export type Operation =
  /** The graph: expansion, contexts of results, overview. */
  | 'EXPAND_GRAPH'
  /** The detail of files. */
  | 'GET_FILE'
  /** The tree, and directories. */
  | 'LIST_TREE'
  /** The content of files. */
  | 'READ_FILE'
  /** Related files. */
  | 'READ_RELATED'
  /** Search. */
  | 'SEARCH_FILES';

/** What is searched for evidence. */
export type SearchMode =
  /** Files alone, without the graph. */
  | 'FILE'
  /** The graph alone. */
  | 'GRAPH'
  /** Text, meaning and graph together. The default. */
  | 'HYBRID';

/** Which parts of a file are searched. */
export type SearchScope =
  /** Everything. The default. */
  | 'ALL'
  /** Titles, descriptions, tags and other metadata. */
  | 'METADATA'
  /** Paths. */
  | 'PATH';

export type BrowseTreeQueryVariables = Exact<{
  key: string;
  parentPath?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type BrowseTreeQuery = { knowledgeBase: { id: string, tree: { activeContentRevision: number | null, edges: Array<{ node:
          | { __typename: 'Directory', id: string, descendantFileCount: number | null, path: string, name: string }
          | { __typename: 'File', id: string, fileId: string, contentAvailable: boolean | null, path: string, name: string }
         | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type ExpandGraphQueryVariables = Exact<{
  key: string;
  fileId: string;
  depth?: number | null | undefined;
  fanout?: number | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ExpandGraphQuery = { knowledgeBase: { id: string, file: { expand: { activeContentRevision: number | null, resultSummary: unknown, seedFile: { fileId: string, title: string | null } | null, edges: Array<{ node: { relationType: string, direction: string, depth: number, from: { fileId: string } | null, file: { fileId: string, path: string, title: string | null } } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null } | null };

export type FileFieldsFragment = { id: string, fileId: string, path: string, title: string | null, tags: Array<string> | null };

export type GraphOverviewQueryVariables = Exact<{
  key: string;
}>;


export type GraphOverviewQuery = { knowledgeBase: { id: string, graphOverview: { availability: string | null, summary: { readableFileCount: number | null, relationshipCount: number | null } | null } | null } | null };

export type ListKnowledgeBasesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ListKnowledgeBasesQuery = { knowledgeBases: { edges: Array<{ node: { id: string, key: string, name: string, description: string | null, activeContentRevision: number | null, updatedAt: string } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type ListTitlesQueryVariables = Exact<{
  key: string;
  parentPath?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ListTitlesQuery = { knowledgeBase: { id: string, tree: { edges: Array<{ node:
          | { path: string }
          | { path: string, id: string, fileId: string, title: string | null, tags: Array<string> | null }
         | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type OpenResultsQueryVariables = Exact<{
  key: string;
  query: string;
  first?: number | null | undefined;
}>;


export type OpenResultsQuery = { knowledgeBase: { id: string, search: { searchStatus: string | null, edges: Array<{ node: { score: number | null, file: { path: string, title: string | null, content: string | null } } | null }> } } | null };

export type ReadFileQueryVariables = Exact<{
  key: string;
  by: FileLookup;
}>;


export type ReadFileQuery = { knowledgeBase: { id: string, file: { description: string | null, frontmatter: unknown, content: string | null, id: string, fileId: string, path: string, title: string | null, tags: Array<string> | null, okfSignals: { effectiveStatus: string | null, trustTier: string | null, isStale: boolean | null } | null } | null } | null };

export type RefetchQueryVariables = Exact<{
  ids: Array<string> | string;
}>;


export type RefetchQuery = { nodes: Array<
    | { __typename: 'Directory', path: string, id: string }
    | { __typename: 'File', id: string, fileId: string, path: string, title: string | null, tags: Array<string> | null }
    | { __typename: 'KnowledgeBase', key: string, name: string, id: string }
   | null> };

export type RelatedFilesQueryVariables = Exact<{
  key: string;
  fileId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type RelatedFilesQuery = { knowledgeBase: { id: string, file: { related: { edges: Array<{ node: { relationType: string, direction: string, reason: string | null, file: { id: string, fileId: string, path: string, title: string | null } } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null } | null };

export type SearchEverywhereQueryVariables = Exact<{
  query: string;
  knowledgeBases?: Array<string> | string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type SearchEverywhereQuery = { search: { edges: Array<{ node: { sourceExcerpt: string | null, knowledgeBase: { key: string }, file: { id: string, path: string, title: string | null } } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null }, sources: Array<{ searchStatus: string | null, activeContentRevision: number | null, resultCount: number | null, knowledgeBase: { key: string }, error: { code: string, retryAfterSeconds: number | null } | null }> } };

export type SearchFilesQueryVariables = Exact<{
  key: string;
  query: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  mode?: SearchMode | null | undefined;
  scope?: SearchScope | null | undefined;
  okf?: OkfFilter | null | undefined;
}>;


export type SearchFilesQuery = { knowledgeBase: { id: string, search: { searchStatus: string | null, searchMode: string | null, message: string | null, evidenceStatus: { degradedFamilies: Array<string> | null } | null, edges: Array<{ cursor: string, node: { score: number | null, matchType: string | null, sourceExcerpt: string | null, file: { id: string, fileId: string, path: string, title: string | null, tags: Array<string> | null } } | null }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } } | null };

export type ViewerQueryVariables = Exact<{ [key: string]: never; }>;


export type ViewerQuery = { viewer: { tenant: string, subject: string, limits: { pageSize: number, queryDepth: number, queryComplexity: number, requestsPerMinute: number }, grants: Array<{ knowledgeBase: string | null, operations: Array<Operation>, hasPathRules: boolean }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const FileFieldsFragmentDoc = new TypedDocumentString(`
    fragment FileFields on File {
  id
  fileId
  path
  title
  tags
}
    `, {"fragmentName":"FileFields"}) as unknown as TypedDocumentString<FileFieldsFragment, unknown>;
export const BrowseTreeDocument = new TypedDocumentString(`
    query BrowseTree($key: String!, $parentPath: String, $first: Int, $after: String) {
  knowledgeBase(key: $key) {
    id
    tree(parentPath: $parentPath, first: $first, after: $after) {
      activeContentRevision
      edges {
        node {
          __typename
          path
          name
          ... on Directory {
            id
            descendantFileCount
          }
          ... on File {
            id
            fileId
            contentAvailable
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    `) as unknown as TypedDocumentString<BrowseTreeQuery, BrowseTreeQueryVariables>;
export const ExpandGraphDocument = new TypedDocumentString(`
    query ExpandGraph($key: String!, $fileId: String!, $depth: Int, $fanout: Int, $first: Int, $after: String) {
  knowledgeBase(key: $key) {
    id
    file(by: {fileId: $fileId}) {
      expand(depth: $depth, fanout: $fanout, first: $first, after: $after) {
        activeContentRevision
        seedFile {
          fileId
          title
        }
        edges {
          node {
            relationType
            direction
            depth
            from {
              fileId
            }
            file {
              fileId
              path
              title
            }
          }
        }
        resultSummary
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ExpandGraphQuery, ExpandGraphQueryVariables>;
export const GraphOverviewDocument = new TypedDocumentString(`
    query GraphOverview($key: String!) {
  knowledgeBase(key: $key) {
    id
    graphOverview {
      availability
      summary {
        readableFileCount
        relationshipCount
      }
    }
  }
}
    `) as unknown as TypedDocumentString<GraphOverviewQuery, GraphOverviewQueryVariables>;
export const ListKnowledgeBasesDocument = new TypedDocumentString(`
    query ListKnowledgeBases($first: Int, $after: String) {
  knowledgeBases(first: $first, after: $after) {
    edges {
      node {
        id
        key
        name
        description
        activeContentRevision
        updatedAt
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
  }
}
    `) as unknown as TypedDocumentString<ListKnowledgeBasesQuery, ListKnowledgeBasesQueryVariables>;
export const ListTitlesDocument = new TypedDocumentString(`
    query ListTitles($key: String!, $parentPath: String, $first: Int = 50, $after: String) {
  knowledgeBase(key: $key) {
    id
    tree(parentPath: $parentPath, entryType: FILE, first: $first, after: $after) {
      edges {
        node {
          path
          ... on File {
            ...FileFields
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment FileFields on File {
  id
  fileId
  path
  title
  tags
}`) as unknown as TypedDocumentString<ListTitlesQuery, ListTitlesQueryVariables>;
export const OpenResultsDocument = new TypedDocumentString(`
    query OpenResults($key: String!, $query: String!, $first: Int = 3) {
  knowledgeBase(key: $key) {
    id
    search(query: $query, first: $first) {
      searchStatus
      edges {
        node {
          score
          file {
            path
            title
            content
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OpenResultsQuery, OpenResultsQueryVariables>;
export const ReadFileDocument = new TypedDocumentString(`
    query ReadFile($key: String!, $by: FileLookup!) {
  knowledgeBase(key: $key) {
    id
    file(by: $by) {
      ...FileFields
      description
      frontmatter
      okfSignals {
        effectiveStatus
        trustTier
        isStale
      }
      content
    }
  }
}
    fragment FileFields on File {
  id
  fileId
  path
  title
  tags
}`) as unknown as TypedDocumentString<ReadFileQuery, ReadFileQueryVariables>;
export const RefetchDocument = new TypedDocumentString(`
    query Refetch($ids: [ID!]!) {
  nodes(ids: $ids) {
    __typename
    id
    ... on KnowledgeBase {
      key
      name
    }
    ... on Directory {
      path
    }
    ... on File {
      ...FileFields
    }
  }
}
    fragment FileFields on File {
  id
  fileId
  path
  title
  tags
}`) as unknown as TypedDocumentString<RefetchQuery, RefetchQueryVariables>;
export const RelatedFilesDocument = new TypedDocumentString(`
    query RelatedFiles($key: String!, $fileId: String!, $first: Int, $after: String) {
  knowledgeBase(key: $key) {
    id
    file(by: {fileId: $fileId}) {
      related(first: $first, after: $after) {
        edges {
          node {
            relationType
            direction
            reason
            file {
              id
              fileId
              path
              title
            }
          }
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RelatedFilesQuery, RelatedFilesQueryVariables>;
export const SearchEverywhereDocument = new TypedDocumentString(`
    query SearchEverywhere($query: String!, $knowledgeBases: [String!], $first: Int, $after: String) {
  search(
    query: $query
    knowledgeBases: $knowledgeBases
    first: $first
    after: $after
  ) {
    edges {
      node {
        knowledgeBase {
          key
        }
        file {
          id
          path
          title
        }
        sourceExcerpt
      }
    }
    pageInfo {
      hasNextPage
      endCursor
    }
    sources {
      knowledgeBase {
        key
      }
      searchStatus
      activeContentRevision
      resultCount
      error {
        code
        retryAfterSeconds
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SearchEverywhereQuery, SearchEverywhereQueryVariables>;
export const SearchFilesDocument = new TypedDocumentString(`
    query SearchFiles($key: String!, $query: String!, $first: Int, $after: String, $mode: SearchMode, $scope: SearchScope, $okf: OkfFilter) {
  knowledgeBase(key: $key) {
    id
    search(
      query: $query
      first: $first
      after: $after
      mode: $mode
      scope: $scope
      okf: $okf
    ) {
      searchStatus
      searchMode
      evidenceStatus {
        degradedFamilies
      }
      message
      edges {
        cursor
        node {
          score
          matchType
          sourceExcerpt
          file {
            ...FileFields
          }
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
}
    fragment FileFields on File {
  id
  fileId
  path
  title
  tags
}`) as unknown as TypedDocumentString<SearchFilesQuery, SearchFilesQueryVariables>;
export const ViewerDocument = new TypedDocumentString(`
    query Viewer {
  viewer {
    tenant
    subject
    limits {
      pageSize
      queryDepth
      queryComplexity
      requestsPerMinute
    }
    grants {
      knowledgeBase
      operations
      hasPathRules
    }
  }
}
    `) as unknown as TypedDocumentString<ViewerQuery, ViewerQueryVariables>;