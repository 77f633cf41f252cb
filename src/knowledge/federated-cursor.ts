/**
 * The place of a federated walk: each source's own place and the rank it has reached, in one sealed cursor.
 *
 * It names the sources, so that a walk goes on over those that it began with, and keeps which of them failed, so that no
 * later page can look as if they had nothing. Source: docs/invariants.md 3, 5 and 6.
 */
import { ERRORS, type ErrorCode } from "../errors.ts";
import { type CursorScope, type Cursors, cursorError, type PositionCursors } from "./cursor.ts";
import type { Position } from "./position.ts";

interface SourceName {
  readonly upstream: string;
  readonly id: string;
}

export type SourcePlace = SourceName &
  (
    | { /** Items given so far. */ readonly rank: number; readonly at: Position }
    | { /** How it failed. */ readonly failed: ErrorCode }
  );

export function sealPlaces(cursors: Cursors, places: readonly SourcePlace[], scope: CursorScope): string {
  return cursors.sealText(JSON.stringify(places.map(write)), scope);
}

/** @throws VALIDATION_ERROR for what `sealPlaces` did not make in this scope */
export function openPlaces(cursors: Cursors, token: string, scope: CursorScope, field: string): SourcePlace[] {
  const written: unknown = JSON.parse(cursors.openText(token, scope, field));
  const places = Array.isArray(written) ? written.map(read) : [null];
  // Only another version of the gateway seals what this one cannot read.
  return places.map((place) => {
    if (place === null) throw cursorError("INVALID", field);
    return place;
  });
}

/** For the search of one source, whose place goes into the walk's cursor and to nobody by itself: text, not sealed. */
export const OPEN_CURSORS: PositionCursors = { seal: (position) => textOf(position), open: (text) => positionOf(text) };

export function textOf(position: Position): string {
  return JSON.stringify(writePosition(position));
}

/** @throws RangeError for what `textOf` did not write */
export function positionOf(text: string): Position {
  const position = readPosition(JSON.parse(text));
  if (position === null) throw new RangeError("This is no position.");
  return position;
}

function write(place: SourcePlace): readonly unknown[] {
  const { upstream, id } = place;
  return "failed" in place ? [upstream, id, place.failed] : [upstream, id, place.rank, ...writePosition(place.at)];
}

function read(written: unknown): SourcePlace | null {
  if (!Array.isArray(written)) return null;
  const [upstream, id, reached, ...place] = written as readonly unknown[];
  if (typeof upstream !== "string" || typeof id !== "string") return null;
  if (typeof reached === "string") {
    return Object.hasOwn(ERRORS, reached) ? { upstream, id, failed: reached as ErrorCode } : null;
  }
  const at = readPosition(place);
  return typeof reached !== "number" || at === null ? null : { upstream, id, rank: reached, at };
}

function writePosition({ revision, limit, offset, checksum, end, page }: Position): readonly unknown[] {
  return [revision, limit, offset, checksum, end ? 1 : 0, page];
}

function readPosition(written: unknown): Position | null {
  if (!Array.isArray(written) || written.length !== 6) return null;
  const [revision, limit, offset, checksum, end, page] = written as readonly unknown[];
  const numbers = [revision, limit, checksum].every((value) => value === null || typeof value === "number");
  if (!numbers || typeof offset !== "number" || !(page === null || typeof page === "string")) return null;
  return { revision, limit, offset, checksum, end: end === 1, page } as Position;
}
