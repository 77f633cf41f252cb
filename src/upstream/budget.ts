/** How many requests may still go to an upstream. All tenants share its one bucket. */
import { GatewayError } from "../errors.ts";
import { type Layer, orAborted } from "./call.ts";

export interface UpstreamBudget {
  /**
   * Takes one request out of the budget.
   * @throws GatewayError RATE_LIMITED with the wait, where nothing is left or the budget is closed
   */
  take(tenant: string): Promise<void> | void;
  /** Refuses every request for that time: the upstream itself said that its bucket is empty. */
  close(seconds: number): void;
}

/**
 * A budget of this process alone: at most `requests` in any stretch of `perSeconds`. The upstream counts in fixed
 * windows, whose borders the gateway cannot see; what holds in any stretch holds in each of them.
 */
export function slidingBudget(limit: { requests: number; perSeconds: number }, now: () => number): UpstreamBudget {
  const windowMs = limit.perSeconds * 1000;
  /** When each of the last `requests` was taken, as a ring. */
  const taken = new Float64Array(limit.requests).fill(Number.NEGATIVE_INFINITY);
  let oldest = 0;
  let closedUntil = Number.NEGATIVE_INFINITY;
  return {
    take() {
      const at = now();
      const freeAt = Math.max(closedUntil, (taken[oldest] ?? 0) + windowMs);
      if (at < freeAt) throw exhausted(Math.ceil((freeAt - at) / 1000));
      taken[oldest] = at;
      oldest = (oldest + 1) % taken.length;
    },
    close(seconds) {
      closedUntil = Math.max(closedUntil, now() + seconds * 1000);
    }
  };
}

/** Takes one request for each try, and closes the budget for as long as a 429 says. A 429 without a wait closes nothing. */
export function spending(budget: UpstreamBudget): Layer {
  return async (call, next) => {
    const taking = budget.take(call.tenant);
    if (taking !== undefined) await orAborted(taking, call.signal);
    try {
      return await next(call);
    } catch (error) {
      if (error instanceof GatewayError && error.code === "RATE_LIMITED" && error.retryAfterSeconds !== undefined) {
        budget.close(error.retryAfterSeconds);
      }
      throw error;
    }
  };
}

function exhausted(seconds: number): GatewayError {
  return new GatewayError("RATE_LIMITED", {
    message: `The knowledge service takes no more requests for now. Retry after ${seconds} seconds.`,
    retryAfterSeconds: seconds
  });
}
