/** Compression of answers for clients that take it. Source: RFC 9110, section 12.5.3. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Below this a packet is not saved. */
const LEAST_BYTES = 2048;
const COMPRESSIBLE = /^(?:text\/|application\/(?:[\w.-]+\+)?json\b)/;

/** In order of preference where a client likes several the same. */
const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

const compressors = {
  // The higher qualities take many times longer for a few per cent.
  br: (body: Buffer) =>
    promisify(brotliCompress)(body, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength }
    }),
  gzip: (body: Buffer) => promisify(gzip)(body)
} as const satisfies Record<Encoding, (body: Buffer) => Promise<Buffer>>;

/** Whether an answer is worth compressing, and so differs with what the client accepts. */
export function isCompressible(body: Buffer, headers: Readonly<Record<string, string>>): boolean {
  return (
    body.byteLength >= LEAST_BYTES &&
    headers["content-encoding"] === undefined &&
    COMPRESSIBLE.test(headers["content-type"] ?? "")
  );
}

/** Off the event loop. */
export function compress(body: Buffer, encoding: Encoding): Promise<Buffer> {
  return compressors[encoding](body);
}

/**
 * The encoding that the client likes best; null where it takes none, or says nothing.
 * @param accepted the Accept-Encoding header
 */
export function preferredEncoding(accepted: string | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const weights = new Map(accepted.split(",").map(readWeight));
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get("*") ?? 0;
  const [best] = [...ENCODINGS].sort((one, other) => weightOf(other) - weightOf(one));
  return best !== undefined && weightOf(best) > 0 ? best : null;
}

function readWeight(item: string): readonly [string, number] {
  const [name = "", ...parameters] = item.split(";").map((part) => part.trim().toLowerCase());
  const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
