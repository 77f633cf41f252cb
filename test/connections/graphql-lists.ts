/** The lists as GraphQL asks for them. */
import type { Arguments, List } from "./surfaces.ts";

interface ListQuery {
  readonly query: string;
  /** From the tools' spelling. */
  variables(args: Arguments): Readonly<Record<string, unknown>>;
}

/** One edge of any of the lists. */
interface Edge {
  readonly cursor: string;
  readonly node: { readonly path?: string; readonly file?: { readonly path: string } };
}

interface Connection {
  readonly edges: readonly Edge[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly startCursor: string | null; readonly endCursor: string };
}

const PAGE = "pageInfo { hasNextPage startCursor endCursor } activeContentRevision";

/** An enum's value, as GraphQL spells it. */
const upper = (value: unknown) => String(value).replaceAll("-", "_").toUpperCase();
const enums = (args: Arguments, names: readonly string[]) =>
  Object.fromEntries(Object.entries(args).map(([name, value]) => [name, names.includes(name) ? upper(value) : value]));

export const CONNECTIONS: Readonly<Record<List, ListQuery>> = {
  tree: {
    query: `query ($key: String!, $parentPath: String, $entryType: TreeEntryType, $first: Int, $after: String) {
      knowledgeBase(key: $key) { tree(parentPath: $parentPath, entryType: $entryType, first: $first, after: $after) {
        edges { cursor node { path } } ${PAGE} } } }`,
    variables: (args) => enums(args, ["entryType"])
  },
  search: {
    query: `query ($key: String!, $query: String!, $mode: SearchMode, $scope: SearchScope, $fileKind: SearchFileKind,
        $graphDepth: Int, $graphFanout: Int, $okf: OkfFilter, $rerank: RerankInput, $first: Int, $after: String) {
      knowledgeBase(key: $key) { search(query: $query, mode: $mode, scope: $scope, fileKind: $fileKind,
        graphDepth: $graphDepth, graphFanout: $graphFanout, okf: $okf, rerank: $rerank, first: $first, after: $after) {
          edges { cursor node { file { path } } } ${PAGE} searchStatus resultSummary graphSummary } } }`,
    variables({ okfStatus, okfTrustTier, okfFreshness, rerank, rerankTopK, rerankScoreThreshold, ...args }) {
      const standing = { status: okfStatus, trustTier: okfTrustTier, freshness: okfFreshness };
      const okf = Object.entries(standing).filter(([, value]) => value !== undefined);
      return {
        ...enums(args, ["mode", "scope", "fileKind"]),
        ...(okf.length === 0 ? {} : { okf: Object.fromEntries(okf.map(([name, value]) => [name, upper(value)])) }),
        ...(rerank === true ? { rerank: { topK: rerankTopK, scoreThreshold: rerankScoreThreshold } } : {})
      };
    }
  },
  related: {
    query: `query ($key: String!, $fileId: String!, $first: Int, $after: String) {
      knowledgeBase(key: $key) { file(by: { fileId: $fileId }) { related(first: $first, after: $after) {
        edges { cursor node { file { path } } } ${PAGE} } } } }`,
    variables: (args) => args
  },
  expand: {
    query: `query ($key: String!, $fileId: String!, $depth: Int, $fanout: Int, $first: Int, $after: String) {
      knowledgeBase(key: $key) { file(by: { fileId: $fileId }) {
        expand(depth: $depth, fanout: $fanout, first: $first, after: $after) {
          edges { cursor node { file { path } } } ${PAGE} graphPaths resultSummary } } } }`,
    variables: (args) => args
  }
};

/** The connection of an answer to one of the queries; null where it was refused. */
export function connectionOf(data: unknown): Connection | null {
  if (typeof data !== "object" || data === null) return null;
  if ("edges" in data) return data as Connection;
  return connectionOf(Object.values(data)[0]);
}
