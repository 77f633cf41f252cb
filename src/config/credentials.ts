/** Whether credentials can be used, and each by one tenant only. */
import { createPublicKey } from "node:crypto";
import type { ConfigDraft } from "./draft.ts";
import { isLoopbackHost } from "./loopback.ts";
import { error, type Finding, type KeyPath, warning } from "./problems.ts";
import type { CredentialConfig, JwtConfig } from "./schema.ts";

interface Placed {
  readonly path: KeyPath;
  readonly credential: CredentialConfig;
}

/** @param now milliseconds since the epoch, for keys that have expired */
export function checkCredentials({ tenants }: ConfigDraft, now: number): readonly Finding[] {
  const placed = (tenants ?? []).flatMap(({ name, credentials }) =>
    credentials.flatMap((credential, index): readonly Placed[] =>
      credential === null ? [] : [{ path: ["tenants", name, "credentials", index], credential }]
    )
  );
  return placed.flatMap((one, index) => [
    ...checkOverlap(one, placed.slice(0, index)),
    ...("jwt" in one.credential ? checkKeySource(one.path, one.credential.jwt) : checkExpiry(one, now))
  ]);
}

/** The end of a key's validity: a date alone lasts until its end in UTC. Milliseconds since the epoch. */
export function expiryOf(expiresAt: string): number {
  return expiresAt.includes("T") ? Date.parse(expiresAt) : Date.parse(`${expiresAt}T00:00:00Z`) + 24 * 60 * 60 * 1000;
}

function checkOverlap({ path, credential }: Placed, earlier: readonly Placed[]): readonly Finding[] {
  const other = earlier.find((one) => overlaps(one.credential, credential));
  if (other === undefined) return [];
  const what = "jwt" in credential ? "the same token could match" : "the same key is in";
  return [
    error(
      path,
      `${what} ${other.path.slice(0, 2).join(".")}.credentials[${other.path[3]}]; a caller must be one tenant's`
    )
  ];
}

function overlaps(a: CredentialConfig, b: CredentialConfig): boolean {
  if ("jwt" in a) return "jwt" in b && tokensOverlap(a.jwt, b.jwt);
  return !("jwt" in b) && a.apiKeySha256.toLowerCase() === b.apiKeySha256.toLowerCase();
}

function tokensOverlap(a: JwtConfig, b: JwtConfig): boolean {
  const sameToken =
    a.issuer === b.issuer &&
    a.audience === b.audience &&
    a.tenantClaim === b.tenantClaim &&
    a.tenantValue === b.tenantValue;
  const differ = (x: string | undefined, y: string | undefined): boolean =>
    x !== undefined && y !== undefined && x !== y;
  return sameToken && !differ(a.typ, b.typ) && !differ(a.publicKey, b.publicKey);
}

function checkKeySource(path: KeyPath, { jwksUrl, publicKey }: JwtConfig): readonly Finding[] {
  if (jwksUrl !== undefined && !isProtected(jwksUrl)) {
    return [
      error([...path, "jwt", "jwksUrl"], "keys fetched without TLS can be forged; use https, or a loopback address")
    ];
  }
  if (publicKey !== undefined && !isPublicKey(publicKey)) {
    return [error([...path, "jwt", "publicKey"], "not a public key in PEM form (-----BEGIN PUBLIC KEY-----)")];
  }
  return [];
}

function isProtected(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || isLoopbackHost(hostname);
}

function isPublicKey(pem: string): boolean {
  try {
    // A private key also gives a public one, and does not belong here.
    return !pem.includes("PRIVATE KEY") && createPublicKey(pem).type === "public";
  } catch {
    return false;
  }
}

function checkExpiry({ path, credential }: Placed, now: number): readonly Finding[] {
  if ("jwt" in credential || credential.expiresAt === undefined || expiryOf(credential.expiresAt) > now) return [];
  return [warning([...path, "expiresAt"], `the key expired on ${credential.expiresAt}`)];
}
