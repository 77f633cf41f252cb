/** Counts a tenant's requests together with the other replicas; alone, with the whole limit, while the store is away. */
import { RateLimiterMemory, RateLimiterRedis } from "rate-limiter-flexible";
import type { RateStore } from "../../policy/limiter.ts";
import type { SharedStore } from "./store.ts";

export function sharedRates({ client }: SharedStore): RateStore {
  return (options) =>
    new RateLimiterRedis({
      ...options,
      storeClient: client,
      rejectIfRedisNotReady: true,
      // A tenant over its limit costs the store nothing more until its minute is over.
      inMemoryBlockOnConsumed: options.points,
      insuranceLimiter: new RateLimiterMemory(options)
    });
}
