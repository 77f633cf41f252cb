/** New API keys. */
import { createHash, randomBytes } from "node:crypto";

/** Tells scanners of leaked secrets what a string is. */
const PREFIX = "fgw_";
const RANDOM_BYTES = 32;

/** @returns a key of 256 random bits, and what the configuration keeps of it: the SHA-256 in hexadecimal digits */
export function newKey(): { readonly key: string; readonly sha256: string } {
  const key = PREFIX + randomBytes(RANDOM_BYTES).toString("base64url");
  return { key, sha256: createHash("sha256").update(key).digest("hex") };
}
