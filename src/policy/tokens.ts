/** JWTs (RFC 7519) of the issuers that tenants trust. */
import { createPublicKey } from "node:crypto";
import { decodeJwt, errors, type JWTPayload, type JWTVerifyOptions, jwtVerify } from "jose";
import type { GatewayConfig, JwtConfig } from "../config/schema.ts";
import type { Identity } from "./identity.ts";
import type { JwksCache, KeyLookup } from "./jwks.ts";

/** Clocks of issuers may differ from ours by this much. */
const CLOCK_TOLERANCE_SECONDS = 5;
const MAX_SUBJECT_LENGTH = 256;

interface TrustedIssuer {
  readonly tenant: string;
  readonly jwt: JwtConfig;
  readonly keys: KeyLookup;
  readonly options: JWTVerifyOptions;
}

/** @returns whose token it is at a time; null where it is nobody's, or could be several tenants' */
export function createTokens(
  config: GatewayConfig,
  jwks: JwksCache
): (token: string, now: number) => Promise<Identity | null> {
  const issuers = Object.entries(config.tenants ?? {}).flatMap(([tenant, { credentials }]) =>
    credentials.flatMap((credential) => ("jwt" in credential ? [trust(tenant, credential.jwt, jwks)] : []))
  );
  jwks.retain(new Set(issuers.flatMap(({ jwt }) => jwt.jwksUrl ?? [])));
  return async (token, now) => {
    const claims = readClaims(token);
    if (claims === null) return null;
    // Unverified claims only choose whose keys to try, so that strangers' tokens cost no fetch.
    const candidates = issuers.filter(({ jwt }) => claims.iss === jwt.issuer && namesTenant(claims, jwt));
    const identities = await Promise.all(candidates.map((issuer) => verify(token, issuer, now)));
    const [identity, another] = identities.filter((found) => found !== null);
    return identity !== undefined && another === undefined ? identity : null;
  };
}

function trust(tenant: string, jwt: JwtConfig, jwks: JwksCache): TrustedIssuer {
  const { issuer, audience, algorithms, maxTokenAge, typ, jwksUrl, publicKey } = jwt;
  const options: JWTVerifyOptions = {
    issuer,
    audience,
    algorithms,
    requiredClaims: ["exp"],
    clockTolerance: CLOCK_TOLERANCE_SECONDS,
    ...(maxTokenAge === undefined ? {} : { maxTokenAge }),
    ...(typ === undefined ? {} : { typ })
  };
  return { tenant, jwt, options, keys: jwksUrl === undefined ? localKey(publicKey ?? "") : jwks.lookup(jwksUrl) };
}

/** Never rejects: whatever is wrong with a token, it is nobody's. */
async function verify(token: string, issuer: TrustedIssuer, now: number): Promise<Identity | null> {
  const options = { ...issuer.options, currentDate: new Date(now) };
  try {
    const payload = await verifySignature(token, issuer.keys, options);
    const subject = claimOf(payload, issuer.jwt.subjectClaim);
    if (!namesTenant(payload, issuer.jwt) || typeof subject !== "string" || !isSubject(subject)) return null;
    return { tenant: issuer.tenant, subject };
  } catch {
    return null;
  }
}

async function verifySignature(token: string, keys: KeyLookup, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, keys, options)).payload;
  } catch (error) {
    // A token without a key id, and a set with several keys of its kind: one of them may have signed it.
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    for await (const key of error) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (failure) {
        if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
      }
    }
    throw error;
  }
}

function localKey(pem: string): KeyLookup {
  const key = createPublicKey(pem);
  return () => Promise.resolve(key);
}

function readClaims(token: string): JWTPayload | null {
  try {
    return decodeJwt(token);
  } catch {
    return null;
  }
}

/** A string, and equal: an array that holds the value names several tenants. */
function namesTenant(claims: JWTPayload, { tenantClaim, tenantValue }: JwtConfig): boolean {
  return claimOf(claims, tenantClaim) === tenantValue;
}

function claimOf(claims: JWTPayload, name: string): unknown {
  return Object.hasOwn(claims, name) ? claims[name] : undefined;
}

/** Subjects go into logs and are matched against patterns. */
function isSubject(text: string): boolean {
  return text !== "" && text.length <= MAX_SUBJECT_LENGTH && !/[\p{Cc}\p{Cs}]/u.test(text);
}
