/** An issuer on loopback: it signs tokens, publishes its keys, and counts how often they are fetched. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";

export interface Issuer {
  readonly url: string;
  fetches(): number;
  /** What the next fetches are answered with. */
  answer(how: "keys" | "down" | "redirect" | "nonsense" | "huge"): void;
  sign(claims: JWTPayload, header?: { alg?: string; kid?: string; typ?: string }): Promise<string>;
  /** Publishes a new key in place of the old one and signs with it from then on. */
  rotate(): Promise<void>;
  publicKeyPem(): Promise<string>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startIssuer(): Promise<Issuer> {
  let fetched = 0;
  let how = "keys";
  let generation = 0;
  let pair = await newPair(generation);
  const server = createServer((request, response) => {
    fetched += 1;
    if (request.url === "/elsewhere" || how === "keys") {
      response.setHeader("content-type", "application/json").end(JSON.stringify({ keys: [pair.jwk] }));
    } else if (how === "down") response.writeHead(503).end("down");
    else if (how === "redirect") response.writeHead(302, { location: "/elsewhere" }).end();
    else if (how === "huge") response.end(JSON.stringify({ keys: [pair.jwk], padding: "x".repeat(1_000_000) }));
    else response.end("<html>");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/jwks`,
    fetches: () => fetched,
    answer: (next) => {
      how = next;
    },
    sign: (claims, { alg = "RS256", kid = pair.jwk.kid ?? "", typ } = {}) =>
      new SignJWT(claims).setProtectedHeader({ alg, kid, ...(typ ? { typ } : {}) }).sign(pair.privateKey),
    rotate: async () => {
      generation += 1;
      pair = await newPair(generation);
    },
    publicKeyPem: async () => {
      const { exportSPKI } = await import("jose");
      return exportSPKI(pair.publicKey);
    },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve()))
  };
}

async function newPair(generation: number) {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const jwk: JWK = { ...(await exportJWK(publicKey)), kid: `key-${generation}`, alg: "RS256", use: "sig" };
  return { privateKey, publicKey, jwk };
}
