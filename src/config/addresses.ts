/** Ranges of network addresses, as `server.trustedProxies` names them. */
import { BlockList, isIP } from "node:net";

export interface AddressRange {
  readonly address: string;
  /** Bits of the address that count. */
  readonly prefix: number;
  readonly family: "ipv4" | "ipv6";
}

/** @returns null for what is neither an address nor CIDR notation (RFC 4632, RFC 4291) */
export function parseAddressRange(text: string): AddressRange | null {
  const [address = "", bits, ...more] = text.split("/");
  const version = isIP(address);
  if (version === 0 || more.length > 0) return null;
  const [family, most] = version === 6 ? (["ipv6", 128] as const) : (["ipv4", 32] as const);
  if (bits !== undefined && !/^\d{1,3}$/.test(bits)) return null;
  const prefix = bits === undefined ? most : Number(bits);
  return prefix <= most ? { address, prefix, family } : null;
}

/** Whether an address lies in any range; IPv4 addresses that arrive as IPv6 (`::ffff:…`) count as IPv4. */
export function addressMatcher(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges.map(parseAddressRange)) {
    if (range !== null) list.addSubnet(range.address, range.prefix, range.family);
  }
  return (address) => {
    const version = isIP(address);
    return version !== 0 && list.check(address, version === 6 ? "ipv6" : "ipv4");
  };
}
