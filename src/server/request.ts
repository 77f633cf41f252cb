/** Makes the WHATWG Request that a surface is given from the Node.js request whose body was already read. */
import type { IncomingMessage } from "node:http";
import type { Target } from "./target.ts";

export interface RequestParts {
  readonly target: Target;
  readonly body: Buffer<ArrayBuffer> | null;
  /** A checked `Host`. */
  readonly host: string;
  readonly signal: AbortSignal;
}

/** Says how the body came over this connection; meaningless once it is in memory. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(["connection", "expect", "keep-alive", "transfer-encoding", "upgrade"]);

export function toRequest(incoming: IncomingMessage, { target, body, host, signal }: RequestParts): Request {
  const method = incoming.method ?? "GET";
  const headers: [string, string][] = [];
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value === undefined || HOP_BY_HOP.has(name)) continue;
    headers.push([name, Array.isArray(value) ? value.join(", ") : value]);
  }
  return new Request(`http://${host}${target.pathname}${target.search}`, {
    method,
    headers,
    signal,
    body: method === "GET" || method === "HEAD" ? null : body
  });
}
