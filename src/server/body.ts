/** Reads a request's body into memory, up to a bound and a deadline. Source: docs/invariants.md 10. */
import type { IncomingMessage } from "node:http";
import { GatewayError } from "../errors.ts";
import type { Exchange } from "./exchange.ts";

/**
 * The whole body, or null where none was announced. What passes the bound is refused before it is held, whether its
 * length was announced or not.
 * @param maxBytes `limits.bodyBytes` of the tenant
 * @throws GatewayError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE for an encoded body, BAD_REQUEST for a late one
 */
export async function readBody(exchange: Exchange, maxBytes: number): Promise<Buffer<ArrayBuffer> | null> {
  const { incoming, outgoing, signal } = exchange;
  const { headers } = incoming;
  if (headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0") return null;
  const encoding = headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", {
      message: "Encoded bodies are not supported. Send it without Content-Encoding.",
      details: { field: "Content-Encoding" }
    });
  }
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  if (headers.expect !== undefined) outgoing.writeContinue();
  exchange.phase = "body";
  const body = await collect(incoming, maxBytes, signal);
  exchange.phase = "answer";
  return body;
}

function collect(incoming: IncomingMessage, maxBytes: number, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      incoming.off("data", onData).off("end", onEnd).off("error", onError);
      signal.removeEventListener("abort", onAbort);
      finish();
    };
    const onData = (chunk: Buffer) => {
      size += chunk.byteLength;
      if (size <= maxBytes) chunks.push(chunk);
      else settle(() => reject(tooLarge(maxBytes)));
    };
    const onEnd = () => settle(() => resolve(Buffer.concat(chunks)));
    const onError = (cause: unknown) => settle(() => reject(new GatewayError("BAD_REQUEST", { cause })));
    const onAbort = () => settle(() => reject(signal.reason));
    if (signal.aborted) return onAbort();
    signal.addEventListener("abort", onAbort);
    incoming.on("data", onData).on("end", onEnd).on("error", onError);
  });
}

/** How much of a refused body is still taken off the wire so that its sender can read the refusal. */
const LINGER_BYTES = 64 * 1024 * 1024;
const LINGER_MS = 5_000;

/**
 * Throws away what is left of a body, so that a sender in the middle of it sees the answer instead of a reset. Ends the
 * connection where more follows than anyone would wait for.
 */
export function discardBody(incoming: IncomingMessage): void {
  if (incoming.complete || incoming.destroyed) return;
  let left = LINGER_BYTES;
  const timer = setTimeout(() => incoming.destroy(), LINGER_MS);
  timer.unref();
  incoming.on("data", (chunk: Buffer) => {
    left -= chunk.byteLength;
    if (left < 0) incoming.destroy();
  });
  incoming.once("close", () => clearTimeout(timer));
  incoming.resume();
}

function tooLarge(limit: number): GatewayError {
  return new GatewayError("PAYLOAD_TOO_LARGE", {
    message: `The request body is larger than ${limit} bytes (limits.bodyBytes).`,
    details: { field: "body", limit }
  });
}
