/** Answers as JSON bytes. What many callers are given unchanged is printed once. */

/** Bodies that the cache holds; the bytes go when the body does. */
const shared = new WeakMap<object, Buffer | null>();

/** Marks a body as one that many callers may be given: its bytes are worth keeping. */
export function markShared(body: object): void {
  if (!shared.has(body)) shared.set(body, null);
}

/** The body as JSON in UTF-8. Never change the returned bytes: they may be sent to others. */
export function printed(body: object): Buffer {
  const known = shared.get(body);
  if (known) return known;
  const bytes = Buffer.from(JSON.stringify(body));
  if (known === null) shared.set(body, bytes);
  return bytes;
}
