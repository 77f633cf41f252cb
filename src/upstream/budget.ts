/** How many requests may still go to an upstream. All tenants share its one bucket. */
import { GatewayError } from "../errors.ts";
import { type Layer, orEnded } from "./call.ts";

export interface UpstreamBudget {
  /**
   * Takes one request out of the budget.
   * @throws GatewayError RATE_LIMITED with the wait, where nothing is left or the budget is closed
   */
  take(tenant: string): Promise<void> | void;
  /** Refuses every request for that time: the upstream itself said that its bucket is empty. */
  close(seconds: number): void;
  /** Requests that could be taken now, by all tenants together; for metrics. */
  left?(): number;
  /** Told once when the client that takes from it has closed. */
  release?(): void;
}

/** Half of the bucket is shared out as guarantees, in equal parts; the other half is lent to whoever asks first. */
export const GUARANTEED = 0.5;

/**
 * A budget of this process alone: at most `requests` in any stretch of `perSeconds`. The upstream counts in fixed
 * windows, whose borders the gateway cannot see; what holds in any stretch holds in each of them.
 *
 * A tenant may take what is left of the bucket less what is kept for the others' guarantees, so that none can be starved
 * by the rest together. A tenant that is not listed has no guarantee.
 */
export function slidingBudget(
  limit: { requests: number; perSeconds: number },
  now: () => number,
  tenants: () => readonly string[] = () => []
): UpstreamBudget {
  const windowMs = limit.perSeconds * 1000;
  const taken: { readonly at: number; readonly tenant: string }[] = [];
  let head = 0;
  const spent = new Map<string, number>();
  let closedUntil = Number.NEGATIVE_INFINITY;

  const expire = (at: number): void => {
    for (let oldest = taken[head]; oldest !== undefined && oldest.at + windowMs <= at; oldest = taken[head]) {
      const left = (spent.get(oldest.tenant) ?? 0) - 1;
      if (left > 0) spent.set(oldest.tenant, left);
      else spent.delete(oldest.tenant);
      head += 1;
    }
    // Seldom, so that a busy bucket is not moved with every request.
    if (head < 1024 || head * 2 < taken.length) return;
    taken.splice(0, head);
    head = 0;
  };

  const keptForOthers = (asking: string): number => {
    const listed = tenants();
    if (listed.length < 2) return 0;
    const share = Math.floor((limit.requests * GUARANTEED) / listed.length);
    let kept = 0;
    for (const tenant of listed) if (tenant !== asking) kept += Math.max(0, share - (spent.get(tenant) ?? 0));
    return kept;
  };

  return {
    take(tenant) {
      const at = now();
      expire(at);
      if (at < closedUntil) throw exhausted(closedUntil - at);
      const left = limit.requests - (taken.length - head);
      // A full bucket and one that is all but kept for others are both free again when the oldest request leaves it.
      if (left <= 0 || left <= keptForOthers(tenant)) throw exhausted((taken[head]?.at ?? at) + windowMs - at);
      taken.push({ at, tenant });
      spent.set(tenant, (spent.get(tenant) ?? 0) + 1);
    },
    close(seconds) {
      closedUntil = Math.max(closedUntil, now() + seconds * 1000);
    },
    left() {
      const at = now();
      expire(at);
      return at < closedUntil ? 0 : limit.requests - (taken.length - head);
    }
  };
}

/** Takes one request for each try, and closes the budget for as long as a 429 says. A 429 without a wait closes nothing. */
export function spending(budget: UpstreamBudget): Layer {
  return async (call, next) => {
    const taking = budget.take(call.tenant);
    if (taking !== undefined) await orEnded(taking, call.ending);
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

/** @param waitMs until a request can be taken again */
export function exhausted(waitMs: number): GatewayError {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new GatewayError("RATE_LIMITED", {
    message: `The knowledge service takes no more requests for now. Retry after ${seconds} seconds.`,
    retryAfterSeconds: seconds
  });
}
