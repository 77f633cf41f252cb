/** Headers that every answer carries, and request headers that may come only once. */
import type { IncomingMessage } from "node:http";
import { GatewayError } from "../errors.ts";

/** Answers are one caller's own, errors included: no shared cache may keep them. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "cache-control": "private, no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  vary: "Authorization",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
};

const ONCE: ReadonlySet<string> = new Set(["authorization", "content-type", "host", "origin"]);

/**
 * Refuses a header that was sent twice where two readers could each take another one for the truth. Node.js keeps the
 * first and drops the rest silently.
 * @throws GatewayError BAD_REQUEST naming the header
 */
export function checkSingleHeaders({ rawHeaders }: IncomingMessage): void {
  let seen = "";
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? "";
    if (!ONCE.has(name)) continue;
    if (seen.includes(`${name};`)) {
      throw new GatewayError("BAD_REQUEST", {
        message: `The header ${name} was sent more than once.`,
        details: { field: name }
      });
    }
    seen += `${name};`;
  }
}
