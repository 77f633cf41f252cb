/** Search in one knowledge base. docs/invariants.md 2, 3 and 5. */
import { GatewayError, invalid } from "../errors.ts";
import type { OperationName } from "../policy/access.ts";
import type { Search, SearchHit } from "../upstream/contract.ts";
import type { Binding } from "./binding.ts";
import { checkBounds } from "./bounds.ts";
import type { Reading } from "./budget.ts";
import type { CursorScope } from "./cursor.ts";
import { provenFile, provesText } from "./files.ts";
import { showOwnEvidence } from "./hit-evidence.ts";
import { extraOf, ofRange, pageParameters, readList, type Shown } from "./list.ts";
import { LISTS } from "./lists.ts";
import type { Page, PageInput, SearchArgs } from "./types.ts";
import { sees, showRow } from "./visibility.ts";
import { type Lookup, showGraphContext } from "./visible-graph.ts";

const OPERATION = "searchGeneratedFiles";
/** Above this no query is valid, and its URL would not fit the upstream's header limit. */
const MAX_QUERY_BYTES = 4096;

/** The upstream's defaults, so that a question has one cursor however much of it was written out. */
const DEFAULTS = { mode: "hybrid", scope: "all", fileKind: "page", graphDepth: 1, graphFanout: 10, rerank: false };

const NOTHING_FOUND = {
  message: "No visible file matched this query. Other words, titles or paths may find it.",
  nextActions: ["Search again with other or fewer words.", "List the tree to see which files there are."]
};

export function search(binding: Binding, args: SearchArgs, page: PageInput): Promise<Page<SearchHit, Search>> {
  return binding.call(OPERATION, "search_files", null, (reading) => {
    check(binding, args, page);
    const restricted = binding.access.restricted("search_files");
    return readList(
      { cursors: binding.cursors, pageSize: binding.request.limits.pageSize },
      {
        list: LISTS.search,
        operation: OPERATION,
        scope: binding.scope(OPERATION, questionOf(args)),
        restricted,
        learned: binding.learned(OPERATION),
        rerankTopK: args.rerank ? args.rerankTopK : undefined,
        revision: (fresh) => binding.revision(reading, fresh),
        fetch: async (cursor, limit, revision, verbatim) => {
          const query = { ...(verbatim?.query ?? strings(args)), ...pageParameters(cursor, limit) };
          const body = await binding.read(OPERATION, { query, ...extraOf(verbatim) }, reading, revision);
          return { body, rows: body.items, next: body.nextCursor, label: body.activeContentRevision };
        },
        show: (hits, _body, range) =>
          ofRange(hits, range, (part) => Promise.all(part.map((hit) => showHit(binding, hit, reading)))),
        identity: (hit) => hit.fileId,
        finish: (shown) => finish(shown, restricted)
      },
      page
    );
  });
}

async function showHit(binding: Binding, hit: SearchHit, reading: Reading): Promise<SearchHit | null> {
  if (!sees(binding.access, hit, "search_files") || !(await provesText(binding, hit, reading))) return null;
  const own = binding.access.restricted("search_files") ? showOwnEvidence(hit) : hit;
  if (own === null) return null;
  const shown = showRow(binding.access, own);
  if (!hit.graphContext) return shown;
  const graphContext = await showGraphContext(binding.access, hit, hit.graphContext, (operation) =>
    lookupOf(binding, operation, reading)
  );
  return graphContext === null ? null : { ...shown, graphContext };
}

/** Whether a file may be seen that a relation starts at but that the answer does not hold. */
export function lookupOf(binding: Binding, operation: OperationName, reading: Reading): Lookup {
  return async (fileId) => {
    try {
      await provenFile(binding, fileId, operation, reading);
      return true;
    } catch (error) {
      if (error instanceof GatewayError && error.code === "NOT_FOUND") return false;
      throw error;
    }
  };
}

function finish(
  { rows, bodies, hasNextPage, revision, first, resumed, untouched }: Shown<SearchHit, Search>,
  restricted: boolean
): Search {
  const label = revision === 0 ? null : revision;
  const body: Search = bodies[0] ?? { activeContentRevision: label, items: [], nextCursor: null };
  const page = { ...body, items: [...rows], nextCursor: null };
  if (untouched || (bodies.length === 0 && !restricted)) return page;
  const summed = {
    ...page,
    ...("query" in page ? { query: { ...(page.query as object), limit: first, cursorProvided: resumed } } : {}),
    resultSummary: { ...body.resultSummary, resultCount: rows.length, hasMore: hasNextPage }
  };
  if (!restricted) return summed;
  // What the engine says of itself stands; what it says of the hits would tell of hidden ones.
  const found = rows.length > 0 || hasNextPage || resumed;
  return {
    ...summed,
    searchStatus: found ? "ok" : "no_candidates",
    rerankerStatus: null,
    graphSummary: null,
    resultSummary: { resultCount: rows.length, hasMore: hasNextPage },
    message: found ? null : NOTHING_FOUND.message,
    nextActions: found ? [] : NOTHING_FOUND.nextActions
  };
}

function check(binding: Binding, args: SearchArgs, page: PageInput): void {
  const reranks = args.rerank === true || page.verbatim?.rerank === "true";
  if (reranks && !binding.request.limits.rerank) {
    const message = "Reranking is not enabled for this tenant (limit rerank). Leave rerank out.";
    throw new GatewayError("FORBIDDEN", { message, details: { field: "rerank", limit: "rerank" } });
  }
  if (Buffer.byteLength(args.query) > MAX_QUERY_BYTES || /\p{Surrogate}/u.test(args.query)) {
    const long = Buffer.byteLength(args.query) > MAX_QUERY_BYTES;
    const code = long ? "FILE_SEARCH_QUERY_TOO_LONG" : "INVALID_FILE_SEARCH_QUERY";
    const message = long ? "query must have at most 512 characters." : "query must be valid Unicode text.";
    throw invalid("query", message, { code });
  }
  // The mirror's caller is refused by the upstream, in its order and words.
  if (page.verbatim === undefined) checkBounds(args);
}

/** The question as cursors are bound to it: defaults filled in, blanks of the query that mean nothing left out. */
export function questionOf(args: SearchArgs): CursorScope["args"] {
  return { ...DEFAULTS, ...defined(args), query: args.query.trim().replace(/\s+/gu, " ") };
}

function defined(args: SearchArgs): Record<string, string | number | boolean> {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
}

function strings(args: SearchArgs): Record<string, string> {
  return Object.fromEntries(Object.entries(defined(args)).map(([name, value]) => [name, String(value)]));
}
