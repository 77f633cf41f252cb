/**
 * The one read path, as every surface sees it: a reader that is already bound to the caller.
 *
 * No surface knows an upstream, a cache or a policy: it asks here, and renders. Wire shapes are re-exported so that
 * surfaces need not import the upstream's room. Source: docs/invariants.md 1.
 */
import type { GatewayError } from "../errors.ts";
import type { Limits, OperationName } from "../policy/access.ts";
import type {
  FileContent,
  GeneratedFile,
  GraphExpansion,
  GraphOverview,
  KnowledgeBase,
  KnowledgeBaseList,
  Related,
  RelatedFile,
  Search,
  SearchHit,
  Tree,
  TreeEntry
} from "../upstream/contract.ts";

import type { ExtraParameters } from "../upstream/operations.ts";

export type { Limits, OperationName } from "../policy/access.ts";
export { OPERATION_NAMES } from "../policy/access.ts";
export type {
  FileContent,
  GeneratedFile,
  GraphContext,
  GraphExpansion,
  GraphOverview,
  KnowledgeBase,
  KnowledgeBaseList,
  OkfSignals,
  ReadActions,
  Related,
  RelatedFile,
  Search,
  SearchHit,
  Tree,
  TreeEntry
} from "../upstream/contract.ts";
export type { ExtraParameters } from "../upstream/operations.ts";

export type Surface = "graphql" | "agent" | "mirror" | "mcp";

/** What a page is asked with. */
export interface PageInput {
  /** How many items: 0 to the list's maximum; undefined is the reader's default for the list. */
  readonly first?: number | undefined;
  /** A cursor that this gateway sealed; null, undefined and "" are the first page. */
  readonly after?: string | null | undefined;
  /** The argument names in the caller's words, for error details: `first` and `after` where left out. */
  readonly names?: { readonly first: string; readonly after: string };
  /**
   * The caller's own query parameters (first value of each), for the mirror: where nothing is hidden from the caller,
   * they go to the upstream as they are, and its defaults, limits and refusals apply.
   */
  readonly verbatim?: Readonly<Record<string, string>>;
  /** The caller's other parameters, unknown or repeated, which go along with `verbatim`. */
  readonly extra?: ExtraParameters;
}

/** One page of a list, after policy. */
export interface Page<Row, Body> {
  /**
   * The upstream's answer as policy leaves it, `rows` in place and `nextCursor` null; null where nothing was asked
   * (`first: 0`). Summaries and counts are the visible ones.
   */
  readonly body: Body | null;
  readonly rows: readonly Row[];
  /** True when another visible item exists or, where finding out would pass a bound, when the upstream has more. */
  readonly hasNextPage: boolean;
  /** The content revision that all rows belong to; null for a knowledge base without content, and for knowledge bases. */
  readonly revision: number | null;
  /** The cursor of `rows[index]`. Sealed when asked for. */
  cursor(index: number): string;
  /** The last row's cursor; on an empty page the position reached, or null where there is none. */
  endCursor(): string | null;
  /** REST's `nextCursor`: null at the end, else where the next page starts. */
  nextCursor(): string | null;
}

export interface TreeArgs {
  /** Undefined is the root. Passed to the upstream in NFC. */
  readonly parentPath?: string | undefined;
  readonly entryType?: string | undefined;
}

export interface SearchArgs {
  readonly query: string;
  readonly mode?: string | undefined;
  readonly scope?: string | undefined;
  readonly fileKind?: string | undefined;
  readonly graphDepth?: number | undefined;
  readonly graphFanout?: number | undefined;
  readonly okfStatus?: string | undefined;
  readonly okfTrustTier?: string | undefined;
  readonly okfFreshness?: string | undefined;
  readonly rerank?: boolean | undefined;
  readonly rerankTopK?: number | undefined;
  readonly rerankScoreThreshold?: number | undefined;
}

export interface ExpandArgs {
  readonly fileId: string;
  readonly depth?: number | undefined;
  readonly fanout?: number | undefined;
}

export type FileLookup = { readonly fileId: string } | { readonly path: string };

/** A knowledge base with the key under which this gateway serves it. */
export interface KnowledgeBaseItem {
  readonly key: string;
  readonly knowledgeBase: KnowledgeBase;
}

export interface FederatedSearchArgs extends SearchArgs {
  /** Keys or ids, at most the tenant's `searchSources`. Undefined: all that the caller may search. */
  readonly knowledgeBases?: readonly string[] | undefined;
}

/** A hit, with the knowledge base that it is in. Its score compares with others of that knowledge base only. */
export interface FederatedHit {
  readonly knowledgeBase: KnowledgeBaseReader;
  readonly hit: SearchHit;
  /** The content revision of the hit's page. */
  readonly revision: number | null;
}

