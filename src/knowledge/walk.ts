/**
 * The one page walker: every connection of every surface is a walk over upstream pages.
 *
 * It resumes at any row, goes on through as many upstream pages as the request needs, drops what policy hides without
 * losing its place, and stays on one content revision or ends. Source: docs/invariants.md 5 and 6.
 */
import { isSpent } from "./budget.ts";
import { cursorError, movingError } from "./cursor.ts";
import { askPage, limitFor } from "./walk-limit.ts";
import { type Opened, Trail } from "./walk-trail.ts";
import type { UpstreamPage, Walk, WalkRequest, WalkSource } from "./walk-types.ts";

export * from "./walk-types.ts";

/** How often a page whose revision was overtaken is asked for. */
const MAX_ATTEMPTS = 3;

/**
 * One page of a list.
 * @throws GatewayError VALIDATION_ERROR with `details {field: "cursor", reason, restart: true}`: REVISION_CHANGED where
 *   the content is not what `after` was made for, or moves too fast to be listed; EXPIRED where the upstream refuses its
 *   cursor. UPSTREAM_INVALID_RESPONSE where the upstream's cursors go round in a circle. And what the source throws.
 */
export async function walk<Row, P extends UpstreamPage<Row>>(
  source: WalkSource<Row, P>,
  wanted: WalkRequest
): Promise<Walk<Row, P>> {
  const { after, first } = wanted;
  if (first === 0) return unasked(wanted);
  let revision = await source.revision(false);
  if (after !== null && after.revision !== revision) {
    revision = await source.revision(true);
    if (after.revision !== revision) throw cursorError("REVISION_CHANGED");
  }
  // A place inside a page is not one that the upstream can open by itself.
  const request = { ...wanted, exact: wanted.exact && (after === null || after.offset === 0) };
  for (let attempt = 1; ; attempt += 1) {
    const { trail, outcome } = await pass(source, request, revision);
    if (outcome === "done") return trail.finish(request);
    const current = await source.revision(true);
    if (outcome === "lost" && current === revision) {
      if (trail.begun) return trail.finish(request);
      throw cursorError("EXPIRED");
    }
    if (after !== null && current !== revision) throw cursorError("REVISION_CHANGED");
    if (attempt === MAX_ATTEMPTS) throw movingError();
    revision = current;
  }
}

/** How a pass or a page of it ended: `overtaken` by another revision, or `lost`, the page that the place lies in. */
type Outcome = "done" | "overtaken" | "lost";

/** Walks on one revision as far as the request needs, or as its calls allow. */
async function pass<Row, P extends UpstreamPage<Row>>(
  source: WalkSource<Row, P>,
  request: WalkRequest,
  revision: number | null
): Promise<{ readonly trail: Trail<Row, P>; readonly outcome: Outcome }> {
  const trail = new Trail<Row, P>(revision, request.after, (row) => source.identity(row));
  const { first, maxPages } = request;
  // Where rows may be hidden, only a further visible one tells that there is a next page.
  const enough = request.exact ? 1 : first + (request.restricted ? 1 : 0);
  for (let asked = 0; trail.count < enough && asked < Math.max(1, maxPages) && !trail.reached.end; asked += 1) {
    const limit = limitFor(request, trail.reached, Math.max(1, first - trail.count), asked > 0);
    try {
      const outcome = await readPage(source, request, revision, trail, limit, enough);
      if (outcome !== "done") return { trail, outcome };
    } catch (error) {
      // What the calls did find is a page, and the next request goes on behind it.
      if (isSpent(error) && trail.advanced) break;
      throw error;
    }
  }
  return { trail, outcome: "done" };
}

async function readPage<Row, P extends UpstreamPage<Row>>(
  source: WalkSource<Row, P>,
  request: WalkRequest,
  revision: number | null,
  trail: Trail<Row, P>,
  limit: number | undefined,
  enough: number
): Promise<Outcome> {
  const opened = await askPage(source, request, trail.reached, limit, revision);
  if (opened === null) return "lost";
  if (revision !== null && (opened.page.label ?? 0) !== revision) return "overtaken";
  if (!trail.open(opened, request.stable)) return "lost";
  await takeRows(source, trail, opened, request.restricted ? enough : Number.POSITIVE_INFINITY);
  return "done";
}

/** Takes the page's rows until there are enough. Whether a row is visible may cost calls, so no more are shown than needed. */
async function takeRows<Row, P extends UpstreamPage<Row>>(
  source: WalkSource<Row, P>,
  trail: Trail<Row, P>,
  opened: Opened<P>,
  enough: number
): Promise<void> {
  const { page } = opened;
  let from = trail.reached.offset;
  let size = enough - trail.count;
  while (from < page.rows.length && trail.count < enough) {
    const to = Math.min(page.rows.length, from + size);
    trail.take(opened, await source.show(page, { from, to }), from, to);
    from = to;
    size *= 2;
  }
  if (from >= page.rows.length) trail.leave(opened);
}

/** An empty page for which the upstream was not asked. */
function unasked<Row, P extends UpstreamPage<Row>>({ after }: WalkRequest): Walk<Row, P> {
  const hasNextPage = after?.end !== true;
  return {
    rows: [],
    pages: [],
    revision: after?.revision ?? null,
    hasNextPage,
    untouched: false,
    positionOf(index) {
      throw new RangeError(`No row ${index} among 0.`);
    },
    endPosition: () => after,
    nextPosition: () => (hasNextPage ? after : null)
  };
}
