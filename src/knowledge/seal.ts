/**
 * Sealed tokens: AES-256-GCM under keys derived from the configured secrets. Source: docs/invariants.md 5.
 *
 * token = base64url(version ‖ nonce ‖ ciphertext ‖ tag). The nonce is an HMAC of the binding and the plaintext, as in
 * the synthetic initialisation vectors of RFC 5297: equal input gives an equal token, and two inputs share a nonce only
 * if the HMAC collides.
 */
import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, type KeyObject } from "node:crypto";
import { LARGEST_BUCKET, pad, unpad } from "./padding.ts";

const VERSION = 1;
const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES;
/** Longer input was never sealed here, and is refused before it is decoded. */
const MAX_CHARACTERS = Math.ceil(((HEAD_BYTES + LARGEST_BUCKET + TAG_BYTES) * 4) / 3);

export interface Sealer {
  /**
   * Seals the bytes under the first secret.
   * @param binding what the token is good for; the same string must be given to open it. Not part of the token.
   * @throws RangeError for more than 6,111 bytes
   */
  seal(plain: Uint8Array, binding: string): string;
  /** The sealed bytes; null for whatever no secret sealed for this binding. Costs little for junk of any size. */
  open(token: string, binding: string): Uint8Array | null;
}

interface Keys {
  readonly encryption: KeyObject;
  readonly nonce: KeyObject;
}

/**
 * @param secrets the first seals, all open, so that a secret can be replaced without breaking walks under way
 * @throws RangeError without a secret
 */
export function createSealer(secrets: readonly string[]): Sealer {
  const keyring = secrets.map(deriveKeys);
  const [sealing] = keyring;
  if (sealing === undefined) throw new RangeError("At least one secret is needed to seal.");
  return {
    seal: (plain, binding) => encrypt(sealing, pad(plain), binding).toString("base64url"),
    open(token, binding) {
      const sealed = decode(token);
      if (sealed === null) return null;
      for (const keys of keyring) {
        const padded = decrypt(keys, sealed, binding);
        if (padded !== null) return unpad(padded);
      }
      return null;
    }
  };
}

function encrypt(keys: Keys, padded: Buffer, binding: string): Buffer {
  const nonce = nonceOf(keys, padded, binding);
  const cipher = createCipheriv(CIPHER, keys.encryption, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(additionalData(binding));
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(keys: Keys, sealed: Buffer, binding: string): Buffer | null {
  const nonce = sealed.subarray(1, HEAD_BYTES);
  const decipher = createDecipheriv(CIPHER, keys.encryption, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(additionalData(binding));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

/** Only the one spelling that sealing wrote: a decoder forgives stray characters and the last one's spare bits. */
function decode(token: string): Buffer | null {
  if (token.length > MAX_CHARACTERS) return null;
  const bytes = Buffer.from(token, "base64url");
  if (bytes.length <= HEAD_BYTES + TAG_BYTES || bytes[0] !== VERSION) return null;
  return bytes.toString("base64url") === token ? bytes : null;
}

/** The binding's length goes first, so that no two pairs of binding and plaintext read alike. */
function nonceOf(keys: Keys, padded: Buffer, binding: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(Buffer.byteLength(binding));
  const mac = createHmac("sha256", keys.nonce).update(length).update(binding, "utf8").update(padded).digest();
  return mac.subarray(0, NONCE_BYTES);
}

function additionalData(binding: string): Buffer {
  return Buffer.concat([Buffer.of(VERSION), Buffer.from(binding, "utf8")]);
}

function deriveKeys(secret: string): Keys {
  const derive = (label: string) =>
    createSecretKey(
      Buffer.from(hkdfSync("sha256", secret, "", `focowiki-gateway/cursor/v${VERSION}/${label}`, KEY_BYTES))
    );
  return { encryption: derive("encryption"), nonce: derive("nonce") };
}
