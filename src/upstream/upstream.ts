/** What the rooms above know of an upstream: one method. How it is asked is the rest of this folder. */
import type { Ending } from "./ending.ts";
import type { AnswerOf, Operation, OperationInput } from "./operations.ts";

/** How one upstream call is bounded. */
export interface CallOptions {
  /** Aborts the call; the socket is let go within a turn of the event loop. */
  readonly signal?: AbortSignal;
  /** In place of a signal, from a caller that has one for this call alone; the deadline ends the call through it too. */
  readonly ending?: Ending;
  /** Milliseconds since the epoch after which the call is UPSTREAM_TIMEOUT; the upstream's own `timeoutMs` also holds. */
  readonly deadline?: number;
  /** Who asks, so that the upstream's rate limit can be shared out. A shared call counts for who asked first. */
  readonly tenant?: string;
}

export interface Answer<O extends Operation> {
  /** The parsed answer, unknown fields included. Shared between callers: never changed after it was made. */
  readonly body: AnswerOf<O>;
  /** The bytes as they came, decoded from any content encoding. */
  readonly bytes: Buffer;
}

/** A circuit's state, for readiness: `closed` lets all through, `open` refuses, `half-open` tries one. */
export type CircuitState = "closed" | "open" | "half-open";

export interface UpstreamState {
  readonly search: CircuitState;
  readonly reads: CircuitState;
  /** The last call's time and outcome, `null` before the first. */
  readonly lastSuccessAt: number | null;
  readonly lastFailureAt: number | null;
  /** Requests that the upstream's rate limit leaves for now; null where the budget does not tell. */
  readonly budgetLeft: number | null;
}

export interface Upstream {
  /** The configuration's name of it; may be shown. Its URL and key may not. */
  readonly name: string;
  /**
   * Sends one read and parses the answer.
   * @throws GatewayError: the upstream's own code where it gave one, else UPSTREAM_TIMEOUT, UPSTREAM_UNAVAILABLE,
   *   UPSTREAM_INVALID_RESPONSE or UPSTREAM_AUTHENTICATION_FAILED. An abort by `signal` rethrows the signal's reason.
   */
  read<O extends Operation>(operation: O, input: OperationInput, options?: CallOptions): Promise<Answer<O>>;
  state(): UpstreamState;
  /** Closes idle sockets and ends those in use after their answer. */
  close(): Promise<void>;
}
