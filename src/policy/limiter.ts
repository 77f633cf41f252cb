/** How much a tenant may ask: requests a minute, and requests at once. Source: docs/invariants.md 10. */
import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Limits } from "../config/schema.ts";
import { GatewayError } from "../errors.ts";

/** Gives a request's place back; a second call does nothing. */
type Release = () => void;

export interface Limiter {
  /**
   * Counts a request and takes a place for it.
   * @throws GatewayError RATE_LIMITED with `retryAfterSeconds` and `details {limit, maximum}`
   */
  enter(tenant: string, limits: Pick<Limits, "requestsPerMinute" | "concurrentRequests">): Promise<Release>;
}

/** Makes the count of a minute's requests; with one in a shared store, several gateways count together. */
export type RateStore = (options: { points: number; duration: number; keyPrefix: string }) => RateLimiterAbstract;

const MINUTE_SECONDS = 60;
/** When another of the tenant's requests ends is not known. */
const PLACE_RETRY_SECONDS = 1;

export function createLimiter(store: RateStore = (options) => new RateLimiterMemory(options)): Limiter {
  const rates = new Map<number, RateLimiterAbstract>();
  const inFlight = new Map<string, number>();

  const rateOf = (points: number): RateLimiterAbstract => {
    const rate =
      rates.get(points) ?? store({ points, duration: MINUTE_SECONDS, keyPrefix: "focowiki-gateway:requests" });
    rates.set(points, rate);
    return rate;
  };
  const takePlace = (tenant: string, maximum: number): Release => {
    const taken = inFlight.get(tenant) ?? 0;
    if (taken >= maximum) throw refused("concurrentRequests", maximum, PLACE_RETRY_SECONDS);
    inFlight.set(tenant, taken + 1);
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      const left = (inFlight.get(tenant) ?? 1) - 1;
      if (left === 0) inFlight.delete(tenant);
      else inFlight.set(tenant, left);
    };
  };

  return {
    enter: async (tenant, { requestsPerMinute, concurrentRequests }) => {
      const release = takePlace(tenant, concurrentRequests);
      try {
        await rateOf(requestsPerMinute).consume(tenant);
        return release;
      } catch (error) {
        release();
        if (!(error instanceof RateLimiterRes)) throw new GatewayError("OVERLOADED", { cause: error });
        throw refused("requestsPerMinute", requestsPerMinute, Math.max(1, Math.ceil(error.msBeforeNext / 1000)));
      }
    }
  };
}

function refused(limit: "requestsPerMinute" | "concurrentRequests", maximum: number, retryAfterSeconds: number) {
  const what = limit === "requestsPerMinute" ? "requests a minute" : "requests at once";
  return new GatewayError("RATE_LIMITED", {
    message: `${limit}: at most ${maximum} ${what}. Wait ${retryAfterSeconds} s and retry.`,
    retryAfterSeconds,
    details: { limit, maximum }
  });
}
