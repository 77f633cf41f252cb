import { RateLimiterMemory } from "rate-limiter-flexible";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { createFailedAuthentications } from "../../src/policy/failed-authentications.ts";
import { createLimiter } from "../../src/policy/limiter.ts";

const errorOf = async (act: () => unknown) => {
  try {
    await act();
  } catch (error) {
    if (error instanceof GatewayError) return error;
  }
  throw new Error("expected a refusal");
};

describe("invariant 10: a tenant's requests", () => {
  beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2027-06-01T12:00:00Z") }));
  afterEach(() => void vi.useRealTimers());
  const limits = (requestsPerMinute: number, concurrentRequests = 100) => ({ requestsPerMinute, concurrentRequests });

  it("above the limit of a minute are refused with the limit and the wait, and others' are not", async () => {
    const limiter = createLimiter();
    for (let count = 0; count < 3; count += 1) (await limiter.enter("acme", limits(3)))();
    vi.advanceTimersByTime(20_500);
    const error = await errorOf(() => limiter.enter("acme", limits(3)));
    expect(error.body()).toEqual({
      code: "RATE_LIMITED",
      message: "requestsPerMinute: at most 3 requests a minute. Wait 40 s and retry.",
      httpStatus: 429,
      details: { limit: "requestsPerMinute", maximum: 3, retryAfterSeconds: 40 }
    });
    await limiter.enter("globex", limits(3));
    vi.advanceTimersByTime(40_000);
    await limiter.enter("acme", limits(3));
  });

  it("at once above the limit are refused until one ends", async () => {
    const limiter = createLimiter();
    const first = await limiter.enter("acme", limits(100, 2));
    await limiter.enter("acme", limits(100, 2));
    const error = await errorOf(() => limiter.enter("acme", limits(100, 2)));
    expect(error.body().details).toEqual({ limit: "concurrentRequests", maximum: 2, retryAfterSeconds: 1 });
    first();
    first();
    await limiter.enter("acme", limits(100, 2));
    await expect(limiter.enter("acme", limits(100, 2))).rejects.toThrow("concurrentRequests");
  });

  it("that are refused for their number hold no place", async () => {
    const limiter = createLimiter();
    (await limiter.enter("acme", limits(1, 1)))();
    for (let count = 0; count < 3; count += 1) {
      const { details } = await errorOf(() => limiter.enter("acme", limits(1, 1)));
      expect(details?.limit).toBe("requestsPerMinute");
    }
  });

  it("that find all places taken do not count against the minute", async () => {
    const limiter = createLimiter();
    const release = await limiter.enter("acme", limits(2, 1));
    for (let count = 0; count < 5; count += 1) await errorOf(() => limiter.enter("acme", limits(2, 1)));
    release();
    await limiter.enter("acme", limits(2, 1));
  });

  it("are counted by the store that is given, and an outage of it is an error", async () => {
    const keys: string[] = [];
    const limiter = createLimiter((options) => {
      keys.push(options.keyPrefix);
      return new RateLimiterMemory(options);
    });
    await limiter.enter("acme", limits(5));
    await limiter.enter("acme", limits(5));
    expect(keys).toEqual(["focowiki-gateway:requests"]);
    const broken = new RateLimiterMemory({ points: 1, duration: 1 });
    vi.spyOn(broken, "consume").mockRejectedValue(new Error("no connection"));
    expect((await errorOf(() => createLimiter(() => broken).enter("acme", limits(5)))).code).toBe("OVERLOADED");
  });
});

describe("failed authentications", () => {
  let now = 0;
  const failures = (perMinute: number, addresses = 100) =>
    createFailedAuthentications({ perMinute, addresses, now: () => now });

  it("are refused above the limit of an address, until its minute is over", async () => {
    now = 0;
    const { count } = failures(2);
    count("192.0.2.1");
    count("192.0.2.1");
    now = 15_000;
    const error = await errorOf(() => count("192.0.2.1"));
    expect([error.code, error.retryAfterSeconds]).toEqual(["RATE_LIMITED", 45]);
    expect(() => count("192.0.2.2")).not.toThrow();
    now = 60_000;
    expect(() => count("192.0.2.1")).not.toThrow();
  });

  it("of one IPv6 subscriber count together", async () => {
    const { count } = failures(1);
    count("2001:db8:1:2::1");
    await errorOf(() => count("2001:db8:1:2:ffff::9"));
    expect(() => count("2001:db8:1:3::1")).not.toThrow();
    count("::1");
    await errorOf(() => count("::1"));
  });

  it("are remembered for so many addresses only", () => {
    const { count } = failures(1, 10);
    for (let index = 0; index < 100_000; index += 1) count(`10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`);
    expect(() => count("10.0.0.0")).not.toThrow();
  });
});
