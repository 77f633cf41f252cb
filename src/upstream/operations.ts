/**
 * The upstream's read operations as one table: where each lives, which query parameters it takes, and the shape of its
 * answer. The client, the embedded upstream's contract suite and the mirror all read this table.
 */
import type * as z from "zod";
import * as wire from "./contract.ts";

/** `search` and `reads` fail apart from each other, so they have circuits of their own. */
export type OperationKind = "search" | "reads";

interface OperationSpec {
  /** The path below the upstream's base URL; `{name}` segments are filled with encoded ids. */
  readonly path: string;
  readonly query: readonly string[];
  readonly kind: OperationKind;
  readonly answer: z.ZodType;
}

const base = "/openapi/v2/knowledge-bases";

export const OPERATIONS = {
  getHealth: { path: "/openapi/v2/health", query: [], kind: "reads", answer: wire.Health },
  getVersion: { path: "/openapi/v2/version", query: [], kind: "reads", answer: wire.Version },
  listKnowledgeBases: { path: base, query: ["limit", "cursor"], kind: "reads", answer: wire.KnowledgeBaseList },
  getKnowledgeBase: { path: `${base}/{knowledgeBaseId}`, query: [], kind: "reads", answer: wire.KnowledgeBaseAnswer },
  listKnowledgeBaseTree: {
    path: `${base}/{knowledgeBaseId}/tree`,
    query: ["parentPath", "entryType", "limit", "cursor"],
    kind: "reads",
    answer: wire.Tree
  },
  getFileById: {
    path: `${base}/{knowledgeBaseId}/files/{fileId}`,
    query: [],
    kind: "reads",
    answer: wire.FileAnswer
  },
  getFileContentById: {
    path: `${base}/{knowledgeBaseId}/files/{fileId}/content`,
    query: [],
    kind: "reads",
    answer: wire.FileContent
  },
  getFileContentByPath: {
    path: `${base}/{knowledgeBaseId}/files/content`,
    query: ["path"],
    kind: "reads",
    answer: wire.FileContent
  },
  searchGeneratedFiles: {
    path: `${base}/{knowledgeBaseId}/files/search`,
    query: [
      "query",
      "mode",
      "scope",
      "fileKind",
      "graphDepth",
      "graphFanout",
      "okfStatus",
      "okfTrustTier",
      "okfFreshness",
      "rerank",
      "rerankTopK",
      "rerankScoreThreshold",
      "limit",
      "cursor"
    ],
    kind: "search",
    answer: wire.Search
  },
  listRelatedFiles: {
    path: `${base}/{knowledgeBaseId}/files/{fileId}/related`,
    query: ["limit", "cursor"],
    kind: "reads",
    answer: wire.Related
  },
  expandGraph: {
    path: `${base}/{knowledgeBaseId}/graph/expand`,
    query: ["fileId", "depth", "fanout", "limit", "cursor"],
    kind: "reads",
    answer: wire.GraphExpansion
  },
  getGraphOverview: {
    path: `${base}/{knowledgeBaseId}/graph/overview`,
    query: [],
    kind: "reads",
    answer: wire.GraphOverview
  }
} as const satisfies Record<string, OperationSpec>;

export type Operation = keyof typeof OPERATIONS;
export type AnswerOf<O extends Operation> = z.infer<(typeof OPERATIONS)[O]["answer"]>;

/** What an operation is asked: ids for the path, and query parameters as they go on the wire, absent ones left out. */
export interface OperationInput {
  readonly ids?: { readonly knowledgeBaseId?: string; readonly fileId?: string };
  readonly query?: Readonly<Record<string, string>>;
  /** ExtraParameters beside `query`, sent after it as they are: those a caller repeated, or that no operation knows. */
  readonly extra?: ExtraParameters;
}

/** Query parameters as names and decoded values, in the caller's order. */
export type ExtraParameters = readonly (readonly [name: string, value: string])[];
