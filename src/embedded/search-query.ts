/** The search operation's parameters, checked. */

import { OKF_FRESHNESS, OKF_STATUSES, OKF_TRUST_TIERS } from "./okf.ts";
import type { Parameters } from "./parameters.ts";
import { MAX_DEPTH, MAX_FANOUT } from "./reach.ts";
import { type GatewayError, invalidCode } from "./refusals.ts";

/** Characters as people count them. */
const MIN_CHARACTERS = 2;
const MAX_CHARACTERS = 512;
/** In UTF-8: four bytes for each character, which an emoji made of several can pass. */
const MAX_BYTES = 2_048;
const MAX_RESULTS = 50;
const RERANK_TOP_K = { fallback: 30, max: 50 };
const RERANK_THRESHOLD = 0.35;

const characters = new Intl.Segmenter(undefined, { granularity: "grapheme" });

const SCOPES = ["all", "path", "metadata"] as const;
const MODES = ["hybrid", "file", "graph"] as const;
const FILE_KINDS = ["page", "all"] as const;

/** As the answer repeats it, in the order of its fields. */
export interface SearchQuery {
  readonly query: string;
  readonly normalizedQuery: string;
  readonly scope: (typeof SCOPES)[number];
  readonly fileKind: (typeof FILE_KINDS)[number];
  readonly mode: (typeof MODES)[number];
  readonly graphDepth: number;
  readonly graphFanout: number;
  readonly okfStatus: string | null;
  readonly okfTrustTier: string | null;
  readonly okfFreshness: string | null;
  readonly limit: number;
  readonly rerank: boolean;
  readonly rerankTopK: number | null;
  readonly rerankScoreThreshold: number | null;
  readonly cursorProvided: boolean;
}

/** @throws GatewayError VALIDATION_ERROR whose `details.code` names what is wrong */
export function readSearchQuery(parameters: Parameters): SearchQuery {
  const query = questionOf(parameters.raw("query") ?? "");
  const scope = closed(parameters, "scope", SCOPES, "INVALID_FILE_SEARCH_SCOPE") ?? "all";
  const fileKind = closed(parameters, "fileKind", FILE_KINDS, "INVALID_FILE_SEARCH_KIND") ?? "page";
  const mode = closed(parameters, "mode", MODES, "INVALID_FILE_SEARCH_MODE") ?? "hybrid";
  const graphDepth = range(parameters, "graphDepth", 1, MAX_DEPTH, "INVALID_FILE_SEARCH_GRAPH_DEPTH");
  const graphFanout = range(parameters, "graphFanout", 10, MAX_FANOUT, "INVALID_FILE_SEARCH_GRAPH_FANOUT");
  const okfStatus = closed(parameters, "okfStatus", OKF_STATUSES, "INVALID_FILE_SEARCH_OKF_STATUS");
  const okfTrustTier = closed(parameters, "okfTrustTier", OKF_TRUST_TIERS, "INVALID_FILE_SEARCH_OKF_TRUST_TIER");
  const okfFreshness = closed(parameters, "okfFreshness", OKF_FRESHNESS, "INVALID_FILE_SEARCH_OKF_FRESHNESS");
  const limit = parameters.integer("limit", 10, 1, MAX_RESULTS);
  if (limit === null) throw invalidCode("INVALID_FILE_SEARCH_LIMIT", `limit must be from 1 to ${MAX_RESULTS}.`);
  return {
    query,
    normalizedQuery: query,
    scope,
    fileKind,
    mode,
    graphDepth,
    graphFanout,
    okfStatus,
    okfTrustTier,
    okfFreshness,
    limit,
    ...rerankControls(parameters, limit),
    cursorProvided: parameters.text("cursor") !== null
  };
}

/** Without space around it, and with one blank for each run of it; a tab is space, any other control is refused. */
function questionOf(written: string): string {
  const trimmed = written.trim();
  if (trimmed === "") throw invalidCode("FILE_SEARCH_QUERY_REQUIRED", "query holds what to search for.");
  if (/(?!\t)\p{Cc}/u.test(trimmed)) {
    throw invalidCode("INVALID_FILE_SEARCH_QUERY", "query may not hold line breaks or other control characters.");
  }
  const query = trimmed.replace(/\s+/g, " ").normalize("NFC");
  const bytes = Buffer.byteLength(query);
  const length = bytes > MAX_BYTES ? Number.POSITIVE_INFINITY : [...characters.segment(query)].length;
  if (length < MIN_CHARACTERS) {
    throw invalidCode("FILE_SEARCH_QUERY_TOO_SHORT", `query must have at least ${MIN_CHARACTERS} characters.`);
  }
  if (length > MAX_CHARACTERS) {
    throw invalidCode(
      "FILE_SEARCH_QUERY_TOO_LONG",
      `query may have at most ${MAX_CHARACTERS} characters and ${MAX_BYTES} bytes.`
    );
  }
  return query;
}

function rerankControls(parameters: Parameters, limit: number) {
  const rerank = closed(parameters, "rerank", ["true", "false"], RERANK_CODE) === "true";
  if (!rerank) {
    if (parameters.text("rerankTopK") !== null || parameters.text("rerankScoreThreshold") !== null) {
      throw invalidRerank("rerankTopK and rerankScoreThreshold need rerank=true.");
    }
    return { rerank, rerankTopK: null, rerankScoreThreshold: null };
  }
  const rerankTopK = parameters.integer("rerankTopK", Math.max(RERANK_TOP_K.fallback, limit), limit, RERANK_TOP_K.max);
  if (rerankTopK === null) throw invalidRerank(`rerankTopK must be from limit (${limit}) to ${RERANK_TOP_K.max}.`);
  const rerankScoreThreshold = parameters.number("rerankScoreThreshold", RERANK_THRESHOLD, 0, 1);
  if (rerankScoreThreshold === null) throw invalidRerank("rerankScoreThreshold must be from 0 to 1.");
  return { rerank, rerankTopK, rerankScoreThreshold };
}

const RERANK_CODE = "INVALID_FILE_SEARCH_RERANK_CONTROLS";

function invalidRerank(message: string): GatewayError {
  return invalidCode(RERANK_CODE, message);
}

function closed<T extends string>(parameters: Parameters, name: string, values: readonly T[], code: string): T | null {
  const value = parameters.oneOf(name, values);
  if (value === undefined) throw invalidCode(code, `${name} must be one of ${values.join(", ")}.`);
  return value;
}

function range(parameters: Parameters, name: string, fallback: number, max: number, code: string): number {
  const value = parameters.integer(name, fallback, 0, max);
  if (value === null) throw invalidCode(code, `${name} must be a whole number from 0 to ${max}.`);
  return value;
}
