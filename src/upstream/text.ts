/** Bytes of UTF-8 as text. */
import { isAscii, transcode } from "node:buffer";

/**
 * The same text as `bytes.toString("utf8")`. That decodes text with anything beyond ASCII in it several times slower than
 * the ways taken here, and for an answer of a hundred kilobytes decoding is half of the work.
 */
export function decodeUtf8(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString("latin1");
  try {
    return transcode(bytes, "utf8", "utf16le").toString("utf16le");
  } catch {
    // Not well-formed: what is broken becomes U+FFFD.
    return bytes.toString("utf8");
  }
}
