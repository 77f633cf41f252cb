import { createHash, createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CredentialConfig } from "../../src/config/schema.ts";
import { GatewayError } from "../../src/errors.ts";
import { createAuthenticator } from "../../src/policy/authenticate.ts";
import { JwksCache } from "../../src/policy/jwks.ts";
import { newKey } from "../../src/policy/keys.ts";
import { configOf } from "./configs.ts";
import { type Issuer, startIssuer } from "./jwks-server.ts";

const sha256 = (key: string) => createHash("sha256").update(key).digest("hex");
/** The outcome as a caller sees it: whose it is, or the whole error. */
const outcome = async (identity: Promise<unknown>) => {
  try {
    return await identity;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { ...error.body(), requestId: error.requestId };
  }
};
const refused = {
  code: "UNAUTHORIZED",
  message: "A valid bearer API key or token is required.",
  httpStatus: 401,
  requestId: undefined
};

describe("API keys", () => {
  const now = Date.parse("2027-06-01T12:00:00Z");
  const config = configOf({
    acme: {
      credentials: [
        { apiKeySha256: sha256("old-key"), subject: "bot", expiresAt: "2027-05-31" },
        { apiKeySha256: sha256("today-key"), subject: "bot", expiresAt: "2027-06-01" },
        { apiKeySha256: sha256("noon-key"), subject: "bot", expiresAt: "2027-06-01T14:00:00+02:00" },
        { apiKeySha256: sha256("new-key").toUpperCase(), subject: "bot" }
      ]
    },
    globex: { credentials: [{ apiKeySha256: sha256("globex:key!"), subject: "admin-1" }] }
  });
  const authenticate = (header: string | undefined) =>
    outcome(createAuthenticator(config, { now: () => now }).authenticate(header));

  it.each([
    ["Bearer new-key", { tenant: "acme", subject: "bot" }],
    ["bearer new-key", { tenant: "acme", subject: "bot" }],
    ["BEARER   new-key", { tenant: "acme", subject: "bot" }],
    ["Bearer today-key", { tenant: "acme", subject: "bot" }],
    ["Bearer globex:key!", { tenant: "globex", subject: "admin-1" }]
  ])("%j is %j", async (header, identity) => {
    expect(await authenticate(header)).toEqual(identity);
  });

  it.each([
    [undefined],
    [""],
    ["Bearer"],
    ["Bearer "],
    ["new-key"],
    ["Basic new-key"],
    ["Bearer new-key extra"],
    ["Bearer new-key, Bearer new-key"],
    ["Bearer\tnew-key"],
    ["Bearer NEW-KEY"],
    ["Bearer old-key"],
    ["Bearer noon-key"],
    ["Bearer €€"],
    ["Bearer new-key\u00e9"],
    ["Bearer new-key\0"],
    [`Bearer ${sha256("new-key")}`],
    [`Bearer ${"k".repeat(9000)}`],
    ["Bearer a.b.c"],
    ["Bearer eyJhbGciOiJub25lIn0.e30."]
  ])("%j is refused, and the answer says nothing about why", async (header) => {
    expect(await authenticate(header)).toEqual(refused);
  });

  it("a new key is known by its hash, and no two are alike", async () => {
    const { key, sha256: apiKeySha256 } = newKey();
    const own = configOf({ acme: { credentials: [{ apiKeySha256, subject: "s" }] } });
    expect(key).toMatch(/^fgw_[\w-]{43}$/);
    expect(await createAuthenticator(own).authenticate(`Bearer ${key}`)).toEqual({ tenant: "acme", subject: "s" });
    expect(newKey().key).not.toBe(key);
  });

  it("everybody is anonymous where there are no tenants", async () => {
    const authenticator = createAuthenticator(configOf());
    expect(await authenticator.authenticate(undefined)).toEqual({ tenant: "anonymous", subject: "anonymous" });
    expect(await authenticator.authenticate("Bearer junk")).toEqual({ tenant: "anonymous", subject: "anonymous" });
  });
});

