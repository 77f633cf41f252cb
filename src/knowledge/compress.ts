/**
 * Upstream cursors made small. Most are base64url of JSON: decoded, and deflated against a dictionary of that JSON's
 * skeletons and of the question itself, which both sides know, they shrink to little more than the last row's name.
 */
import { constants, deflateRawSync, inflateRawSync } from "node:zlib";

/** How a cursor is stored; the numbers are part of the sealed format. */
const Form = { text: 0, deflatedText: 1, deflatedBase64: 2 } as const;

export interface Packed {
  readonly form: number;
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
/** Far above any cursor; bounds what opening a token may allocate. */
const MAX_CURSOR_BYTES = 16_384;
/** A window of 8 KiB holds dictionary and cursor, and costs a fraction of zlib's default memory. */
const WINDOW_BITS = 13;
const MAX_DICTIONARY_BYTES = 4096;
const OPENING_BRACE = 0x7b;

/**
 * The cursor in the shortest form from which `unpack` gives back exactly it.
 * @param context text that is likely to occur in the cursor, the same for packing and unpacking
 * @throws RangeError for a cursor that is not Unicode text
 */
export function pack(cursor: string, context: string): Packed {
  const text = Buffer.from(cursor, "utf8");
  if (text.toString("utf8") !== cursor) throw new RangeError("The cursor is not Unicode text.");
  const decoded = Buffer.from(cursor, "base64url");
  const json = decoded[0] === OPENING_BRACE && decoded.toString("base64url") === cursor;
  const deflated = deflate(json ? decoded : text, context);
  if (deflated.length >= text.length) return { form: Form.text, bytes: text };
  return { form: json ? Form.deflatedBase64 : Form.deflatedText, bytes: deflated };
}

/** `pack` with the last result kept: the edges of one page all hold that page's cursor. */
export function createPacker(): typeof pack {
  let last: { readonly cursor: string; readonly context: string; readonly packed: Packed } | undefined;
  return (cursor, context) => {
    if (last?.cursor !== cursor || last.context !== context) last = { cursor, context, packed: pack(cursor, context) };
    return last.packed;
  };
}

/** The cursor that was packed; null for an unknown form or bytes that are not whole. */
export function unpack(packed: Packed, context: string): string | null {
  if (packed.form === Form.text) return Buffer.from(packed.bytes).toString("utf8");
  if (packed.form !== Form.deflatedText && packed.form !== Form.deflatedBase64) return null;
  try {
    const options = { windowBits: WINDOW_BITS, dictionary: dictionaryOf(context), maxOutputLength: MAX_CURSOR_BYTES };
    const plain = inflateRawSync(packed.bytes, options);
    return plain.toString(packed.form === Form.deflatedText ? "utf8" : "base64url");
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
