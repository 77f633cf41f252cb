/** Ids and paths are data: checked before they are used, encoded once by the upstream client. docs/invariants.md 9. */
import { invalid } from "../errors.ts";

const MAX_ID_BYTES = 200;
const MAX_PATH_BYTES = 4096;

/** Separators, query and fragment marks, percent (a second decoding must find nothing), controls and lone surrogates. */
const HAZARD = /[/\\?#%\p{Cc}\p{Surrogate}\u2028\u2029]/u;
const RESERVED = new Set([".", "..", "content", "search"]);

/**
 * An opaque id, unchanged.
 * @throws VALIDATION_ERROR (`details {field, reason: "INVALID_ID"}`) for one that could mean another route: no upstream
 *   request is made for it.
 */
export function checkId(field: string, id: string): string {
  const fits = id.length > 0 && Buffer.byteLength(id) <= MAX_ID_BYTES && !HAZARD.test(id) && !RESERVED.has(id);
  if (fits) return id;
  throw invalid(
    field,
    `${field} is not an id. Use one from an answer of this gateway, at most ${MAX_ID_BYTES} bytes.`,
    {
      reason: "INVALID_ID"
    }
  );
}

/**
 * A path in NFC, as policy and upstream see it. Other rules of paths are the upstream's to tell.
 * @throws VALIDATION_ERROR for one that has no NFC form or is longer than any path of a knowledge base
 */
export function normalizePath(field: string, path: string): string {
  if (/\p{Surrogate}/u.test(path)) throw invalid(field, `${field} holds half of a character pair. Send valid Unicode.`);
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    throw invalid(field, `${field} is longer than ${MAX_PATH_BYTES} bytes.`, { limit: MAX_PATH_BYTES });
  }
  return path.normalize("NFC");
}
