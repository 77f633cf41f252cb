/** Writes a surface's answer, a stream or whole, to a Node.js response. */
import { once } from "node:events";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import type { WholeAnswer } from "../http.ts";
import { compress, isCompressible, preferredEncoding } from "./compression.ts";
import { type Caller, entityTag, isUnchanged } from "./conditional.ts";
import { SECURITY_HEADERS } from "./headers.ts";

const STREAMED = /^(?:text\/event-stream|multipart\/mixed)/;

/** For the caller's own keeping, and to be asked about each time. */
const KEPT = "private, no-cache";

/** Node.js's to say, who knows the connection. */
const OF_CONNECTION: ReadonlySet<string> = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** How long a client may take nothing of an answer that waits for it. */
const STALLED_MS = 30_000;

export interface WriteOptions {
  readonly requestId: string;
  readonly method: string;
  /** The request's. */
  readonly requested: IncomingHttpHeaders;
  /** Who is answered, where that is known. */
  readonly caller: Caller | null;
  /** Beside the surface's own and those every answer carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends a stream that nobody reads any more. */
  readonly signal: AbortSignal;
}

/**
 * Resolves when the last byte is handed to the socket, or when there is nobody to hand it to. A stream that breaks off
 * ends the connection, so that no client takes the part for the whole.
 */
export async function writeResponse(
  outgoing: ServerResponse,
  response: Response | WholeAnswer,
  options: WriteOptions
): Promise<void> {
  if (isWhole(response)) {
    const body = typeof response.body === "string" ? Buffer.from(response.body) : response.body;
    const headers = collectHeaders(Object.entries(response.headers), options);
    return await writeWhole(outgoing, response.status, headers, body, options);
  }
  if (outgoing.destroyed) return await response.body?.cancel();
  const headers = collectHeaders(response.headers, options);
  if (response.body === null) {
    outgoing.writeHead(response.status, headers).end();
  } else if (STREAMED.test(headers["content-type"] ?? "")) {
    outgoing.writeHead(response.status, headers).flushHeaders();
    await writeStream(outgoing, response.body, options.signal);
  } else {
    await writeWhole(outgoing, response.status, headers, Buffer.from(await response.arrayBuffer()), options);
  }
}

function isWhole(response: Response | WholeAnswer): response is WholeAnswer {
  return typeof response.body === "string" || Buffer.isBuffer(response.body);
}

async function writeWhole(
  outgoing: ServerResponse,
  status: number,
  headers: Record<string, string>,
  body: Buffer,
  { method, requested, caller }: WriteOptions
): Promise<void> {
  const { "if-none-match": condition, "accept-encoding": accepted } = requested;
  const compressible = isCompressible(body, headers);
  if (compressible) headers.vary = `${headers.vary}, Accept-Encoding`;
  if (status === 200 && caller !== null && method === "GET") {
    const tag = entityTag(caller, headers["content-type"] ?? "", body);
    headers.etag = tag;
    // Whoever asks with a tag keeps answers; all others are told not to.
    if (condition !== undefined) headers["cache-control"] = KEPT;
    if (condition !== undefined && isUnchanged(condition, tag)) {
      delete headers["content-type"];
      return void outgoing.writeHead(304, headers).end();
    }
  }
  let sent = body;
  if (compressible) {
    const encoding = preferredEncoding(accepted);
    if (encoding !== null) {
      sent = await compress(body, encoding);
      headers["content-encoding"] = encoding;
    }
  }
  headers["content-length"] = String(sent.byteLength);
  if (outgoing.destroyed) return;
  outgoing.writeHead(status, headers).end(method === "HEAD" ? undefined : sent);
  // Whoever stops reading would hold the answer, and a place among the tenant's requests, for ever.
  if (!outgoing.writableFinished) outgoing.setTimeout(STALLED_MS, () => outgoing.destroy());
}

function collectHeaders(
  own: Iterable<readonly [string, string]>,
  { requestId, headers }: WriteOptions
): Record<string, string> {
  const collected: Record<string, string> = { "x-request-id": requestId, ...SECURITY_HEADERS, ...headers };
  // Not every implementation of Headers gives names in lower case, as the standard has it.
  for (const [original, value] of own) {
    const name = original.toLowerCase();
    if (OF_CONNECTION.has(name)) continue;
    collected[name] = name === "vary" ? `${collected.vary}, ${value}` : value;
  }
  return collected;
}

async function writeStream(
  outgoing: ServerResponse,
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal
): Promise<void> {
  const reader = body.getReader();
  try {
    for (let part = await read(reader, signal); !part.done; part = await read(reader, signal)) {
      if (!outgoing.write(part.value)) await once(outgoing, "drain", { signal });
    }
    outgoing.end();
  } catch {
    outgoing.destroy();
    await reader.cancel(signal.reason).catch(() => undefined);
  }
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal) {
  signal.throwIfAborted();
  const abort = () => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await reader.read();
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
