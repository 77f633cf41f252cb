/** Who may ask at all, on a running gateway: every surface decides it once, in the same way, and says nothing about why. */
import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CredentialConfig } from "../../src/config/schema.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer, type TestGateway, type TestGatewayOptions } from "../harness/gateway.ts";
import { type Issuer, startIssuer } from "../policy/jwks-server.ts";
import { MCP_HEADERS } from "./surfaces.ts";

type Credentials = CredentialConfig[];

const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");
const key = (name: string, more: { expiresAt?: string } = {}) => ({
  apiKeySha256: sha256(name),
  subject: name,
  ...more
});
const YESTERDAY = new Date(Date.now() - 86_400_000).toISOString();
const TOMORROW = new Date(Date.now() + 86_400_000).toISOString();

let upstream: FakeUpstream;
let gateway: TestGateway;
let issuer: Issuer;

const options = (acme: Credentials): TestGatewayOptions => ({
  upstreams: { main: upstream },
  tenants: {
    acme: { credentials: acme, grants: [{ upstream: "main" }], limits: { requestsPerMinute: 100_000 } },
    globex: { credentials: [key("globex-key")], grants: [{ upstream: "main", operations: ["list_tree"] }] }
  }
});

const jwt = (): Credentials[number] => ({
  jwt: {
    issuer: "https://id.example.com",
    audience: "gateway",
    jwksUrl: issuer.url,
    algorithms: ["RS256"],
    tenantClaim: "org",
    tenantValue: "acme",
    subjectClaim: "sub",
    maxTokenAge: "1h"
  }
});

beforeAll(async () => {
  upstream = await fakeUpstream();
  issuer = await startIssuer();
  gateway = await startGateway(
    options([
      key("old-key"),
      key("new-key"),
      key("expired-key", { expiresAt: YESTERDAY }),
      key("lasting-key", { expiresAt: TOMORROW }),
      jwt()
    ])
  );
});

afterAll(async () => {
  await gateway.close();
  await upstream.close();
  await issuer[Symbol.asyncDispose]();
});

/** The same harmless question on each surface. */
const SURFACES: Readonly<Record<string, (authorization: string | undefined) => Promise<TestAnswer>>> = {
  graphql: (authorization) =>
    gateway.post("/graphql", { query: "{ viewer { tenant subject } }" }, { headers: headersOf(authorization) }),
  "graphql by GET": (authorization) =>
    gateway.get("/graphql?query={viewer{tenant,subject}}", { headers: headersOf(authorization) }),
  agent: (authorization) => gateway.get("/agent/tree", { headers: headersOf(authorization) }),
  tool: (authorization) => gateway.post("/agent/tools/list_tree", {}, { headers: headersOf(authorization) }),
  mirror: (authorization) => gateway.get("/openapi/v2/knowledge-bases", { headers: headersOf(authorization) }),
  openapi: (authorization) => gateway.get("/openapi.json", { headers: headersOf(authorization) }),
  mcp: (authorization) =>
    gateway.post(
      "/mcp",
      { jsonrpc: "2.0", id: 1, method: "tools/list" },
      { headers: { ...MCP_HEADERS, ...headersOf(authorization) } }
    )
};
const NAMES = Object.keys(SURFACES);

function headersOf(authorization: string | undefined): Record<string, string> {
  return authorization === undefined ? {} : { authorization };
}

async function statusOf(surface: string, token: string): Promise<number> {
  return (await SURFACES[surface]?.(`Bearer ${token}`))?.status ?? 0;
}

function told({ status, headers, text }: TestAnswer): string {
  const names = [...headers].filter(([name]) => name !== "date").map(([name, value]) => `${name}: ${value}`);
  return [status, ...names, text].join("\n").replace(/req-[0-9a-f-]{36}/g, "req-…");
}

const claims = (more: object = {}) => {
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: "https://id.example.com",
    aud: "gateway",
    sub: "user-7",
    org: "acme",
    iat: now - 60,
    exp: now + 600,
    ...more
  };
};

describe("keys", () => {
  it.each(NAMES)("%s takes each of a tenant's keys, those that will expire too", async (surface) => {
    for (const name of ["old-key", "new-key", "lasting-key"]) expect(await statusOf(surface, name)).toBe(200);
  });

  it.each(NAMES)("%s refuses no key, junk, an expired key and another's alike, and asks nothing", async (surface) => {
    upstream.reset();
    const forms = [
      undefined,
      "Bearer ",
      "Bearer junk",
      "Bearer expired-key",
      "Basic b2xkLWtleQ==",
      `Bearer ${sha256("old-key")}`
    ];
    const answers = await Promise.all(forms.map((form) => SURFACES[surface]?.(form)));
    expect(new Set(answers.map((answer) => answer && told(answer))).size).toBe(1);
    expect(answers[0]?.status).toBe(401);
    expect(upstream.count()).toBe(0);
  });

  it("tell whose they are, and open what their tenant is granted", async () => {
    const viewer = async (token: string) =>
      (await gateway.graphql("{ viewer { tenant subject } }", undefined, { token })).body.data.viewer;
    expect(await viewer("new-key")).toEqual({ tenant: "acme", subject: "new-key" });
    expect(await viewer("globex-key")).toEqual({ tenant: "globex", subject: "globex-key" });
    const search = "/agent/search?query=anything";
    expect((await gateway.get(search, { token: "new-key" })).status).toBe(200);
    expect((await gateway.get(search, { token: "globex-key" })).body.error.code).toBe("FORBIDDEN");
  });

  it.each(NAMES)(
    "%s refuses a revoked key from the next request on, and takes the one that replaced it",
    async (surface) => {
      expect(await statusOf(surface, "old-key")).toBe(200);
      gateway.reload(options([key("new-key"), key("newest-key"), jwt()]));
      expect(await statusOf(surface, "old-key")).toBe(401);
      expect(await statusOf(surface, "new-key")).toBe(200);
      expect(await statusOf(surface, "newest-key")).toBe(200);
      gateway.reload(options([key("old-key"), key("new-key"), jwt()]));
    }
  );
});