describe("JWTs", () => {
  let issuer: Issuer;
  let now: number;
  let jwks: JwksCache;
  beforeAll(async () => {
    issuer = await startIssuer();
  });
  afterAll(() => issuer[Symbol.asyncDispose]());
  beforeEach(() => {
    now = Date.parse("2027-06-01T12:00:00Z");
    issuer.answer("keys");
    jwks = new JwksCache({ now: () => now });
  });

  type Jwt = Extract<CredentialConfig, { jwt: unknown }>["jwt"];
  const jwt = (more: Partial<Jwt> = {}): { jwt: Jwt } => ({
    jwt: {
      issuer: "https://id.example.com",
      audience: "gateway",
      jwksUrl: issuer.url,
      algorithms: ["RS256"],
      tenantClaim: "org",
      tenantValue: "acme",
      subjectClaim: "sub",
      ...more
    }
  });
  const claims = (more: object = {}) => ({
    iss: "https://id.example.com",
    aud: "gateway",
    sub: "user-7",
    org: "acme",
    iat: now / 1000 - 60,
    exp: now / 1000 + 600,
    ...more
  });
  const authenticate = (token: string, ...credentials: { jwt: Jwt }[]) => {
    const config = configOf({ acme: { credentials: credentials.length === 0 ? [jwt()] : credentials } });
    return outcome(createAuthenticator(config, { now: () => now, jwks }).authenticate(`Bearer ${token}`));
  };
  const user = { tenant: "acme", subject: "user-7" };

  it("of a trusted issuer, for this audience, naming the tenant, are its caller's", async () => {
    expect(await authenticate(await issuer.sign(claims()))).toEqual(user);
    expect(await authenticate(await issuer.sign(claims({ aud: ["other", "gateway"] })))).toEqual(user);
    expect(await authenticate(await issuer.sign(claims({ email: "a@b.c" })), jwt({ subjectClaim: "email" }))).toEqual({
      tenant: "acme",
      subject: "a@b.c"
    });
  });

  it.each([
    ["another issuer", { iss: "https://evil.example.com" }],
    ["no issuer", { iss: undefined }],
    ["another audience", { aud: "other" }],
    ["no audience", { aud: undefined }],
    ["no expiry", { exp: undefined }],
    ["expired", { exp: Date.parse("2027-06-01T11:59:00Z") / 1000 }],
    ["not yet valid", { nbf: Date.parse("2027-06-01T12:05:00Z") / 1000 }],
    ["another tenant", { org: "globex" }],
    ["no tenant", { org: undefined }],
    ["a tenant in a list", { org: ["acme"] }],
    ["a tenant that is an object", { org: { acme: true } }],
    ["no subject", { sub: undefined }],
    ["an empty subject", { sub: "" }],
    ["a subject that is a number", { sub: 7 }],
    ["a subject with a newline", { sub: "a\nb" }],
    ["a very long subject", { sub: "s".repeat(300) }]
  ])("with %s are refused", async (_, changed) => {
    const token = await issuer.sign(claims(changed) as Parameters<Issuer["sign"]>[0]);
    expect(await authenticate(token)).toEqual(refused);
  });

  it("without a signature, or with one of another kind of key, are refused", async () => {
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const body = encode(claims());
    const none = `${encode({ alg: "none" })}.${body}.`;
    const hs256 = `${encode({ alg: "HS256", kid: "key-0" })}.${body}`;
    const withPublicKey = createHmac("sha256", await issuer.publicKeyPem())
      .update(hs256)
      .digest("base64url");
    const [head, , signature] = (await issuer.sign(claims())).split(".");
    const changed = `${head}.${encode(claims({ sub: "admin" }))}.${signature}`;
    for (const token of [none, `${hs256}.${withPublicKey}`, changed, `${head}.${body}`, "..", `${head}.!!.x`]) {
      expect(await authenticate(token)).toEqual(refused);
    }
  });

  it("signed with an algorithm that is not listed are refused", async () => {
    expect(await authenticate(await issuer.sign(claims()), jwt({ algorithms: ["ES256"] }))).toEqual(refused);
    expect(await authenticate(await issuer.sign(claims()), jwt({ algorithms: ["PS256", "RS384"] }))).toEqual(refused);
  });

  it("older than maxTokenAge, or without a time of issue, are refused where it is set", async () => {
    const strict = jwt({ maxTokenAge: "1h" });
    expect(await authenticate(await issuer.sign(claims()), strict)).toEqual(user);
    expect(await authenticate(await issuer.sign(claims({ iat: now / 1000 - 3700 })), strict)).toEqual(refused);
    expect(await authenticate(await issuer.sign(claims({ iat: undefined })), strict)).toEqual(refused);
  });

  it("of another type are refused where one is set", async () => {
    const strict = jwt({ typ: "at+jwt" });
    expect(await authenticate(await issuer.sign(claims(), { typ: "at+jwt" }), strict)).toEqual(user);
    expect(await authenticate(await issuer.sign(claims(), { typ: "JWT" }), strict)).toEqual(refused);
    expect(await authenticate(await issuer.sign(claims()), strict)).toEqual(refused);
  });

  it("verify against a key in the configuration", async () => {
    const { jwksUrl: _, ...local } = jwt().jwt;
    const credential = { jwt: { ...local, publicKey: await issuer.publicKeyPem() } };
    const before = issuer.fetches();
    expect(await authenticate(await issuer.sign(claims()), credential)).toEqual(user);
    expect(issuer.fetches()).toBe(before);
  });

  it("that two credentials match are refused", async () => {
    const config = configOf({
      acme: { credentials: [jwt()] },
      globex: { credentials: [jwt({ tenantClaim: "team", tenantValue: "globex" })] }
    });
    const { authenticate: ask } = createAuthenticator(config, { now: () => now, jwks });
    expect(await outcome(ask(`Bearer ${await issuer.sign(claims())}`))).toEqual(user);
    expect(await outcome(ask(`Bearer ${await issuer.sign(claims({ team: "globex" }))}`))).toEqual(refused);
  });

  it("need one fetch of the keys, however many come at once", async () => {
    const before = issuer.fetches();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.sign(claims())));
    const outcomes = await Promise.all(tokens.map((token) => authenticate(token)));
    expect(outcomes).toEqual(tokens.map(() => user));
    expect(issuer.fetches() - before).toBe(1);
  });

  it("with a thousand unknown key ids cost one fetch a cool-down", async () => {
    expect(await authenticate(await issuer.sign(claims()))).toEqual(user);
    now += 31_000;
    const before = issuer.fetches();
    const token = await issuer.sign(claims(), { kid: "unknown" });
    const strangers = Array.from({ length: 1000 }, (_, index) => {
      const header = Buffer.from(JSON.stringify({ alg: "RS256", kid: `unknown-${index}` })).toString("base64url");
      return [header, ...token.split(".").slice(1)].join(".");
    });
    for (const stranger of strangers) expect(await authenticate(stranger)).toEqual(refused);
    expect(issuer.fetches() - before).toBe(1);
    expect(await authenticate(await issuer.sign(claims()))).toEqual(user);
  });

  it("of strangers cost no fetch", async () => {
    const before = issuer.fetches();
    expect(await authenticate(await issuer.sign(claims({ iss: "https://other.example.com" })))).toEqual(refused);
    expect(await authenticate(await issuer.sign(claims({ org: "unknown" })))).toEqual(refused);
    expect(issuer.fetches()).toBe(before);
  });

  it("still pass while the keys cannot be fetched, until they are too old", async () => {
    expect(await authenticate(await issuer.sign(claims()))).toEqual(user);
    issuer.answer("down");
    const before = issuer.fetches();
    now += 11 * 60_000;
    for (let count = 0; count < 5; count += 1) expect(await authenticate(await issuer.sign(claims()))).toEqual(user);
    expect(issuer.fetches() - before).toBe(1);
    now += 24 * 3_600_000;
    expect(await authenticate(await issuer.sign(claims()))).toEqual(refused);
    issuer.answer("keys");
    expect(await authenticate(await issuer.sign(claims()))).toEqual(refused);
    now += 31_000;
    expect(await authenticate(await issuer.sign(claims()))).toEqual(user);
  });

  it.each(["down", "redirect", "nonsense", "huge"] as const)("are refused where the first fetch is %s", async (how) => {
    issuer.answer(how);
    const before = issuer.fetches();
    expect(await authenticate(await issuer.sign(claims()))).toEqual(refused);
    expect(await authenticate(await issuer.sign(claims()))).toEqual(refused);
    expect(issuer.fetches() - before).toBe(1);
  });

  it("of a new key pass after the cool-down, and of the old one no more", async () => {
    const old = await issuer.sign(claims());
    expect(await authenticate(old)).toEqual(user);
    await issuer.rotate();
    expect(await authenticate(await issuer.sign(claims()))).toEqual(refused);
    now += 31_000;
    expect(await authenticate(await issuer.sign(claims()))).toEqual(user);
    expect(await authenticate(old)).toEqual(refused);
  });

  it("keep their keys over a reload that keeps the URL, and lose them with it", async () => {
    const token = await issuer.sign(claims());
    expect(await authenticate(token)).toEqual(user);
    const before = issuer.fetches();
    expect(await authenticate(token, jwt({ maxTokenAge: "2h" }))).toEqual(user);
    expect(issuer.fetches()).toBe(before);
    createAuthenticator(configOf({}), { now: () => now, jwks });
    expect(await authenticate(token)).toEqual(user);
    expect(issuer.fetches()).toBe(before + 1);
  });
});
