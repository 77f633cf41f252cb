/** Answers as JSON bytes. What many callers are given unchanged is printed once, or taken from the bytes it came in. */
import { isUtf8 } from "node:buffer";
import type { ClosedLink } from "./links.ts";

interface Shared {
  /** What the body was read from; null once `bytes` was made. */
  raw: Buffer | null;
  readonly closed: readonly ClosedLink[];
  bytes: Buffer | null;
}

/** Bodies that many callers may be given; the bytes go when the body does. */
const shared = new WeakMap<object, Shared>();

/**
 * Marks a body as one that many callers may be given as it is.
 * @param raw the bytes that it was read from
 * @param closed the links that were closed in it since
 */
export function markShared(body: object, raw: Buffer, closed: readonly ClosedLink[]): void {
  shared.set(body, { raw, closed, bytes: null });
}

/** The body as JSON in UTF-8. Never change the returned bytes: they may be sent to others. */
export function printed(body: object): Buffer {
  const known = shared.get(body);
  if (known === undefined) return Buffer.from(JSON.stringify(body));
  if (known.bytes === null) {
    known.bytes = closeInBytes(known.raw, known.closed) ?? Buffer.from(JSON.stringify(body));
    known.raw = null;
  }
  return known.bytes;
}

/**
 * The bytes with the links closed: most of an answer is text, which need not be read and written for that.
 * @returns null where they do not show beyond doubt where the links are
 */
function closeInBytes(raw: Buffer | null, closed: readonly ClosedLink[]): Buffer | null {
  if (raw === null || !isUtf8(raw)) return null;
  const cuts: { readonly start: number; readonly end: number }[] = [];
  for (const { link, href } of closed) {
    // Inside of a JSON string no quote stands without a backslash, so this is a member's name and nothing else.
    const name = `${JSON.stringify(link)}:`;
    const place = raw.indexOf(name);
    if (place === -1 || raw.lastIndexOf(name) !== place) return null;
    const start = place + Buffer.byteLength(name);
    const value = Buffer.from(JSON.stringify(href));
    if (!raw.subarray(start, start + value.byteLength).equals(value)) return null;
    cuts.push({ start, end: start + value.byteLength });
  }
  cuts.sort((one, other) => one.start - other.start);
  const parts: Buffer[] = [];
  let from = 0;
  for (const { start, end } of cuts) {
    parts.push(raw.subarray(from, start), NULL);
    from = end;
  }
  return Buffer.concat([...parts, raw.subarray(from)]);
}

const NULL = Buffer.from("null");
