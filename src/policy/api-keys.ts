/** API keys, known by their SHA-256 only. */
import { hash, timingSafeEqual } from "node:crypto";
import { expiryOf } from "../config/credentials.ts";
import type { GatewayConfig } from "../config/schema.ts";
import type { Identity } from "./identity.ts";

interface KnownKey {
  readonly hash: Buffer;
  readonly identity: Identity;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** @returns whose key a token is at a time; null where it is nobody's, or expired */
export function createApiKeys(config: GatewayConfig): (token: string, now: number) => Identity | null {
  const known = Object.entries(config.tenants ?? {}).flatMap(([tenant, { credentials }]) =>
    credentials.flatMap((credential): readonly KnownKey[] => {
      if ("jwt" in credential) return [];
      const { apiKeySha256, subject, expiresAt } = credential;
      return [
        {
          hash: Buffer.from(apiKeySha256, "hex"),
          identity: { tenant, subject },
          expiresAt: expiresAt === undefined ? Number.POSITIVE_INFINITY : expiryOf(expiresAt)
        }
      ];
    })
  );
  return (token, now) => {
    const digest = hash("sha256", token, "buffer");
    let found: KnownKey | null = null;
    // All are compared, each in constant time: how long it takes tells nothing about any.
    for (const key of known) if (timingSafeEqual(key.hash, digest)) found = key;
    return found !== null && now < found.expiresAt ? found.identity : null;
  };
}
