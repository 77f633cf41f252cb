import type { IncomingMessage } from "node:http";
import { describe, expect, it } from "vitest";
import { JwksCache } from "../../src/policy/jwks.ts";
import { createAuthenticate } from "../../src/server/authentication.ts";
import { testConfig } from "../harness/gateway.ts";

const PROXY = "10.0.0.1";

function setUp(trustedProxies: string[]) {
  const config = testConfig({
    upstreams: { main: { url: "http://127.0.0.1:1", key: "none" } },
    tenants: { acme: { grants: [{ upstream: "main" }] } },
    config: { server: { trustedProxies } }
  });
  const counted: string[] = [];
  const failures = { count: (address: string) => void counted.push(address) };
  const authenticate = createAuthenticate(config, { jwks: new JwksCache({ now: Date.now }), failures });
  const ask = (remoteAddress: string, headers: Record<string, string>) =>
    authenticate({ headers, socket: { remoteAddress } } as unknown as IncomingMessage);
  return { ask, counted };
}

describe("a refused credential counts for the client's address", () => {
  it("which a header cannot change where no proxy is trusted", async () => {
    const { ask, counted } = setUp([]);
    for (const forged of ["1.1.1.1", "2.2.2.2", "3.3.3.3"]) {
      await expect(ask("192.0.2.7", { "x-forwarded-for": forged })).rejects.toMatchObject({ code: "UNAUTHORIZED" });
    }
    expect(counted).toEqual(["192.0.2.7", "192.0.2.7", "192.0.2.7"]);
  });

  it("which is the rightmost hop that is not a trusted proxy", async () => {
    const { ask, counted } = setUp([PROXY]);
    await expect(ask(PROXY, { "x-forwarded-for": `1.1.1.1, 192.0.2.7, ${PROXY}` })).rejects.toThrow();
    expect(counted).toEqual(["192.0.2.7"]);
  });

  it("and one that is good counts for nothing", async () => {
    const { ask, counted } = setUp([]);
    const access = await ask("192.0.2.7", { authorization: "Bearer test-key-of-acme-0123456789" });
    expect(access).toMatchObject({ tenant: "acme", subject: "test" });
    expect(counted).toEqual([]);
  });
});
