/** A place in an upstream list, and its binary form inside a sealed cursor. */
import { type Packed, unpack } from "./compress.ts";

/** A place in an upstream list: between two rows, or after the last. */
export interface Position {
  /** The content revision of the walk; null for a list without revisions. */
  readonly revision: number | null;
  /** The upstream cursor that opens the page; null for the first page. */
  readonly page: string | null;
  /** The limit with which that page was asked for; null where it was left out or does not matter (offset 0). */
  readonly limit: number | null;
  /** Rows of that page already consumed, hidden ones included. */
  readonly offset: number;
  /**
   * CRC-32 of the identities of those rows, by which a page that comes back different is noticed; null where it is not
   * known, or where the list has no revision that would hold its pages still.
   */
  readonly checksum: number | null;
  /** True where nothing follows. */
  readonly end: boolean;
}

/** Bits of the first byte. */
const Flag = { end: 1, page: 2, decoded: 4, revision: 8, limit: 16, checksum: 32 } as const;

/**
 * flags ‖ revision? ‖ limit? ‖ offset ‖ checksum? ‖ page?, numbers in LEB128.
 * @param pack makes the page's cursor small; `unpack` of the same context is its inverse
 */
export function encodePosition(position: Position, pack: (cursor: string) => Packed): Uint8Array {
  const { revision, page, limit, offset, checksum, end } = position;
  const packed = page === null ? null : pack(page);
  const flags =
    (end ? Flag.end : 0) |
    (packed === null ? 0 : Flag.page) |
    (packed?.decoded ? Flag.decoded : 0) |
    (revision === null ? 0 : Flag.revision) |
    (limit === null ? 0 : Flag.limit) |
    (checksum === null ? 0 : Flag.checksum);
  const numbers = [revision, limit, offset, checksum].filter((value) => value !== null).flatMap(leb128);
  return Buffer.concat([Buffer.of(flags, ...numbers), packed?.bytes ?? Buffer.alloc(0)]);
}

/** The position that was encoded with the same context; null for bytes that are none. */
export function decodePosition(bytes: Uint8Array, context: string): Position | null {
  let at = 1;
  const number = (): number => {
    let value = 0;
    for (let weight = 1; ; weight *= 128) {
      const byte = bytes[at++] ?? 0;
      value += (byte & 127) * weight;
      if (byte < 128) return value;
    }
  };
  const flags = bytes[0] ?? 0;
  const revision = flags & Flag.revision ? number() : null;
  const limit = flags & Flag.limit ? number() : null;
  const offset = number();
  const checksum = flags & Flag.checksum ? number() : null;
  const packed = { decoded: (flags & Flag.decoded) !== 0, bytes: bytes.subarray(at) };
  const page = flags & Flag.page ? unpack(packed, context) : null;
  const whole = at <= bytes.length && (page !== null || (flags & Flag.page) === 0);
  return whole ? { revision, page, limit, offset, checksum, end: (flags & Flag.end) !== 0 } : null;
}

/** An unsigned integer up to 2^53, seven bits a byte, the lowest first. Division, since shifts end at 32 bits. */
function leb128(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
  return bytes;
}
