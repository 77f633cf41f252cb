import { describe, expect, it } from "vitest";
import { createClientAddress } from "../../src/policy/client-address.ts";

describe("the client's address", () => {
  const behind = createClientAddress(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32"]);

  it.each<[string, string | undefined, string | string[] | undefined, string]>([
    ["no proxy", "198.51.100.1", undefined, "198.51.100.1"],
    ["a peer that is not trusted may say what it likes", "198.51.100.1", "203.0.113.9", "198.51.100.1"],
    ["the hop before a trusted proxy", "10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["the rightmost hop that is not ours", "10.0.0.1", "1.1.1.1, 203.0.113.9, 10.2.3.4", "203.0.113.9"],
    ["what the client itself put first counts for nothing", "10.0.0.1", "10.9.9.9, 203.0.113.9", "203.0.113.9"],
    ["all hops are ours", "10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"],
    ["several headers", "10.0.0.1", ["1.1.1.1", "203.0.113.9, 10.0.0.2"], "203.0.113.9"],
    ["an IPv4 peer on an IPv6 socket", "::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"],
    ["an IPv6 proxy and client", "2001:db8::1", "2001:4860::8", "2001:4860::8"],
    ["a port", "10.0.0.1", "203.0.113.9:4711", "203.0.113.9"],
    ["an IPv6 port", "10.0.0.1", "[2001:4860::8]:4711", "2001:4860::8"],
    ["one address trusted", "192.0.2.7", "203.0.113.9", "203.0.113.9"],
    ["its neighbour not", "192.0.2.8", "203.0.113.9", "192.0.2.8"],
    ["junk", "10.0.0.1", "203.0.113.9, unknown", "10.0.0.1"],
    ["junk before a known hop", "10.0.0.1", "junk, 10.0.0.2", "10.0.0.2"],
    ["an empty header", "10.0.0.1", "", "10.0.0.1"],
    ["no peer", undefined, "203.0.113.9", ""]
  ])("%s", (_, peer, forwarded, expected) => {
    expect(behind(peer, forwarded)).toBe(expected);
  });

  it("rotating headers from one peer are one client", () => {
    const direct = createClientAddress([]);
    const seen = Array.from({ length: 100 }, (_, index) => direct("198.51.100.1", `203.0.113.${index}`));
    expect(new Set(seen)).toEqual(new Set(["198.51.100.1"]));
  });
});
