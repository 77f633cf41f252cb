/** Asks once more where the first try failed on the way, as long as retries stay a small part of all calls. */
import { setTimeout as delay } from "node:timers/promises";
import { GatewayError } from "../errors.ts";
import { type Layer, orEnded, type Reply } from "./call.ts";
import type { Ending } from "./ending.ts";
import { WireFailure } from "./wire-failure.ts";

const MAX_ATTEMPTS = 3;
/** The longest delay before the first retry; it doubles with each. The delay itself is random up to that. */
const BASE_DELAY_MS = 50;

/** The socket broke under a request: most often an idle one that the upstream was closing at that moment. */
const BROKEN_SOCKET = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"]);
const UNREACHED = new Set(["ECONNREFUSED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EAI_AGAIN"]);

/** What can be saved up for errors that an answer told, or that no connection brought; and what there is at first. */
const MOST_SAVED = 10;

/** Lets retries through up to a share of the calls made, so that they cannot double the load of an outage. */
export class RetryBudget {
  readonly #share: number;
  readonly #sockets: number;
  #tokens = MOST_SAVED;
  #tokensOfSockets: number;

  /**
   * @param sockets how many idle sockets an upstream may close at one time, each of which is worth a retry
   * @param share retries per call in the long run, of whatever kind
   */
  constructor(sockets: number, share = 0.1) {
    this.#share = share;
    this.#sockets = sockets;
    this.#tokensOfSockets = sockets;
  }

  deposit(): void {
    if (this.#tokens < MOST_SAVED) this.#tokens = Math.min(MOST_SAVED, this.#tokens + this.#share);
    else this.#tokensOfSockets = Math.min(this.#sockets, this.#tokensOfSockets + this.#share);
  }

  withdraw(): boolean {
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** For a socket that may have been idle. */
  withdrawForSocket(): boolean {
    if (this.#tokensOfSockets < 1) return false;
    this.#tokensOfSockets -= 1;
    return true;
  }
}

/** Retries reads that never reached the upstream or met one that was going down. Never after a 429. */
export function retries(budget: RetryBudget): Layer {
  return async (call, next): Promise<Reply> => {
    budget.deposit();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await next(call);
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !isPassing(error)) throw error;
        // One that was idle is no sign of load: asked again at once, on another socket. But a new one may break as well.
        if (attempt === 1 && isBrokenSocket(error) && budget.withdrawForSocket()) continue;
        if (!budget.withdraw()) throw error;
        await pause(Math.random() * BASE_DELAY_MS * 2 ** (attempt - 1), call.ending);
      }
    }
  };
}

/** Socket errors, 502, 504 and an unavailable database; but not where the upstream named a wait. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof GatewayError) || error.retryAfterSeconds !== undefined) return false;
  if (error.code === "DATABASE_REPOSITORY_UNAVAILABLE") return true;
  if (error.code !== "UPSTREAM_UNAVAILABLE" && error.code !== "UPSTREAM_TIMEOUT") return false;
  const { cause } = error;
  if (!(cause instanceof WireFailure)) return false;
  return cause.status === 502 || cause.status === 504 || isBrokenSocket(error) || UNREACHED.has(cause.code ?? "");
}

function isBrokenSocket(error: unknown): boolean {
  return (
    error instanceof GatewayError && error.cause instanceof WireFailure && BROKEN_SOCKET.has(error.cause.code ?? "")
  );
}

/** @throws the reason where the call is ended meanwhile */
async function pause(ms: number, ending: Ending): Promise<void> {
  const over = new AbortController();
  try {
    await orEnded(delay(ms, undefined, { signal: over.signal }), ending);
  } finally {
    over.abort();
  }
}
