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
  // A name that is written with escapes is not found by its bytes, and its namesake elsewhere would be taken for it.
  if (closed.length > 0 && raw.includes(ESCAPED)) return null;
  const cuts: { readonly start: number; readonly end: number }[] = [];
  for (const { link, href } of closed) {
    // Inside of a JSON string no quote stands without a backslash, so what stands once, and before a colon, is the name.
    const name = JSON.stringify(link);
    const place = raw.indexOf(name);
    if (place === -1 || raw.lastIndexOf(name) !== place) return null;
    const member = Buffer.from(`${name}:${JSON.stringify(href)}`);
    const end = place + member.byteLength;
    // What follows tells that the value ends here too: `1` is also how `1.0` begins.
    if (!raw.subarray(place, end).equals(member) || !ENDS_VALUE.has(raw[end])) return null;
    cuts.push({ start: place + Buffer.byteLength(name) + 1, end });
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
const ESCAPED = "\\u";
/** A comma or a closing brace. */
const ENDS_VALUE: ReadonlySet<number | undefined> = new Set([0x2c, 0x7d]);
