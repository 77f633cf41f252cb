/* eslint-disable */
import * as types from './graphql.ts';



/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "query BrowseTree($key: String!, $parentPath: String, $first: Int, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    tree(parentPath: $parentPath, first: $first, after: $after) {\n      activeContentRevision\n      edges {\n        node {\n          __typename\n          path\n          name\n          ... on Directory {\n            id\n            descendantFileCount\n          }\n          ... on File {\n            id\n            fileId\n            contentAvailable\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": typeof types.BrowseTreeDocument,
    "query ExpandGraph($key: String!, $fileId: String!, $depth: Int, $fanout: Int, $first: Int, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    file(by: {fileId: $fileId}) {\n      expand(depth: $depth, fanout: $fanout, first: $first, after: $after) {\n        activeContentRevision\n        seedFile {\n          fileId\n          title\n        }\n        edges {\n          node {\n            relationType\n            direction\n            depth\n            from {\n              fileId\n            }\n            file {\n              fileId\n              path\n              title\n            }\n          }\n        }\n        resultSummary\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n}": typeof types.ExpandGraphDocument,
    "fragment FileFields on File {\n  id\n  fileId\n  path\n  title\n  tags\n}": typeof types.FileFieldsFragmentDoc,
    "query GraphOverview($key: String!) {\n  knowledgeBase(key: $key) {\n    id\n    graphOverview {\n      availability\n      summary {\n        readableFileCount\n        relationshipCount\n      }\n    }\n  }\n}": typeof types.GraphOverviewDocument,
    "query ListKnowledgeBases($first: Int, $after: String) {\n  knowledgeBases(first: $first, after: $after) {\n    edges {\n      node {\n        id\n        key\n        name\n        description\n        activeContentRevision\n        updatedAt\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}": typeof types.ListKnowledgeBasesDocument,
    "query ListTitles($key: String!, $parentPath: String, $first: Int = 50, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    tree(parentPath: $parentPath, entryType: FILE, first: $first, after: $after) {\n      edges {\n        node {\n          path\n          ... on File {\n            ...FileFields\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": typeof types.ListTitlesDocument,
    "query OpenResults($key: String!, $query: String!, $first: Int = 3) {\n  knowledgeBase(key: $key) {\n    id\n    search(query: $query, first: $first) {\n      searchStatus\n      edges {\n        node {\n          score\n          file {\n            path\n            title\n            content\n          }\n        }\n      }\n    }\n  }\n}": typeof types.OpenResultsDocument,
    "query ReadFile($key: String!, $by: FileLookup!) {\n  knowledgeBase(key: $key) {\n    id\n    file(by: $by) {\n      ...FileFields\n      description\n      frontmatter\n      okfSignals {\n        effectiveStatus\n        trustTier\n        isStale\n      }\n      content\n    }\n  }\n}": typeof types.ReadFileDocument,
    "query Refetch($ids: [ID!]!) {\n  nodes(ids: $ids) {\n    __typename\n    id\n    ... on KnowledgeBase {\n      key\n      name\n    }\n    ... on Directory {\n      path\n    }\n    ... on File {\n      ...FileFields\n    }\n  }\n}": typeof types.RefetchDocument,
    "query RelatedFiles($key: String!, $fileId: String!, $first: Int, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    file(by: {fileId: $fileId}) {\n      related(first: $first, after: $after) {\n        edges {\n          node {\n            relationType\n            direction\n            reason\n            file {\n              id\n              fileId\n              path\n              title\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n}": typeof types.RelatedFilesDocument,
    "query SearchEverywhere($query: String!, $knowledgeBases: [String!], $first: Int, $after: String) {\n  search(\n    query: $query\n    knowledgeBases: $knowledgeBases\n    first: $first\n    after: $after\n  ) {\n    edges {\n      node {\n        knowledgeBase {\n          key\n        }\n        file {\n          id\n          path\n          title\n        }\n        sourceExcerpt\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    sources {\n      knowledgeBase {\n        key\n      }\n      searchStatus\n      activeContentRevision\n      resultCount\n      error {\n        code\n        retryAfterSeconds\n      }\n    }\n  }\n}": typeof types.SearchEverywhereDocument,
    "query SearchFiles($key: String!, $query: String!, $first: Int, $after: String, $mode: SearchMode, $scope: SearchScope, $okf: OkfFilter) {\n  knowledgeBase(key: $key) {\n    id\n    search(\n      query: $query\n      first: $first\n      after: $after\n      mode: $mode\n      scope: $scope\n      okf: $okf\n    ) {\n      searchStatus\n      searchMode\n      evidenceStatus {\n        degradedFamilies\n      }\n      message\n      edges {\n        cursor\n        node {\n          score\n          matchType\n          sourceExcerpt\n          file {\n            ...FileFields\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": typeof types.SearchFilesDocument,
    "query Viewer {\n  viewer {\n    tenant\n    subject\n    limits {\n      pageSize\n      queryDepth\n      queryComplexity\n      requestsPerMinute\n    }\n    grants {\n      knowledgeBase\n      operations\n      hasPathRules\n    }\n  }\n}": typeof types.ViewerDocument,
};
const documents: Documents = {
    "query BrowseTree($key: String!, $parentPath: String, $first: Int, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    tree(parentPath: $parentPath, first: $first, after: $after) {\n      activeContentRevision\n      edges {\n        node {\n          __typename\n          path\n          name\n          ... on Directory {\n            id\n            descendantFileCount\n          }\n          ... on File {\n            id\n            fileId\n            contentAvailable\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": types.BrowseTreeDocument,
    "query ExpandGraph($key: String!, $fileId: String!, $depth: Int, $fanout: Int, $first: Int, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    file(by: {fileId: $fileId}) {\n      expand(depth: $depth, fanout: $fanout, first: $first, after: $after) {\n        activeContentRevision\n        seedFile {\n          fileId\n          title\n        }\n        edges {\n          node {\n            relationType\n            direction\n            depth\n            from {\n              fileId\n            }\n            file {\n              fileId\n              path\n              title\n            }\n          }\n        }\n        resultSummary\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n}": types.ExpandGraphDocument,
    "fragment FileFields on File {\n  id\n  fileId\n  path\n  title\n  tags\n}": types.FileFieldsFragmentDoc,
    "query GraphOverview($key: String!) {\n  knowledgeBase(key: $key) {\n    id\n    graphOverview {\n      availability\n      summary {\n        readableFileCount\n        relationshipCount\n      }\n    }\n  }\n}": types.GraphOverviewDocument,
    "query ListKnowledgeBases($first: Int, $after: String) {\n  knowledgeBases(first: $first, after: $after) {\n    edges {\n      node {\n        id\n        key\n        name\n        description\n        activeContentRevision\n        updatedAt\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}": types.ListKnowledgeBasesDocument,
    "query ListTitles($key: String!, $parentPath: String, $first: Int = 50, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    tree(parentPath: $parentPath, entryType: FILE, first: $first, after: $after) {\n      edges {\n        node {\n          path\n          ... on File {\n            ...FileFields\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": types.ListTitlesDocument,
    "query OpenResults($key: String!, $query: String!, $first: Int = 3) {\n  knowledgeBase(key: $key) {\n    id\n    search(query: $query, first: $first) {\n      searchStatus\n      edges {\n        node {\n          score\n          file {\n            path\n            title\n            content\n          }\n        }\n      }\n    }\n  }\n}": types.OpenResultsDocument,
    "query ReadFile($key: String!, $by: FileLookup!) {\n  knowledgeBase(key: $key) {\n    id\n    file(by: $by) {\n      ...FileFields\n      description\n      frontmatter\n      okfSignals {\n        effectiveStatus\n        trustTier\n        isStale\n      }\n      content\n    }\n  }\n}": types.ReadFileDocument,
    "query Refetch($ids: [ID!]!) {\n  nodes(ids: $ids) {\n    __typename\n    id\n    ... on KnowledgeBase {\n      key\n      name\n    }\n    ... on Directory {\n      path\n    }\n    ... on File {\n      ...FileFields\n    }\n  }\n}": types.RefetchDocument,
    "query RelatedFiles($key: String!, $fileId: String!, $first: Int, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    file(by: {fileId: $fileId}) {\n      related(first: $first, after: $after) {\n        edges {\n          node {\n            relationType\n            direction\n            reason\n            file {\n              id\n              fileId\n              path\n              title\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n}": types.RelatedFilesDocument,
    "query SearchEverywhere($query: String!, $knowledgeBases: [String!], $first: Int, $after: String) {\n  search(\n    query: $query\n    knowledgeBases: $knowledgeBases\n    first: $first\n    after: $after\n  ) {\n    edges {\n      node {\n        knowledgeBase {\n          key\n        }\n        file {\n          id\n          path\n          title\n        }\n        sourceExcerpt\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    sources {\n      knowledgeBase {\n        key\n      }\n      searchStatus\n      activeContentRevision\n      resultCount\n      error {\n        code\n        retryAfterSeconds\n      }\n    }\n  }\n}": types.SearchEverywhereDocument,
    "query SearchFiles($key: String!, $query: String!, $first: Int, $after: String, $mode: SearchMode, $scope: SearchScope, $okf: OkfFilter) {\n  knowledgeBase(key: $key) {\n    id\n    search(\n      query: $query\n      first: $first\n      after: $after\n      mode: $mode\n      scope: $scope\n      okf: $okf\n    ) {\n      searchStatus\n      searchMode\n      evidenceStatus {\n        degradedFamilies\n      }\n      message\n      edges {\n        cursor\n        node {\n          score\n          matchType\n          sourceExcerpt\n          file {\n            ...FileFields\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}": types.SearchFilesDocument,
    "query Viewer {\n  viewer {\n    tenant\n    subject\n    limits {\n      pageSize\n      queryDepth\n      queryComplexity\n      requestsPerMinute\n    }\n    grants {\n      knowledgeBase\n      operations\n      hasPathRules\n    }\n  }\n}": types.ViewerDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query BrowseTree($key: String!, $parentPath: String, $first: Int, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    tree(parentPath: $parentPath, first: $first, after: $after) {\n      activeContentRevision\n      edges {\n        node {\n          __typename\n          path\n          name\n          ... on Directory {\n            id\n            descendantFileCount\n          }\n          ... on File {\n            id\n            fileId\n            contentAvailable\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}"): typeof import('./graphql.ts').BrowseTreeDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ExpandGraph($key: String!, $fileId: String!, $depth: Int, $fanout: Int, $first: Int, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    file(by: {fileId: $fileId}) {\n      expand(depth: $depth, fanout: $fanout, first: $first, after: $after) {\n        activeContentRevision\n        seedFile {\n          fileId\n          title\n        }\n        edges {\n          node {\n            relationType\n            direction\n            depth\n            from {\n              fileId\n            }\n            file {\n              fileId\n              path\n              title\n            }\n          }\n        }\n        resultSummary\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n}"): typeof import('./graphql.ts').ExpandGraphDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "fragment FileFields on File {\n  id\n  fileId\n  path\n  title\n  tags\n}"): typeof import('./graphql.ts').FileFieldsFragmentDoc;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query GraphOverview($key: String!) {\n  knowledgeBase(key: $key) {\n    id\n    graphOverview {\n      availability\n      summary {\n        readableFileCount\n        relationshipCount\n      }\n    }\n  }\n}"): typeof import('./graphql.ts').GraphOverviewDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ListKnowledgeBases($first: Int, $after: String) {\n  knowledgeBases(first: $first, after: $after) {\n    edges {\n      node {\n        id\n        key\n        name\n        description\n        activeContentRevision\n        updatedAt\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n  }\n}"): typeof import('./graphql.ts').ListKnowledgeBasesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ListTitles($key: String!, $parentPath: String, $first: Int = 50, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    tree(parentPath: $parentPath, entryType: FILE, first: $first, after: $after) {\n      edges {\n        node {\n          path\n          ... on File {\n            ...FileFields\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}"): typeof import('./graphql.ts').ListTitlesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query OpenResults($key: String!, $query: String!, $first: Int = 3) {\n  knowledgeBase(key: $key) {\n    id\n    search(query: $query, first: $first) {\n      searchStatus\n      edges {\n        node {\n          score\n          file {\n            path\n            title\n            content\n          }\n        }\n      }\n    }\n  }\n}"): typeof import('./graphql.ts').OpenResultsDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ReadFile($key: String!, $by: FileLookup!) {\n  knowledgeBase(key: $key) {\n    id\n    file(by: $by) {\n      ...FileFields\n      description\n      frontmatter\n      okfSignals {\n        effectiveStatus\n        trustTier\n        isStale\n      }\n      content\n    }\n  }\n}"): typeof import('./graphql.ts').ReadFileDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Refetch($ids: [ID!]!) {\n  nodes(ids: $ids) {\n    __typename\n    id\n    ... on KnowledgeBase {\n      key\n      name\n    }\n    ... on Directory {\n      path\n    }\n    ... on File {\n      ...FileFields\n    }\n  }\n}"): typeof import('./graphql.ts').RefetchDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query RelatedFiles($key: String!, $fileId: String!, $first: Int, $after: String) {\n  knowledgeBase(key: $key) {\n    id\n    file(by: {fileId: $fileId}) {\n      related(first: $first, after: $after) {\n        edges {\n          node {\n            relationType\n            direction\n            reason\n            file {\n              id\n              fileId\n              path\n              title\n            }\n          }\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n}"): typeof import('./graphql.ts').RelatedFilesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SearchEverywhere($query: String!, $knowledgeBases: [String!], $first: Int, $after: String) {\n  search(\n    query: $query\n    knowledgeBases: $knowledgeBases\n    first: $first\n    after: $after\n  ) {\n    edges {\n      node {\n        knowledgeBase {\n          key\n        }\n        file {\n          id\n          path\n          title\n        }\n        sourceExcerpt\n      }\n    }\n    pageInfo {\n      hasNextPage\n      endCursor\n    }\n    sources {\n      knowledgeBase {\n        key\n      }\n      searchStatus\n      activeContentRevision\n      resultCount\n      error {\n        code\n        retryAfterSeconds\n      }\n    }\n  }\n}"): typeof import('./graphql.ts').SearchEverywhereDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query SearchFiles($key: String!, $query: String!, $first: Int, $after: String, $mode: SearchMode, $scope: SearchScope, $okf: OkfFilter) {\n  knowledgeBase(key: $key) {\n    id\n    search(\n      query: $query\n      first: $first\n      after: $after\n      mode: $mode\n      scope: $scope\n      okf: $okf\n    ) {\n      searchStatus\n      searchMode\n      evidenceStatus {\n        degradedFamilies\n      }\n      message\n      edges {\n        cursor\n        node {\n          score\n          matchType\n          sourceExcerpt\n          file {\n            ...FileFields\n          }\n        }\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n}"): typeof import('./graphql.ts').SearchFilesDocument;
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Viewer {\n  viewer {\n    tenant\n    subject\n    limits {\n      pageSize\n      queryDepth\n      queryComplexity\n      requestsPerMinute\n    }\n    grants {\n      knowledgeBase\n      operations\n      hasPathRules\n    }\n  }\n}"): typeof import('./graphql.ts').ViewerDocument;


export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}
