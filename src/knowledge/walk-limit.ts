/** The page size that is asked for: the one that answers a request with the fewest upstream calls. */
import { GatewayError } from "../errors.ts";
import { cursorError } from "./cursor.ts";
import type { Position } from "./position.ts";
import type { Opened } from "./walk-trail.ts";
import type { UpstreamPage, WalkRequest, WalkSource } from "./walk-types.ts";

/**
 * The limit for the next page; undefined leaves the parameter out.
 * @param missing rows that the request still needs
 * @param refill whether this walk already read a page
 */
export function limitFor(request: WalkRequest, place: Position, missing: number, refill: boolean): number | undefined {
  const { maximum, stable, restricted, exact, learned } = request;
  if (exact) return undefined;
  if (place.offset > 0 && !stable) return place.limit ?? undefined;
  const largest = Math.min(maximum, learned?.get() ?? maximum);
  if (largest === 0) return undefined;
  // Calls are dearer than rows: where rows are hidden, one more tells whether there is a next page, and a page that did
  // not suffice is followed by the largest.
  if (restricted && refill) return largest;
  const needed = place.offset + missing + (restricted ? 1 : 0);
  // The page as it was asked for before is likely still at hand.
  return Math.min(largest, place.offset > 0 ? Math.max(needed, place.limit ?? 0) : needed);
}

/** The page that a place lies in; null where the upstream turned its own cursor down. */
export async function askPage<Row, P extends UpstreamPage<Row>>(
  source: WalkSource<Row, P>,
  request: WalkRequest,
  place: Position,
  limit: number | undefined,
  revision: number | null
): Promise<Opened<P> | null> {
  const cursor = place.page;
  const fetch = (size: number | undefined) => source.fetch(cursor, size, revision);
  try {
    return { cursor, ...(await askWithin(fetch, request, place, limit)) };
  } catch (error) {
    if (cursor !== null && refuses(error, "cursor")) return null;
    throw error;
  }
}

/**
 * Where a deployment takes less than the documented maximum, the page is asked for again without a limit, and the size
 * of what comes is remembered.
 */
async function askWithin<Row, P extends UpstreamPage<Row>>(
  fetch: (limit: number | undefined) => Promise<P>,
  { first, exact, stable, learned }: WalkRequest,
  place: Position,
  limit: number | undefined
): Promise<{ page: P; limit: number | null }> {
  if (limit !== undefined) {
    try {
      return { page: await fetch(limit), limit };
    } catch (error) {
      if (!refuses(error, "limit")) throw error;
      // Without its limit the page has another order, and the place in it is lost.
      if (place.offset > 0 && !stable) throw cursorError("EXPIRED");
    }
  }
  const page = await fetch(undefined);
  if (exact) return { page, limit: Math.max(first, page.rows.length) };
  // Only a page that is not the last shows how large pages are.
  if (limit !== undefined || learned?.get() === 0) learned?.set(page.next === null ? 0 : page.rows.length);
  return { page, limit: null };
}

function refuses(error: unknown, parameter: "cursor" | "limit"): boolean {
  if (!(error instanceof GatewayError) || error.code !== "VALIDATION_ERROR") return false;
  const { field, code } = error.details ?? {};
  return field === parameter || (parameter === "limit" && code === "INVALID_FILE_SEARCH_LIMIT");
}
