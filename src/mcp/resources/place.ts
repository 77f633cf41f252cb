/**
 * A place in the walk over all files, and the cursor that stands for it.
 *
 * It is made of the reader's own sealed cursors, one for each directory that is not finished, and of paths that the
 * caller was shown. A sealed cursor opens only with the directory that it was made for, and every directory is read
 * under the caller's policy, so that a cursor that was tampered with shows nothing more. The whole is not sealed again: of
 * a deep place, its sealed parts alone are longer than a seal may hold. Source: docs/invariants.md 5.
 */
import * as z from "zod";
import { cursorError } from "../../knowledge/cursor.ts";

const directory = z.strictObject({
  /** Root is "". */
  path: z.string(),
  /** The cursor of the last row that was walked; null before the first. */
  after: z.string().nullable()
});

const place = z.strictObject({
  /** The knowledge base that is walked, and the cursor of its row; null before the first, and at `/mcp/{kb}`. */
  knowledgeBase: z.strictObject({ key: z.string(), cursor: z.string() }).nullable(),
  /** Directories that are not finished, the outermost first; none where the knowledge base is. */
  directories: z.array(directory).max(100)
});

export type Directory = z.infer<typeof directory>;
export type Place = z.infer<typeof place>;

export const ROOT: Directory = { path: "", after: null };

export function encodePlace(value: Place): string {
  return Buffer.from(JSON.stringify(value), "utf8").toString("base64url");
}

/** @throws VALIDATION_ERROR with `details {field: "cursor", reason: "INVALID", restart: true}` */
export function decodePlace(cursor: string): Place {
  try {
    return place.parse(JSON.parse(Buffer.from(cursor, "base64url").toString("utf8")));
  } catch {
    throw cursorError("INVALID");
  }
}
