/**
 * Padding of what is sealed, so that a token's length does not tell what lies inside. Source: docs/invariants.md 5.
 *
 * ISO/IEC 7816-4: one byte 0x80, then zeros up to the next bucket.
 */

/**
 * Plaintext sizes in bytes, the padding included. Any cursor over rows with paths of up to 200 bytes fits into the first,
 * so that all of these are of one length; the others are for what is longer, up to the places of fifty searches in one cursor.
 */
const BUCKETS: readonly number[] = [316, 736, 1504, 3040, 6112];
const MARK = 0x80;

export const LARGEST_BUCKET = Math.max(...BUCKETS);

/**
 * The plaintext filled up to its bucket.
 * @throws RangeError above the largest bucket
 */
export function pad(plain: Uint8Array): Buffer {
  const size = BUCKETS.find((bucket) => plain.length < bucket);
  if (size === undefined) {
    throw new RangeError(`${plain.length} bytes do not fit into ${LARGEST_BUCKET}, the largest bucket.`);
  }
  const padded = Buffer.alloc(size);
  padded.set(plain);
  padded[plain.length] = MARK;
  return padded;
}

/** What was padded; null where the padding is not whole. */
export function unpad(padded: Uint8Array): Uint8Array | null {
  const end = padded.findLastIndex((byte) => byte !== 0);
  return padded[end] === MARK ? padded.subarray(0, end) : null;
}
