/** Circuit breakers: an upstream that fails again and again is left alone for a while instead of waited for. */
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  circuitBreaker,
  handleWhen,
  CircuitState as PolicyState
} from "cockatiel";
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

class CallFailed extends Error {
  readonly error: unknown;
  readonly call: Call;

  constructor(error: unknown, call: Call) {
    super("call failed");
    this.error = error;
    this.call = call;
  }
}

/** One circuit. Failures in a row open it, but those of one file or one query count once, however often it is asked. */
export class Circuit {
  readonly #now: () => number;
  readonly #policy: CircuitBreakerPolicy;
  readonly #failures = new Map<string | symbol, number>();
  #openedAt = 0;

  constructor(now: () => number, changed: (state: CircuitState) => void) {
    this.#now = now;
    this.#policy = circuitBreaker(
      handleWhen((thrown) => thrown instanceof CallFailed && this.#isFailure(thrown)),
      {
        halfOpenAfter: HALF_OPEN_AFTER_MS,
        breaker: {
          state: null,
          success: () => this.#failures.clear(),
          failure: () => this.#weigh() >= OPENS_AT
        }
      }
    );
    this.#policy.onBreak(() => {
      this.#openedAt = now();
      this.#failures.clear();
      changed("open");
    });
    this.#policy.onReset(() => changed("closed"));
  }

  /** An open circuit that would let the next call through is half-open, also while no call comes. */
  get state(): CircuitState {
    if (this.#policy.state === PolicyState.Closed) return "closed";
    if (this.#policy.state === PolicyState.HalfOpen) return "half-open";
    return this.#now() - this.#openedAt < HALF_OPEN_AFTER_MS ? "open" : "half-open";
  }

  readonly layer: Layer = async (call, next) => {
    // While one call tries, the others are refused; the policy would let them wait for it past their deadlines.
    if (this.#policy.state === PolicyState.HalfOpen) throw this.#refusal();
    try {
      return await this.#policy.execute(() => failing(call, next));
    } catch (thrown) {
      if (thrown instanceof CallFailed) throw thrown.error;
      throw thrown instanceof BrokenCircuitError ? this.#refusal() : thrown;
    }
  };

  #isFailure({ error, call }: CallFailed): boolean {
    // The one call of a half-open circuit closes it only by an answer: one that was aborted proves nothing.
    if (this.#policy.state === PolicyState.HalfOpen) return isUnwell(error, call) || !isAnswered(error);
    return isUnwell(error, call);
  }

  #weigh(): number {
    const last = this.#policy.lastFailure;
    const failed = last !== undefined && "error" in last ? last.error : undefined;
    if (failed instanceof CallFailed) {
      const { error, call } = failed;
      // A connection that fails is about the upstream, whatever was asked for over it.
      const ofConnection = !isAnswered(error) && error instanceof GatewayError && error.code === "UPSTREAM_UNAVAILABLE";
      const key = ofConnection ? Symbol() : (call.subject ?? Symbol());
      this.#failures.set(key, isAnswered(error) ? ANSWERED : UNANSWERED);
    }
    return [...this.#failures.values()].reduce((sum, weight) => sum + weight, 0);
  }

  #refusal(): GatewayError {
    const waitMs = this.#openedAt + HALF_OPEN_AFTER_MS - this.#now();
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
  return error.answered || error.code !== "UPSTREAM_TIMEOUT" || (call.progress.sent > 0 && !call.hurried);
}

function isAnswered(error: unknown): boolean {
  return error instanceof GatewayError && (error.answered || error.code === "NOT_FOUND");
}

async function failing(call: Call, next: Send): Promise<Reply> {
  try {
    return await next(call);
  } catch (error) {
    throw new CallFailed(error, call);
  }
}
