/** One fetch of an issuer's key set: bounded in time and bytes, and to the address that was configured. */
import type { JSONWebKeySet } from "jose";
import * as z from "zod";

/** @returns the key set; rejects for whatever else comes */
export type FetchJwks = (url: string) => Promise<JSONWebKeySet>;

const TIMEOUT_MS = 3000;
const MAX_BYTES = 256 * 1024;

const KeySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

export const fetchJwks: FetchJwks = async (url) => {
  const response = await fetch(url, {
    headers: { accept: "application/jwk-set+json, application/json" },
    // The configuration was checked for where the keys come from; a redirect would leave that place.
    redirect: "error",
    signal: AbortSignal.timeout(TIMEOUT_MS)
  });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw new Error(`The key set was answered with status ${response.status}.`);
  }
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body) {
    bytes += chunk.byteLength;
    if (bytes > MAX_BYTES) throw new Error(`The key set is larger than ${MAX_BYTES} bytes.`);
    chunks.push(chunk);
  }
  return KeySet.parse(JSON.parse(Buffer.concat(chunks).toString("utf8")));
};
