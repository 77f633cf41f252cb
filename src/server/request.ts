/** Makes the WHATWG Request that a surface is given from the Node.js request whose body was already read. */
import type { IncomingMessage } from "node:http";
// Node.js's own Request costs ten times as much, most of it for streams and signals that are not used here.
import { Request as MemoryRequest } from "@whatwg-node/fetch";
import type { Target } from "./target.ts";

export interface RequestParts {
  readonly target: Target;
  readonly body: Buffer<ArrayBuffer> | null;
  /** A checked `Host`. */
  readonly host: string;
  readonly signal: AbortSignal;
}

export function toRequest(incoming: IncomingMessage, { target, body, host, signal }: RequestParts): Request {
  const method = incoming.method ?? "GET";
  return new MemoryRequest(`http://${host}${target.pathname}${target.search}`, {
    method,
    // The one header that Node.js keeps as a list, Set-Cookie, is none of a request.
    headers: incoming.headers as Record<string, string>,
    signal,
    body: method === "GET" || method === "HEAD" ? null : body
  });
}
