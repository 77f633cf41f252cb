/** A fixed window of requests for each client address, as the upstream counts them: refused ones and bad keys included. */

export interface RateLimit {
  readonly requests: number;
  readonly perSeconds: number;
}

/** Waits are told in these steps, in seconds. */
const WAITS = [15, 30, 60, 120, 300];
/** Addresses that are remembered; the loopback has few. */
const MAX_CLIENTS = 1_000;

export class RateLimiter {
  private readonly limit: RateLimit;
  private readonly windows = new Map<string, { endsAt: number; used: number }>();

  constructor(limit: RateLimit) {
    this.limit = limit;
  }

  /** Counts one request. @returns the seconds to wait where it is one too many, else null */
  take(client: string): number | null {
    const now = Date.now();
    let window = this.windows.get(client);
    if (window === undefined || window.endsAt <= now) {
      window = { endsAt: now + this.limit.perSeconds * 1_000, used: 0 };
      if (this.windows.size >= MAX_CLIENTS) this.windows.clear();
      this.windows.set(client, window);
    }
    window.used += 1;
    if (window.used <= this.limit.requests) return null;
    const left = (window.endsAt - now) / 1_000;
    return WAITS.find((wait) => wait >= left) ?? (WAITS.at(-1) as number);
  }
}