/** How the search of one knowledge base went. What is null is not known, because it failed. */
export interface SearchSource {
  readonly knowledgeBase: KnowledgeBaseReader;
  /** `no_candidates` where nothing was found in the whole walk so far, else the knowledge service's own word. */
  readonly searchStatus: string | null;
  readonly activeContentRevision: number | null;
  /** How many items of this page are from it. */
  readonly resultCount: number | null;
  readonly error: GatewayError | null;
}

/** A page of one search over several knowledge bases, which have no one body and no one revision. */
export interface FederatedPage extends Page<FederatedHit, never> {
  /** Every knowledge base of the walk, by key; none where nothing was asked (`first: 0`). */
  readonly sources: readonly SearchSource[];
}

export interface ViewerGrant {
  /** A knowledge base's key; null for every knowledge base of an upstream. */
  readonly knowledgeBase: string | null;
  readonly operations: readonly OperationName[];
  readonly hasPathRules: boolean;
}

export interface Viewer {
  readonly tenant: string;
  readonly subject: string;
  readonly limits: Limits;
  readonly grants: readonly ViewerGrant[];
}

/** What is held comes at once, everything else later. */
export type Awaitable<T> = T | Promise<T>;

/**
 * Reads of one knowledge base. Every method throws GatewayError: NOT_FOUND for what is hidden, absent or not granted
 * (always the same), FORBIDDEN for an operation the caller lacks here, VALIDATION_ERROR for arguments, and what the
 * upstream brings. Equal reads in one request are one upstream call.
 */
export interface KnowledgeBaseReader {
  readonly key: string;
  readonly id: string;
  /** Whether the caller has the operation here; asking costs nothing. */
  may(operation: OperationName): boolean;
  /** Throws FORBIDDEN unless the caller has the operation here. */
  require(operation: OperationName): void;
  /** Needs no operation: that a granted knowledge base exists may be seen. */
  detail(): Promise<KnowledgeBase>;
  /** list_tree. At most 500 a page, default 50. */
  tree(args: TreeArgs, page: PageInput): Promise<Page<TreeEntry, Tree>>;
  /** list_tree. The tree entry of one directory, found through its parent's listing. */
  directory(path: string): Promise<TreeEntry>;
  /** get_file. At once where it is held: a page of fifty files waits for nothing when nothing has changed. */
  file(fileId: string): Awaitable<GeneratedFile>;
  /** get_file. By path there is only content upstream, so this reads it, and keeps it for `content`. */
  fileByPath(path: string): Promise<GeneratedFile>;
  /** read_file. PAYLOAD_TOO_LARGE above the tenant's `contentBytes`. */
  content(lookup: FileLookup): Promise<FileContent>;
  /** search_files. At most 50 a page, default 10. */
  search(args: SearchArgs, page: PageInput): Promise<Page<SearchHit, Search>>;
  /** read_related. At most 200 a page, default 20. */
  related(fileId: string, page: PageInput): Promise<Page<RelatedFile, Related>>;
  /** expand_graph. At most 200 a page, default 20. */
  expand(args: ExpandArgs, page: PageInput): Promise<Page<RelatedFile, GraphExpansion>>;
  /** expand_graph. NOT_FOUND for a knowledge base without content. */
  overview(): Promise<GraphOverview>;
}

/** Reads for one HTTP request of one caller. */
export interface Reader {
  readonly requestId: string;
  readonly viewer: Viewer;
  /** Every granted knowledge base. At most 200 a page, default 50. */
  knowledgeBases(page: PageInput): Promise<Page<KnowledgeBaseItem, KnowledgeBaseList>>;
  /** By slug or upstream id. NOT_FOUND where it is not granted, without an upstream call. */
  knowledgeBase(key: string): Promise<KnowledgeBaseReader>;
  /** The caller's only knowledge base; VALIDATION_ERROR naming the choices (`details.allowedValues`) where more are granted. */
  onlyKnowledgeBase(): Promise<KnowledgeBaseReader>;
  /** The caller's only knowledge base; null where more are granted. NOT_FOUND where none is. */
  soleKnowledgeBase(): Promise<KnowledgeBaseReader | null>;
  /**
   * search_files. One search over several knowledge bases, side by side, merged by reciprocal rank; at most 50 a page,
   * default 10. One that fails is an entry of `sources`, and takes nothing from the others. NOT_FOUND for a named one
   * that is not granted or does not exist; FORBIDDEN where none may be searched; VALIDATION_ERROR where there are too
   * many; and a refusal that all of them share.
   */
  search(args: FederatedSearchArgs, page: PageInput): Promise<FederatedPage>;
  /** The first granted upstream's health, for the mirror. */
  health(): Promise<object>;
  version(): Promise<object>;
  /**
   * To be told by the surface of each error that its answer shows, once: reads that failed and were not shown are none,
   * and refusals that needed no read are.
   * @param code of the closed table, or one of GraphQL's own
   */
  noteError(code: string): void;
}
