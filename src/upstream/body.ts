/** Reads an answer's body to its end or to a limit, whichever comes first. */
import type { Readable, Transform } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** The body is larger than the limit; the rest was not read. */
export class BodyTooLarge extends Error {}

/** The body's content encoding is none that the gateway knows. */
export class UnknownEncoding extends Error {}

/** The gateway asks for no encoding, but a proxy on the way may choose one. Source: RFC 9110 section 8.4.1. */
const DECODERS: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
};

/**
 * The whole body, decoded. Never holds much more than `limit` bytes, whatever a few compressed ones unpack to.
 * @param encoding the Content-Encoding header
 * @throws BodyTooLarge, UnknownEncoding, or the error of the stream or the decoder; the body is destroyed then
 */
export async function readBody(body: Readable, encoding: string | undefined, limit: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? "";
  if (name === "" || name === "identity") return collect(body, limit);
  const decoder = DECODERS[name]?.();
  if (decoder === undefined) {
    discardBody(body);
    throw new UnknownEncoding();
  }
  body.once("error", (error) => decoder.destroy(error));
  body.pipe(decoder);
  try {
    return await collect(decoder, limit);
  } finally {
    discardBody(body);
  }
}

/** Lets go of a body that nobody reads; its connection is closed unless the body was at its end. */
export function discardBody(body: Readable): void {
  body.on("error", () => undefined).destroy();
}

async function collect(stream: Readable, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop by an error destroys the stream, and with it the connection.
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > limit) throw new BodyTooLarge();
    chunks.push(chunk);
  }
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
}
