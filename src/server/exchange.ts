/** One HTTP request on its way through the gateway: what every step may ask of it, and what must happen at its end. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { GatewayError, newRequestId } from "../errors.ts";
import type { Surface } from "../knowledge/types.ts";
import { surfaceOf } from "./routes.ts";

/** What the request is waiting for; decides what a passed deadline means. */
type Phase = "body" | "answer";

/** No client ever sees it. */
const CLIENT_CLOSED_REQUEST = 499;

export class Exchange {
  readonly requestId = newRequestId();
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly method: string;
  /** As it came, before it is checked. */
  readonly rawTarget: string;
  /** In whose form refusals are written. */
  readonly surface: Surface;
  readonly startedAt = performance.now();
  /** Resolves when the answer is on its way or nobody is left to receive it. */
  readonly closed: Promise<void>;
  /** True for a probe, which comes every few seconds and says nothing new. */
  isProbe = false;
  /** Who called, once that is known; for the log. */
  caller: { readonly tenant: string; readonly subject: string } | null = null;
  /** The trace that the request belongs to, where one is recorded. */
  traceId: string | null = null;
  upstreamCalls = 0;
  /** The operations that were read, by the Developer OpenAPI's names; a closed set. */
  readonly operations = new Set<string>();
  phase: Phase = "answer";

  #abandoned = false;
  #refused = false;
  #errors: string[] = [];
  readonly #abort = new AbortController();
  readonly #endings: (() => void)[] = [];

  constructor(incoming: IncomingMessage, outgoing: ServerResponse) {
    this.incoming = incoming;
    this.outgoing = outgoing;
    this.method = incoming.method ?? "GET";
    this.rawTarget = incoming.url ?? "/";
    this.surface = surfaceOf(this.rawTarget);
    this.closed = this.#untilClosed();
  }

  /** Aborted when the client leaves or the deadline passes; the reason is a GatewayError. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** True where the client left before it had the whole answer. */
  get abandoned(): boolean {
    return this.#abandoned;
  }

  /**
   * Starts the total deadline.
   * @param ms `limits.requestTimeoutMs` of the tenant
   * @returns milliseconds since the epoch
   */
  startDeadline(ms: number): number {
    const timer = setTimeout(() => this.#abort.abort(tooLate(this.phase, ms)), ms);
    this.atEnd(() => clearTimeout(timer));
    return Date.now() + ms;
  }

  /** Registers what must happen when the answer has been written or given up, last registered first. */
  atEnd(ending: () => void): void {
    this.#endings.push(ending);
  }

  /** A pipelined request whose turn to answer never came hears of the end only from its connection. */
  #untilClosed(): Promise<void> {
    const { outgoing } = this;
    const { socket } = this.incoming;
    return new Promise((resolve) => {
      const close = () => {
        outgoing.off("close", close);
        socket.off("close", close);
        this.#abandoned = !outgoing.writableFinished;
        if (this.#abandoned) this.#abort.abort(clientLeft());
        resolve();
      };
      outgoing.on("close", close);
      socket.on("close", close);
    });
  }

  /** The codes of the errors that the caller was answered with; none where nobody was left to be answered. */
  get errors(): readonly string[] {
    return this.#abandoned ? [] : this.#errors;
  }

  /** Notes an error that the surface's answer shows. */
  noteError(code: string): void {
    if (!this.#refused) this.#errors.push(code);
  }

  /** Notes that the server answers in the surface's place, with this error alone, whatever the surface still says. */
  refuse(code: string): void {
    this.#refused = true;
    this.#errors = [code];
  }

  /** How the answer ended, for logs and metrics: its status, or 499 where the client left first, as nginx says it. */
  get finalStatus(): number {
    return this.#abandoned ? CLIENT_CLOSED_REQUEST : this.outgoing.statusCode;
  }

  end(): void {
    for (const ending of this.#endings.splice(0).reverse()) ending();
  }
}

function clientLeft(): GatewayError {
  return new GatewayError("BAD_REQUEST", { message: "The client closed the connection." });
}

function tooLate(phase: Phase, limit: number): GatewayError {
  const details = { limit };
  return phase === "body"
    ? new GatewayError("BAD_REQUEST", {
        message: `The request body did not arrive within ${limit} ms (limits.requestTimeoutMs).`,
        details: { field: "body", ...details }
      })
    : new GatewayError("UPSTREAM_TIMEOUT", {
        message: `The answer was not complete within ${limit} ms (limits.requestTimeoutMs).`,
        details
      });
}
