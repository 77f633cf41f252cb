/** The `Authorization` header. Source: RFC 6750 2.1, RFC 9110 11.6.2. */

const MAX_BYTES = 8192;

/** The scheme in any case, then one token of visible ASCII characters. */
const BEARER = /^bearer +([\x21-\x7e]+) *$/i;

/** @returns the token, or null for anything that is not exactly one bearer token */
export function parseBearer(header: string | undefined): string | null {
  if (header === undefined || header.length > MAX_BYTES) return null;
  return BEARER.exec(header)?.[1] ?? null;
}
