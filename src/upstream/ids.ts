/** Ids are data: one that could move a request to another route makes none. Source: docs/invariants.md 9. */
import { invalid } from "../errors.ts";

/** Longer than any id that upstreams give out by far; keeps a request line within what servers accept. */
const MAX_ID_BYTES = 200;
/** Separators, query and fragment marks, percent (a second decoding must find nothing), line ends, lone surrogates. */
const HAZARD = /[/\\?#%\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Segments that mean a directory, or are routes where an id stands. */
const RESERVED = new Set([".", "..", "content", "search"]);

/**
 * An opaque id, unchanged.
 * @throws VALIDATION_ERROR (`details {field, reason: "INVALID_ID"}`) for one that could mean another route
 */
export function checkId(field: string, id: string): string {
  const fits = id.length > 0 && Buffer.byteLength(id) <= MAX_ID_BYTES && !HAZARD.test(id) && !RESERVED.has(id);
  if (fits) return id;
  const wayOut = `Use one from an answer of this gateway, at most ${MAX_ID_BYTES} bytes.`;
  throw invalid(field, `${field} is not an id. ${wayOut}`, { reason: "INVALID_ID" });
}
