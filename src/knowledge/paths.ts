/** Paths are data. Source: docs/invariants.md 9. */
import { invalid } from "../errors.ts";

const MAX_PATH_BYTES = 4096;

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
