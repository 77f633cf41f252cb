/** The gateway's own words for what the upstream refuses: the argument, its limit, and the way out. */
import type { Operation } from "./operations.ts";

/** The argument that a refusal is about, and what to tell the caller. */
export interface Explanation {
  readonly field: string;
  readonly message: string;
}

/** By `details.code`, which search and expansion send in place of a field. */
const BY_CODE: Readonly<Record<string, Explanation>> = {
  FILE_SEARCH_QUERY_REQUIRED: explain("query", "query is required. Send the complete question as text."),
  FILE_SEARCH_QUERY_TOO_SHORT: explain("query", "query must have at least 2 characters. Send a longer one."),
  FILE_SEARCH_QUERY_TOO_LONG: explain("query", "query must have at most 512 characters. Send a shorter one."),
  INVALID_FILE_SEARCH_QUERY: explain("query", "query must be one line without control characters. Remove them."),
  INVALID_FILE_SEARCH_MODE: explain("mode", "mode must be hybrid, file or graph. Leave it out for hybrid."),
  INVALID_FILE_SEARCH_SCOPE: explain("scope", "scope must be all, path or metadata. Leave it out for all."),
  INVALID_FILE_SEARCH_KIND: explain("fileKind", "fileKind must be page or all. Leave it out for page."),
  INVALID_FILE_SEARCH_GRAPH_DEPTH: explain("graphDepth", "graphDepth must be 0, 1 or 2. Leave it out for 1."),
  INVALID_FILE_SEARCH_GRAPH_FANOUT: explain(
    "graphFanout",
    "graphFanout must be a whole number from 0 to 25. Leave it out for 10."
  ),
  INVALID_FILE_SEARCH_OKF_STATUS: explain("okfStatus", "okfStatus must be draft, stable or deprecated, or left out."),
  INVALID_FILE_SEARCH_OKF_TRUST_TIER: explain(
    "okfTrustTier",
    "okfTrustTier must be unverified, machine-confirmed or human-reviewed, or left out."
  ),
  INVALID_FILE_SEARCH_OKF_FRESHNESS: explain("okfFreshness", "okfFreshness must be fresh or stale, or left out."),
  INVALID_FILE_SEARCH_LIMIT: explain("limit", limitMessage(50)),
  INVALID_FILE_SEARCH_RERANK_CONTROLS: explain(
    "rerank",
    "rerankTopK (at least limit, at most 50) and rerankScoreThreshold (0 to 1) go only with rerank true. Leave them out."
  ),
  GRAPH_EXPANSION_FILE_ID_REQUIRED: explain("fileId", "fileId is required. Use one from a listing or a search."),
  INVALID_GRAPH_EXPANSION_DEPTH: explain("depth", "depth must be 0, 1 or 2. Leave it out for 1."),
  INVALID_GRAPH_EXPANSION_FANOUT: explain("fanout", "fanout must be a whole number from 0 to 25. Leave it out for 10.")
};

/** By `details.field`. */
const BY_FIELD: Readonly<Record<string, string>> = {
  cursor: "cursor does not fit this request or has expired. Start again without it.",
  limit: limitMessage(200),
  path: "path must name a file below pages, _index or _graph, or index.md or log.md, as a listing gives it.",
  parentPath:
    "parentPath must be a directory as a listing gives it, without slashes at its ends. Leave it out for the root.",
  query: "query is not supported here. Use search."
};

const ENTRY_TYPE = explain("entryType", "entryType must be file or directory. Leave it out for both.");

/**
 * What a VALIDATION_ERROR of the upstream means to a caller.
 * @returns undefined where the refusal names nothing that is known
 */
export function explainRefusal(
  operation: Operation,
  details: Readonly<Record<string, unknown>>
): Explanation | undefined {
  const { code, field, allowedValues } = details;
  if (typeof code === "string") return BY_CODE[code];
  if (typeof field === "string") {
    const message = operation === "listKnowledgeBaseTree" && field === "limit" ? limitMessage(500) : BY_FIELD[field];
    return { field, message: message ?? `${field} is not valid. Correct it or leave it out.` };
  }
  return operation === "listKnowledgeBaseTree" && Array.isArray(allowedValues) ? ENTRY_TYPE : undefined;
}

/** A deployment may set lower maxima than the documented ones, and does not say which. */
function limitMessage(maximum: number): string {
  return `limit must be a whole number from 1 to ${maximum}; this knowledge service may take less. Send a smaller one.`;
}

function explain(field: string, message: string): Explanation {
  return { field, message };
}