describe("tokens of an identity provider", { timeout: 60_000 }, () => {
  it.each(NAMES)("%s takes one that is signed, for this audience, fresh and of this tenant", async (surface) => {
    expect(await statusOf(surface, await issuer.sign(claims()))).toBe(200);
  });

  it("make their subject the caller", async () => {
    const answer = await gateway.graphql("{ viewer { tenant subject } }", undefined, {
      token: await issuer.sign(claims())
    });
    expect(answer.body.data.viewer).toEqual({ tenant: "acme", subject: "user-7" });
  });

  it.each([
    ["another issuer", { iss: "https://evil.example.com" }],
    ["another audience", { aud: "other" }],
    ["another tenant", { org: "globex" }],
    ["a list of tenants", { org: ["acme"] }],
    ["no expiry", { exp: undefined }],
    ["an expiry that has passed", { exp: Math.floor(Date.now() / 1000) - 60 }],
    ["too old an age", { iat: Math.floor(Date.now() / 1000) - 4000 }],
    ["no subject", { sub: undefined }]
  ])("with %s are refused on every surface like no token at all", async (_, changed) => {
    const token = await issuer.sign(claims(changed) as Parameters<Issuer["sign"]>[0]);
    for (const name of NAMES) {
      const [refused, missing] = await Promise.all([SURFACES[name]?.(`Bearer ${token}`), SURFACES[name]?.(undefined)]);
      expect(refused && told(refused)).toBe(missing && told(missing));
    }
  });

  it("without a signature, or signed with the public key as a secret, are refused", async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const none = `${encode({ alg: "none" })}.${encode(claims())}.`;
    const hs256 = `${encode({ alg: "HS256", kid: "key-0" })}.${encode(claims())}`;
    const signature = createHmac("sha256", await issuer.publicKeyPem())
      .update(hs256)
      .digest("base64url");
    for (const token of [none, `${hs256}.${signature}`]) expect(await statusOf("mirror", token)).toBe(401);
  });

  it("with a thousand unknown key ids cost one fetch of the keys, and good ones still pass", async () => {
    const good = await issuer.sign(claims());
    expect(await statusOf("mirror", good)).toBe(200);
    const before = issuer.fetches();
    const [, body, signature] = good.split(".");
    const strangers = Array.from({ length: 1000 }, (_, index) => {
      const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: `unknown-${index}` })).toString("base64url");
      return `${header}.${body}.${signature}`;
    });
    const statuses = new Set<number>();
    // Few enough at once that a busy machine sheds none of them.
    for (let from = 0; from < strangers.length; from += 20) {
      const part = strangers.slice(from, from + 20).map((token) => statusOf("mirror", token));
      for (const status of await Promise.all(part)) statuses.add(status);
    }
    // Where a minute's failures of one address are spent, it is told to wait.
    expect([...statuses].every((status) => status === 401 || status === 429)).toBe(true);
    expect(issuer.fetches() - before).toBeLessThanOrEqual(1);
    issuer.answer("down");
    expect(await statusOf("mirror", good)).toBe(200);
    issuer.answer("keys");
  });
});

describe("an address that fails too often", { timeout: 60_000 }, () => {
  const start = (trustedProxies: string[]) =>
    startGateway({ ...options([key("new-key")]), config: { server: { trustedProxies } } });
  const fail = (at: TestGateway, forwarded: string) =>
    at.get("/openapi/v2/health", { token: "junk", headers: { "x-forwarded-for": forwarded } });
  const failOften = async (at: TestGateway, forwardedOf: (index: number) => string) => {
    for (let index = 0; index < 1200; index += 40) {
      await Promise.all(Array.from({ length: 40 }, (_, part) => fail(at, forwardedOf(index + part))));
    }
  };

  it("is one address whatever it writes into X-Forwarded-For; good keys from there still pass", async () => {
    await using at = await start([]);
    await failOften(at, (index) => `203.0.113.${index % 250}`);
    const { status, body, headers } = await fail(at, "198.51.100.1");
    expect([status, body.error.code]).toEqual([429, "RATE_LIMITED"]);
    expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await at.get("/openapi/v2/health", { token: "new-key" })).status).toBe(200);
  });

  it("is the rightmost hop that no trusted proxy wrote", async () => {
    await using at = await start(["127.0.0.1"]);
    await failOften(at, (index) => `10.0.0.${index % 250}, 203.0.113.7`);
    expect((await fail(at, "10.9.9.9, 203.0.113.7")).status).toBe(429);
    expect((await fail(at, "203.0.113.7, 203.0.113.8")).status).toBe(401);
  });
});
