/** Circuit breakers: an upstream that fails again and again is left alone for a while instead of waited for. */
import { type ErrorCode, GatewayError } from "../errors.ts";
import type { Call, Layer, Reply, Send } from "./call.ts";
import type { CircuitState } from "./upstream.ts";

/** What a row of failures must weigh to open the circuit. */
const OPENS_AT = 10;
/** An unanswered call cost its caller the whole wait, an answered one next to nothing. */
const UNANSWERED = 2;
const ANSWERED = 1;
const HALF_OPEN_AFTER_MS = 3000;

/**
 * Answers that say the upstream is not well. A refusal of the request, or of the caller, is a sign of life, and so is an
 * answer of a shape that the gateway does not know: it must not take other operations down.
 */
const UNWELL = new Set<ErrorCode>([
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_TIMEOUT",
  "SEARCH_TIMEOUT",
  "SEARCH_UNAVAILABLE",
  "SEARCH_OVERLOADED",
  "DATABASE_REPOSITORY_UNAVAILABLE",
  "INTERNAL_ERROR"
]);

/** One circuit. Failures in a row open it, but those of one file or one query count once, however often it is asked. */
export class Circuit {
  readonly #now: () => number;
  readonly #changed: (state: CircuitState) => void;
  readonly #failures = new Map<string | symbol, number>();
  /** Null while it is closed. */
  #openedAt: number | null = null;
  #trying = false;

  constructor(now: () => number, changed: (state: CircuitState) => void) {
    this.#now = now;
    this.#changed = changed;
  }

  /** An open circuit that would let the next call through is half-open, also while no call comes. */
  get state(): CircuitState {
    if (this.#openedAt === null) return "closed";
    return this.#trying || this.#now() - this.#openedAt >= HALF_OPEN_AFTER_MS ? "half-open" : "open";
  }

  readonly layer: Layer = (call, next) => {
    const { state } = this;
    if (state === "closed") {
      const reply = next(call);
      reply.then(this.#succeeded, (error: unknown) => this.#failed(error, call));
      return reply;
    }
    // While one call tries, the others are refused: waiting for it could take them past their deadlines.
    return state === "open" || this.#trying ? Promise.reject(this.#refusal()) : this.#try(call, next);
  };

  async #try(call: Call, next: Send): Promise<Reply> {
    this.#trying = true;
    try {
      const reply = await next(call);
      this.#close();
      return reply;
    } catch (error) {
      // Only an answer closes the circuit: a call that was aborted proves nothing.
      if (isUnwell(error, call) || !isAnswered(error)) this.#open();
      else this.#close();
      throw error;
    } finally {
      this.#trying = false;
    }
  }

  readonly #succeeded = (): void => this.#failures.clear();

  #failed(error: unknown, call: Call): void {
    // Calls that began before the circuit opened have no say after it.
    if (this.#openedAt !== null || !isUnwell(error, call)) return;
    // A connection that fails is about the upstream, whatever was asked for over it.
    const ofConnection = !isAnswered(error) && error instanceof GatewayError && error.code === "UPSTREAM_UNAVAILABLE";
    const key = ofConnection ? Symbol() : (call.subject ?? Symbol());
    this.#failures.set(key, isAnswered(error) ? ANSWERED : UNANSWERED);
    const weight = [...this.#failures.values()].reduce((sum, one) => sum + one, 0);
    if (weight >= OPENS_AT) this.#open();
  }

  #open(): void {
    this.#openedAt = this.#now();
    this.#failures.clear();
    this.#changed("open");
  }

  #close(): void {
    this.#openedAt = null;
    this.#failures.clear();
    this.#changed("closed");
  }

  #refusal(): GatewayError {
    const waitMs = (this.#openedAt ?? this.#now()) + HALF_OPEN_AFTER_MS - this.#now();
    return new GatewayError("UPSTREAM_UNAVAILABLE", {
      message: "The knowledge service does not answer at the moment. Retry after a short delay.",
      retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000))
    });
  }
}

/** Whether an outcome tells against the upstream. */
export function isUnwell(error: unknown, call: Call): boolean {
  if (!(error instanceof GatewayError) || !UNWELL.has(error.code)) return false;
  // An empty search of degraded evidence comes from an upstream that answers.
  if (error.details?.reason === "ALL_EVIDENCE_DEGRADED") return false;
  // A caller in a hurry, or one that waited for a slot, says nothing about the upstream.
  return error.answered || error.code !== "UPSTREAM_TIMEOUT" || (call.progress.sent > 0 && !call.progress.hurried);
}

function isAnswered(error: unknown): boolean {
  return error instanceof GatewayError && (error.answered || error.code === "NOT_FOUND");
}
