/** Whose request it is when proxies stand in front: the rightmost hop of `X-Forwarded-For` that is not one of ours. */
import { isIP } from "node:net";
import { addressMatcher } from "../config/addresses.ts";

/**
 * @param trustedProxies addresses and CIDR ranges whose word about the hop before them counts
 * @returns the client's address from the peer's and the header's values; the header counts only where the peer is trusted
 */
export function createClientAddress(
  trustedProxies: readonly string[]
): (peer: string | undefined, forwardedFor: string | readonly string[] | undefined) => string {
  const isTrusted = addressMatcher(trustedProxies);
  return (peer, forwardedFor) => {
    let client = plain(peer ?? "");
    if (!isTrusted(client) || forwardedFor === undefined) return client;
    const hops = [forwardedFor].flat().join(",").split(",");
    for (const hop of hops.toReversed()) {
      const address = addressOf(hop.trim());
      // What a trusted proxy did not write as an address says nothing; the hop before it is the last one known.
      if (address === null) return client;
      client = address;
      if (!isTrusted(client)) return client;
    }
    return client;
  };
}

/** With or without a port: `192.0.2.1:80`, `[2001:db8::1]:80`. */
function addressOf(hop: string): string | null {
  const address = /^\[([^\]]+)\](?::\d+)?$/.exec(hop)?.[1] ?? /^([\d.]+):\d+$/.exec(hop)?.[1] ?? hop;
  return isIP(address) === 0 ? null : plain(address);
}

/** IPv4 addresses arrive as IPv6 on sockets that serve both. */
function plain(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}
