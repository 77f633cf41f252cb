/**
 * Upstream cursors made small. Most are base64url of JSON: decoded, and deflated against a dictionary of that JSON's
 * skeletons and of the question itself, which both sides know, they shrink to little more than the last row's name.
 */
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";

export interface Packed {
  /** Whether the bytes are the cursor decoded from base64url, or its text. */
  readonly decoded: boolean;
  /** Raw deflate, RFC 1951. */
  readonly bytes: Uint8Array;
}

/**
 * The shapes of the cursors that upstreams are known to make. Deflate refers to later text in fewer bits, so the most
 * frequent stand last. A shape that is not here costs bytes, never correctness.
 */
const SKELETONS = [
  "0123456789abcdef-",
  '{"kind":"knowledge_base","scope":"current:","normalizedPath":null,"publicId":"knowledge-base-"}',
  "search-cursor-",
  '{"version":1,"knowledgeBaseId":"knowledge-base-","sourceFileId":"source-file-","depth":2,"fanout":10,"offset":50}',
  '{"version":3,"knowledgeBaseId":"knowledge-base-","sourceFileId":"source-file-","targetSourceFileId":"source-file-"}',
  '{"version":1,"scope":"{\\"knowledgeBaseId\\":\\"knowledge-base-',
  '","logicalPath":"_index/terms/_graph/by-file/generated-directory-generated-source-file-',
  '\\",\\"activationRevision\\":1,\\"parentPath\\":\\"pages/',
  '\\",\\"parentPath\\":\\"\\",\\"entryType\\":\\"directory\\",\\"query\\":\\"\\"}","logicalPath":"pages/',
  '\\",\\"entryType\\":null,\\"query\\":\\"\\"}","logicalPath":"pages/',
  '.md","recordId":"source-file-","recordId":"directory-"}'
].join("");
/** Far above any cursor; bounds what sealing and opening may cost. */
const MAX_CURSOR_BYTES = 16_384;
/** A window of 8 KiB holds dictionary and cursor, and costs a fraction of zlib's default memory. */
const WINDOW_BITS = 13;
const MAX_DICTIONARY_BYTES = 4096;
const OPENING_BRACE = 0x7b;

/**
 * The cursor made small, so that `unpack` gives back exactly it: it is decoded only where encoding is its inverse.
 * @param context text that is likely to occur in the cursor, the same for packing and unpacking
 * @throws RangeError for a cursor that is not Unicode text, or longer than 16,384 bytes
 */
export function pack(cursor: string, context: string): Packed {
  const text = Buffer.from(cursor, "utf8");
  if (text.length > MAX_CURSOR_BYTES) throw new RangeError(`The cursor is longer than ${MAX_CURSOR_BYTES} bytes.`);
  if (text.toString("utf8") !== cursor) throw new RangeError("The cursor is not Unicode text.");
  const json = Buffer.from(cursor, "base64url");
  const decoded = json[0] === OPENING_BRACE && json.toString("base64url") === cursor;
  return { decoded, bytes: deflate(decoded ? json : text, context) };
}

/** `pack` with the last result kept: the edges of one page all hold that page's cursor. */
export function createPacker(): typeof pack {
  let last: { readonly cursor: string; readonly context: string; readonly packed: Packed } | undefined;
  return (cursor, context) => {
    if (last?.cursor !== cursor || last.context !== context) last = { cursor, context, packed: pack(cursor, context) };
    return last.packed;
  };
}

/** The cursor that was packed; null for bytes that are not whole. */
export function unpack({ decoded, bytes }: Packed, context: string): string | null {
  try {
    const options = { windowBits: WINDOW_BITS, dictionary: dictionaryOf(context), maxOutputLength: MAX_CURSOR_BYTES };
    return inflateRawSync(bytes, options).toString(decoded ? "base64url" : "utf8");
  } catch {
    return null;
  }
}

function deflate(bytes: Buffer, context: string): Buffer {
  const dictionary = dictionaryOf(context);
  return deflateRawSync(bytes, {
    windowBits: WINDOW_BITS,
    level: constants.Z_BEST_COMPRESSION,
    memLevel: 6,
    dictionary
  });
}

function dictionaryOf(context: string): Buffer {
  return Buffer.from(SKELETONS + context, "utf8").subarray(-MAX_DICTIONARY_BYTES);
}
