/** One upstream call on its way through the layers that bound it. */
import type { Ending } from "./ending.ts";
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
  /** Ends the call: by the caller's abort or at the deadline, whichever comes first. */
  readonly ending: Ending;
  /** The caller's deadline in milliseconds since the epoch, where it has one. */
  readonly deadline: number | undefined;
  readonly progress: Progress;
}

/** What becomes of a call on its way. */
interface Progress {
  /** Requests sent so far. */
  sent: number;
  /** True where the caller's deadline ends the call before the upstream's own time limit would. */
  hurried: boolean;
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

/** Settles as the work does, or rejects with the reason as soon as the call is ended. */
export function orEnded<T>(work: Promise<T>, ending: Ending): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const leave = () => reject(ending.reason);
    if (ending.ended) leave();
    ending.on(leave);
    work.then(resolve, reject).finally(() => ending.off(leave));
  });
}
