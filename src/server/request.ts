/** A Node.js request whose body was read, as surfaces are given it, and the WHATWG Request that some of them want. */
import type { IncomingMessage } from "node:http";
// Node.js's own Request costs ten times as much, most of it for streams and signals that are not used here.
import { Request as MemoryRequest } from "@whatwg-node/fetch";
import type { WholeRequest } from "../http.ts";
import type { Target } from "./target.ts";

export interface RequestParts {
  readonly target: Target;
  readonly body: Buffer<ArrayBuffer> | null;
  readonly signal: AbortSignal;
}

/** @param incoming with a checked `Host` */
export function wholeRequest({ method = "GET", headers }: IncomingMessage, parts: RequestParts): WholeRequest {
  const { target, body, signal } = parts;
  return { method, ...target, origin: `http://${headers.host ?? "localhost"}`, headers, body, signal };
}

/** @param signal the request's own where left out; null where the reader alone is to hear of the end */
export function toRequest(
  { method, origin, pathname, search, headers, body, ...request }: WholeRequest,
  signal: AbortSignal | null = request.signal
): Request {
  return new MemoryRequest(`${origin}${pathname}${search}`, {
    method,
    // The one header that Node.js keeps as a list, Set-Cookie, is none of a request.
    headers: headers as Record<string, string>,
    ...(signal && { signal }),
    body: method === "GET" || method === "HEAD" ? null : body
  });
}
