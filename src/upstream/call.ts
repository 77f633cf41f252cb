/** One upstream call on its way through the layers that bound it. */
import type { Operation, OperationKind } from "./operations.ts";

export interface Call {
  readonly operation: Operation;
  readonly kind: OperationKind;
  /** The encoded path and query, base path included. */
  readonly target: string;
  /** The parameters, for messages that name one of them. */
  readonly query: Readonly<Record<string, string>>;
  /** Names the one file or query that the call is about; null for calls about a knowledge base or the service. */
  readonly subject: string | null;
  /** Whose call it is; "" where nobody said. */
  readonly tenant: string;
  /** The caller's own signal, where it has one. */
  readonly caller: AbortSignal | undefined;
  /** The call's own controller, where its caller made one; then there is no `caller`. */
  readonly ending: AbortController | undefined;
  /** Ends the call: the caller's abort or the deadline, whichever comes first. Set by the deadline's layer. */
  readonly signal: AbortSignal;
  /** The caller's deadline in milliseconds since the epoch, where it has one. */
  readonly deadline: number | undefined;
  /** True where the caller's deadline ends the call before the upstream's own time limit would. */
  readonly hurried: boolean;
  /** Requests sent so far; shared by all copies of the call. */
  readonly progress: { sent: number };
}

/** An answer as it came over the wire, its body read whole and decoded. */
export interface Exchange {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/** An answer that was understood: `body` fits the operation's contract. */
export interface Reply {
  readonly body: unknown;
  readonly bytes: Buffer;
}

export type Send = (call: Call) => Promise<Reply>;

/** Does its part before and after, and lets the rest happen through `next`, once or several times. */
export type Layer = (call: Call, next: Send) => Promise<Reply>;

/** Layers in the order in which a call meets them, around `send`. */
export function layered(layers: readonly Layer[], send: Send): Send {
  return layers.reduceRight<Send>((next, layer) => (call) => layer(call, next), send);
}

/** Settles as the work does, or rejects with the signal's reason as soon as it aborts. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  });
}
