/** The form of path that decisions are made on. Source: docs/invariants.md 9. */

/** Backslashes, control characters, and surrogates without their other half. */
const FOREIGN = /[\\\p{Cc}\p{Cs}]/u;

/**
 * Whether a path is in the one form that upstreams use. Any other form could be a second name for a hidden file, so for
 * a caller with path rules it is no file at all.
 */
export function isCanonicalPath(path: string): boolean {
  return !FOREIGN.test(path) && path.split("/").every((segment) => !["", ".", ".."].includes(segment));
}
