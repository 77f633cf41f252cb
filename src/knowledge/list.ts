/**
 * A page of any list: opens the caller's cursor, walks the upstream's pages, shows what the caller may see, and seals
 * cursors for what was shown. Source: docs/invariants.md 5, 6 and 8.
 */
import { OPERATIONS, type Operation } from "../upstream/operations.ts";
import type { CursorScope, PositionCursors } from "./cursor.ts";
import { firstOf, type ListSpec, passesVerbatim, verbatimPageSize } from "./lists.ts";
import type { ExtraParameters, Page, PageInput } from "./types.ts";
import { type LearnedMaximum, type RowRange, type UpstreamPage, type Walk, walk } from "./walk.ts";

/** Pages of hidden rows that one request may look through before it says "more to come". */
const MAX_PAGES = 25;

export interface BodyPage<Row, Body> extends UpstreamPage<Row> {
  readonly body: Body;
}

/** The caller's own parameters, without a cursor. */
export interface Verbatim {
  readonly query: Readonly<Record<string, string>>;
  readonly extra: ExtraParameters;
}

/** What a finished body needs to know of the page it stands for. */
export interface Shown<Row, Body> {
  readonly rows: readonly Row[];
  readonly bodies: readonly Body[];
  readonly hasNextPage: boolean;
  readonly revision: number | null;
  readonly first: number;
  readonly resumed: boolean;
  /** The upstream's page is the caller's page: its summaries may stand. */
  readonly untouched: boolean;
}

export interface ListQuestion<Row, Body> {
  readonly list: ListSpec;
  readonly operation: Operation;
  /** Bound into the cursor, defaults filled in, so that every way to ask the same has the same cursors. */
  readonly scope: CursorScope;
  readonly restricted: boolean;
  readonly learned: LearnedMaximum;
  readonly rerankTopK?: number | undefined;
  /** Proves that the list may be seen, before its first page is asked for; where nothing is asked, nothing is shown. */
  prove?(): Promise<void>;
  /** One upstream page; `limit` undefined leaves the parameter out; `verbatim` asks the caller's own parameters. */
  fetch(
    cursor: string | null,
    limit: number | undefined,
    revision: number | null,
    verbatim: Verbatim | undefined
  ): Promise<BodyPage<Row, Body>>;
  revision(fresh: boolean): Promise<number | null>;
  /** @param range the rows that count; use {@link ofRange} where showing a row may cost calls */
  show(rows: readonly Row[], body: Body, range: RowRange): readonly (Row | null)[] | Promise<readonly (Row | null)[]>;
  identity(row: Row): string;
  /** The caller's body. Without an upstream page (a cursor past the end) `bodies` is empty. */
  finish(shown: Shown<Row, Body>): Body;
}

export interface ListContext {
  readonly cursors: PositionCursors;
  readonly pageSize: number;
}

export async function readList<Row, Body>(
  context: ListContext,
  question: ListQuestion<Row, Body>,
  page: PageInput
): Promise<Page<Row, Body>> {
  const { list, scope, restricted } = question;
  const verbatim =
    !restricted && passesVerbatim(list, page, context.pageSize) ? parametersOf(question, page) : undefined;
  const field = page.names?.after ?? "after";
  const after = page.after ? context.cursors.open(page.after, scope, field) : null;
  const exact = verbatim !== undefined && (after === null || (after.offset === 0 && !after.end));
  const wanted = exact ? verbatimPageSize(list, page) : firstOf(list, page, context.pageSize);
  if (wanted > 0) await question.prove?.();
  const walked = await walk(
    {
      fetch: (cursor, limit, revision) => question.fetch(cursor, limit, revision, exact ? verbatim : undefined),
      revision: (fresh) => question.revision(fresh),
      show: (upstreamPage, range) => question.show(upstreamPage.rows, upstreamPage.body, range),
      identity: (row) => question.identity(row)
    },
    {
      first: wanted,
      after,
      maximum: Math.min(list.maximum, question.rerankTopK ?? list.maximum),
      restricted,
      stable: list.stable,
      exact,
      maxPages: MAX_PAGES,
      learned: question.learned
    }
  );
  return asPage(context, question, walked, wanted, after !== null);
}

/** For the upstream call: nothing where the caller's parameters are not used, so that equal questions stay equal. */
export function extraOf(verbatim: Verbatim | undefined): { readonly extra?: ExtraParameters } {
  return verbatim === undefined || verbatim.extra.length === 0 ? {} : { extra: verbatim.extra };
}

/** A page's own parameters, as every list of the upstream takes them. */
export function pageParameters(cursor: string | null, limit: number | undefined): Readonly<Record<string, string>> {
  return { ...(limit === undefined ? {} : { limit: String(limit) }), ...(cursor === null ? {} : { cursor }) };
}

/** Shows only the rows of the range; the others are null. */
export async function ofRange<Row>(
  rows: readonly Row[],
  range: RowRange,
  show: (part: readonly Row[]) => Promise<readonly (Row | null)[]>
): Promise<readonly (Row | null)[]> {
  const part = await show(rows.slice(range.from, range.to));
  return rows.map((_row, index) => part[index - range.from] ?? null);
}

/** The caller's parameters, those that the operation knows apart; the cursor is ours, and never goes upstream as it came. */
function parametersOf(question: { readonly operation: Operation }, page: PageInput): Verbatim {
  const known: readonly string[] = OPERATIONS[question.operation].query;
  const given = Object.entries(page.verbatim ?? {});
  const query = Object.fromEntries(given.filter(([name]) => name !== "cursor" && known.includes(name)));
  return { query, extra: (page.extra ?? []).filter(([name]) => name !== "cursor") };
}

function asPage<Row, Body>(
  context: ListContext,
  question: ListQuestion<Row, Body>,
  walked: Walk<Row, BodyPage<Row, Body>>,
  first: number,
  resumed: boolean
): Page<Row, Body> {
  const { rows, hasNextPage, revision } = walked;
  const seal = (position: Parameters<PositionCursors["seal"]>[0] | null) =>
    position === null ? null : context.cursors.seal(position, question.scope);
  const bodies = walked.pages.map((upstreamPage) => upstreamPage.body);
  const untouched = walked.untouched && !question.restricted;
  return {
    body: first === 0 ? null : question.finish({ rows, bodies, hasNextPage, revision, first, resumed, untouched }),
    rows,
    hasNextPage,
    revision: revision === 0 ? null : revision,
    cursor: (index) => context.cursors.seal(walked.positionOf(index), question.scope),
    endCursor: () => seal(walked.endPosition()),
    nextCursor: () => (hasNextPage ? seal(walked.nextPosition()) : null)
  };
}
