/** A page of a federated search: what the sources answered, as one list with one cursor. docs/invariants.md 3 and 5. */
import { GatewayError } from "../errors.ts";
import type { KnowledgeBaseAccess } from "../policy/access.ts";
import type { Search, SearchHit } from "../upstream/contract.ts";
import { positionOf, type SourcePlace } from "./federated-cursor.ts";
import { mergeByRank, type RankedList } from "./federated-merge.ts";
import type { Position } from "./position.ts";
import type { FederatedPage, KnowledgeBaseReader, Page, SearchSource } from "./types.ts";

/** Where a source stands before the page. */
export interface Start {
  readonly access: KnowledgeBaseAccess;
  /** How many of its items earlier pages gave. */
  readonly rank: number;
  /** Null at the start of the walk. */
  readonly after: Position | null;
  /** Why it is not asked. */
  readonly error: GatewayError | null;
}

export interface Outcome extends Start {
  readonly result: Page<SearchHit, Search> | GatewayError;
}

interface SourceList extends RankedList<SearchHit> {
  readonly outcome: Outcome;
  readonly knowledgeBase: KnowledgeBaseReader;
}

interface PageOptions {
  readonly first: number;
  bind(access: KnowledgeBaseAccess): KnowledgeBaseReader;
  seal(places: readonly SourcePlace[]): string;
}

export function asPage(outcomes: readonly Outcome[], { first, bind, seal }: PageOptions): FederatedPage {
  const lists = outcomes.map((outcome) => listOf(outcome, bind(outcome.access)));
  const merged = mergeByRank<SearchHit, SourceList>(lists, first);
  const takenBy = (list: SourceList, end: number) => merged.slice(0, end).filter((item) => item.list === list).length;
  const sealedAfter = (end: number) => seal(lists.map((list) => placeOf(list, takenBy(list, end))));
  const hasNextPage = lists.some((list) => list.more || takenBy(list, merged.length) < list.rows.length);
  const ended = merged.length === 0 && !hasNextPage && outcomes.every(({ after }) => after === null);
  return {
    body: null,
    revision: null,
    rows: merged.map(({ list, row }) => ({
      knowledgeBase: list.knowledgeBase,
      hit: row,
      revision: revisionOf(list.outcome)
    })),
    sources: lists.map((list) => sourceOf(list, takenBy(list, merged.length))),
    hasNextPage,
    cursor(index) {
      if (merged[index] === undefined) throw new RangeError(`No row ${index} among ${merged.length}.`);
      return sealedAfter(index + 1);
    },
    endCursor: () => (ended ? null : sealedAfter(merged.length)),
    nextCursor: () => (hasNextPage ? sealedAfter(merged.length) : null)
  };
}

/** The page of `first: 0`, for which nothing is asked. */
export function unasked(resumed: readonly SourcePlace[] | null, after: string | null): FederatedPage {
  const hasNextPage = resumed === null || resumed.some((place) => !("failed" in place) && !place.at.end);
  return {
    body: null,
    revision: null,
    rows: [],
    sources: [],
    hasNextPage,
    cursor(index) {
      throw new RangeError(`No row ${index} among 0.`);
    },
    endCursor: () => after,
    nextCursor: () => (hasNextPage ? after : null)
  };
}

function listOf(outcome: Outcome, knowledgeBase: KnowledgeBaseReader): SourceList {
  const { access, rank, result } = outcome;
  const { rows, hasNextPage: more } =
    result instanceof GatewayError ? { rows: [] as SearchHit[], hasNextPage: false } : result;
  return { outcome, knowledgeBase, key: access.key, rank, rows, more, path: (hit) => hit.path };
}

/** A source's place once it has given so many items of the page. */
function placeOf({ outcome, rows }: SourceList, taken: number): SourcePlace {
  const { access, rank, after, result } = outcome;
  const { upstream, id } = access;
  if (result instanceof GatewayError) return { upstream, id, failed: result.code };
  // Rows of the page that are left for the next are found again from where this one began; hidden rows that were all
  // there was are not looked through again.
  const reached = taken > 0 ? result.cursor(taken - 1) : rows.length === 0 ? result.endCursor() : null;
  const at = reached === null ? (after ?? startOf(result)) : positionOf(reached);
  return { upstream, id, rank: rank + taken, at };
}

/** Where nothing was taken: the start, on the revision that was seen; or the end of what has nothing at all. */
function startOf({ revision, rows, hasNextPage }: Page<SearchHit, Search>): Position {
  const end = rows.length === 0 && !hasNextPage;
  return { revision: revision ?? 0, page: null, limit: null, offset: 0, checksum: null, end };
}

function sourceOf({ outcome, knowledgeBase }: SourceList, taken: number): SearchSource {
  const { result } = outcome;
  if (result instanceof GatewayError) {
    return { knowledgeBase, searchStatus: null, activeContentRevision: null, resultCount: null, error: result };
  }
  return {
    knowledgeBase,
    searchStatus: statusOf(outcome, result),
    activeContentRevision: result.revision,
    resultCount: taken,
    error: null
  };
}

/** A source that had ended before is not asked again, so that there is no word of the knowledge service for it. */
function statusOf({ rank, after }: Outcome, { body, rows, hasNextPage }: Page<SearchHit, Search>): string | null {
  if (after?.end) return rank === 0 ? "no_candidates" : "ok";
  const status = body?.searchStatus ?? null;
  return status === "no_candidates" && (rank > 0 || rows.length > 0 || hasNextPage) ? "ok" : status;
}

function revisionOf({ result }: Outcome): number | null {
  return result instanceof GatewayError ? null : result.revision;
}
