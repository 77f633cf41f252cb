/**
 * One search over several knowledge bases: each is searched as it is by itself, side by side, and their hits are merged
 * by rank. docs/invariants.md 2, 3, 5, 6 and 8.
 */
import { GatewayError, notFound } from "../errors.ts";
import type { KnowledgeBaseAccess } from "../policy/access.ts";
import { Binding } from "./binding.ts";
import { type CursorScope, cursorError } from "./cursor.ts";
import { OPEN_CURSORS, openPlaces, type SourcePlace, sealPlaces, textOf } from "./federated-cursor.ts";
import { asPage, type Outcome, type Start, unasked } from "./federated-page.ts";
import { checkNames, chooseSources } from "./federated-sources.ts";
import type { Shelves } from "./knowledge-bases.ts";
import { firstOf, LISTS } from "./lists.ts";
import { questionOf, search } from "./search.ts";
import type { FederatedPage, FederatedSearchArgs, KnowledgeBaseReader, PageInput, SearchArgs } from "./types.ts";

/** Of the time that is left for the request, so that those who answered can still be read. */
const SHARE_OF_DEADLINE = 0.5;

/** @param bind the caller's reader of a knowledge base */
export async function searchAll(
  shelves: Shelves,
  bind: (access: KnowledgeBaseAccess) => KnowledgeBaseReader,
  { knowledgeBases: named, ...question }: FederatedSearchArgs,
  page: PageInput
): Promise<FederatedPage> {
  const { request, cursors } = shelves;
  const first = firstOf(LISTS.search, page, request.limits.pageSize);
  const scope = scopeOf(shelves, named, question);
  const names = page.names ?? { first: "first", after: "after" };
  const resumed = page.after ? openPlaces(cursors, page.after, scope, names.after) : null;
  if (named !== undefined) checkNames(shelves, named);
  if (first === 0) return unasked(resumed, page.after || null);

  const now = Date.now();
  const part = { ...shelves, request: request.until(now + (request.deadline - now) * SHARE_OF_DEADLINE) };
  const starts = resumed === null ? await begin(part, named) : resume(shelves, resumed, names.after);
  const outcomes = await Promise.all(starts.map((start) => ask(part, start, question, { first, names })));
  request.signal.throwIfAborted();
  const present = outcomes.filter(({ result }) => !isNotFound(result));
  if (present.length < outcomes.length && (resumed !== null || named !== undefined)) {
    throw resumed === null ? notFound() : cursorError("REVISION_CHANGED", names.after);
  }
  // Nothing was searched, which must not look like a search that found nothing. docs/invariants.md 3.
  if (present.length === 0 && outcomes.length > 0) throw notFound();
  const refusal = refusalOf(present, resumed !== null);
  if (refusal !== null) throw refusal;
  return asPage(present, { first, bind, seal: (places) => sealPlaces(cursors, places, scope) });
}

/** Bound to the subject as well: what "all" means differs from one to the next. */
function scopeOf(shelves: Shelves, named: readonly string[] | undefined, question: SearchArgs): CursorScope {
  const { subject } = shelves.access;
  const knowledgeBases = named === undefined ? null : JSON.stringify([...new Set(named)].sort());
  return {
    tenant: shelves.request.tenant,
    knowledgeBaseId: "",
    operation: "federatedSearch",
    args: { ...questionOf(question), knowledgeBases, subject }
  };
}

async function begin(shelves: Shelves, named: readonly string[] | undefined): Promise<Start[]> {
  const chosen = await chooseSources(shelves, named);
  return chosen.map(({ access, error }) => ({ access, rank: 0, after: null, error }));
}

/** The walk's sources as policy has them now. Where one is gone from it, the cursor fits no longer. */
function resume({ access }: Shelves, places: readonly SourcePlace[], field: string): Start[] {
  return places.map((place) => {
    const granted = access.forId(place.upstream, place.id);
    if (granted === null) throw cursorError("INVALID", field);
    if (!("failed" in place)) return { access: granted, rank: place.rank, after: place.at, error: null };
    const message = "This knowledge base could not be searched on an earlier page. Start again without the cursor.";
    return { access: granted, rank: 0, after: null, error: new GatewayError(place.failed, { message }) };
  });
}

async function ask(shelves: Shelves, start: Start, args: SearchArgs, page: PageInput): Promise<Outcome> {
  if (start.error !== null) return { ...start, result: start.error };
  const { access, after } = start;
  const { request, learned, auditor } = shelves;
  const source = shelves.sources.get(access.upstream);
  if (source === undefined) return { ...start, result: new GatewayError("UPSTREAM_UNAVAILABLE") };
  const binding = new Binding({ access, source, request, cursors: OPEN_CURSORS, learned, auditor });
  try {
    return { ...start, result: await search(binding, args, { ...page, after: after === null ? null : textOf(after) }) };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { ...start, result: error };
  }
}

function isNotFound(result: Outcome["result"]): boolean {
  return result instanceof GatewayError && result.code === "NOT_FOUND";
}

/**
 * What ends the whole search: a place that is lost in one source, since the walk cannot go on without it; or what all
 * sources refuse alike, which is then about the question.
 */
function refusalOf(outcomes: readonly Outcome[], resumed: boolean): GatewayError | null {
  const errors = outcomes.map(({ result }) => result).filter((result) => result instanceof GatewayError);
  const lost = errors.find((error) => resumed && error.details?.restart === true);
  if (lost !== undefined) return lost;
  const [first] = errors;
  if (first === undefined || first.retryable || first.httpStatus >= 500) return null;
  return errors.length === outcomes.length && errors.every(({ code }) => code === first.code) ? first : null;
}
