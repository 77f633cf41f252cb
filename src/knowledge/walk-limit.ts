/** The page size that is asked for: the one that answers a request with the fewest upstream calls. */
import { GatewayError } from "../errors.ts";
import type { Place } from "./walk-trail.ts";
import type { LearnedMaximum, UpstreamPage, WalkRequest, WalkSource } from "./walk-types.ts";

/**
 * The limit for the next page; undefined leaves the parameter out.
 * @param missing rows that the request still needs
 * @param refill whether this walk already read a page
 */
export function limitFor(request: WalkRequest, place: Place, missing: number, refill: boolean): number | undefined {
  const { maximum, stable, restricted, exact, learned } = request;
  if (exact) return undefined;
  if (place.skip > 0 && !stable) return place.limit ?? undefined;
  const largest = Math.min(maximum, learned?.get() ?? maximum);
  if (largest === 0) return undefined;
  // Calls are dearer than rows: where rows are hidden, one more tells whether there is a next page, and a page that did
  // not suffice is followed by the largest.
  if (restricted && refill) return largest;
  const needed = place.skip + missing + (restricted ? 1 : 0);
  // The page as it was asked for before is likely still at hand.
  return Math.min(largest, place.skip > 0 ? Math.max(needed, place.limit ?? 0) : needed);
}

/** A page, and the limit with which it was asked for; null where that was left out. */
interface Asked<P> {
  readonly page: P;
  readonly limit: number | null;
}

/**
 * One page; null where its place is lost: the upstream turned its own cursor down, or the page is not the one that the
 * place was taken in. Where a deployment takes less than the documented maximum, the page is asked for again without a
 * limit, and the size of what came is remembered.
 */
export async function askPage<Row, P extends UpstreamPage<Row>>(
  source: WalkSource<Row, P>,
  request: WalkRequest,
  place: Place,
  limit: number | undefined,
  revision: number | null
): Promise<Asked<P> | null> {
  const inside = place.skip > 0 && !request.stable;
  const fetch = (size: number | undefined) => source.fetch(place.cursor, size, revision);
  try {
    const page = await fetch(limit);
    if (inside && page.rows.length < place.skip) return null;
    if (request.exact) return { page, limit: Math.max(request.first, page.rows.length) };
    if (request.learned?.get() === 0) learn(request.learned, page);
    return { page, limit: limit ?? null };
  } catch (error) {
    if (place.cursor !== null && refuses(error, "cursor")) return null;
    if (limit === undefined || !refuses(error, "limit")) throw error;
    if (inside) return null;
  }
  const page = await fetch(undefined);
  if (request.learned !== undefined) learn(request.learned, page, limit);
  return { page, limit: null };
}

/** Only a page that is not the last shows how large pages are. */
function learn<Row>(learned: LearnedMaximum, page: UpstreamPage<Row>, refused = 0): void {
  if (page.next !== null) learned.set(page.rows.length);
  else if ((learned.get() ?? refused) >= refused) learned.set(0);
}

function refuses(error: unknown, parameter: "cursor" | "limit"): boolean {
  if (!(error instanceof GatewayError) || error.code !== "VALIDATION_ERROR") return false;
  const { field, code } = error.details ?? {};
  return field === parameter || (parameter === "limit" && code === "INVALID_FILE_SEARCH_LIMIT");
}
