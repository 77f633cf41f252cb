/**
 * What the HTTP server and its surfaces hand each other: requests that were read whole, and answers that are whole. A
 * WHATWG Request and Response, made for streams, would cost more than most answers do; what streams still has them.
 */
import type { IncomingHttpHeaders } from "node:http";

export interface WholeRequest {
  readonly method: string;
  /** Percent-encoded, as it came; a path that could be folded into another was refused. docs/invariants.md 9. */
  readonly pathname: string;
  /** With its `?`, or empty. */
  readonly search: string;
  /** `http://` and a checked `Host`. */
  readonly origin: string;
  readonly headers: IncomingHttpHeaders;
  /** Null where none was sent. */
  readonly body: Buffer<ArrayBuffer> | null;
  /** Aborted when the client leaves or its time is over. */
  readonly signal: AbortSignal;
}

export interface WholeAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes may be kept and sent to others: they are never changed. */
  readonly body: string | Buffer;
}
