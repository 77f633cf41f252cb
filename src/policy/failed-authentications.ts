/** How often one client address may fail to authenticate: guessing keys is slowed down, and callers with good ones are not. */
import { isIPv6 } from "node:net";
import { LRUCache } from "lru-cache";
import { GatewayError } from "../errors.ts";

export interface FailedAuthentications {
  /**
   * Counts a failure.
   * @param address the client's, as `createClientAddress` tells it
   * @throws GatewayError RATE_LIMITED with `retryAfterSeconds` in place of UNAUTHORIZED once there were too many
   */
  count(address: string): void;
}

export interface FailedAuthenticationsOptions {
  /** Failures of one address within a minute that are answered as such. */
  readonly perMinute?: number;
  /** Addresses that are remembered; the one heard of longest ago is forgotten first. */
  readonly addresses?: number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

interface Minute {
  readonly endsAt: number;
  failures: number;
}

export function createFailedAuthentications(options: FailedAuthenticationsOptions = {}): FailedAuthentications {
  const { perMinute = 1200, addresses = 10_000, now = Date.now } = options;
  const minutes = new LRUCache<string, Minute>({ max: addresses });
  return {
    count: (address) => {
      const network = networkOf(address);
      const known = minutes.get(network);
      const minute = known !== undefined && now() < known.endsAt ? known : { endsAt: now() + 60_000, failures: 0 };
      minute.failures += 1;
      minutes.set(network, minute);
      if (minute.failures <= perMinute) return;
      const retryAfterSeconds = Math.max(1, Math.ceil((minute.endsAt - now()) / 1000));
      throw new GatewayError("RATE_LIMITED", {
        message: `Too many requests without a valid key. Wait ${retryAfterSeconds} s and retry.`,
        retryAfterSeconds,
        details: { limit: "failedAuthentications", maximum: perMinute }
      });
    }
  };
}

/** An IPv6 subscriber has a /64 to choose addresses from, so its first four groups count as one. */
function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const groups = head.split(":").filter((group) => group !== "");
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(":").filter((group) => group !== "").length;
  return [...groups, ...Array.from({ length: missing }, () => "0")].slice(0, 4).join(":");
}
