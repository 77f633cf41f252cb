/** Undoes a content encoding that nobody asked for. */
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";

/** The content encoding is none that the gateway knows. */
export class UnknownEncoding extends Error {}

type Decode = (bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }) => Promise<Buffer>;

/** Each chunk costs a turn of the event loop; Node.js's own size would take a thousand of them for the largest answer. */
const CHUNK_BYTES = 256 * 1024;

/** The gateway asks for no encoding, but a proxy on the way may choose one. Source: RFC 9110 section 8.4.1. */
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip) as Decode,
  "x-gzip": promisify(gunzip) as Decode,
  deflate: promisify(inflate) as Decode,
  br: promisify(brotliDecompress) as Decode
};

/**
 * The decoded bytes, at most `limit`, whatever a few encoded ones would unpack to.
 * @param encoding the Content-Encoding header
 * @throws UnknownEncoding, or the decoder's error (ERR_BUFFER_TOO_LARGE above the limit)
 */
export async function decodeContent(bytes: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return bytes;
  const decode = DECODERS[name];
  if (decode === undefined) throw new UnknownEncoding();
  const decoded = await decode(bytes, { maxOutputLength: limit, chunkSize: CHUNK_BYTES });
  // A view on a part of a chunk would keep the whole chunk in memory for as long as the answer is held.
  return decoded.byteLength < CHUNK_BYTES ? Buffer.from(decoded) : decoded;
}
