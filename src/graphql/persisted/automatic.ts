/**
 * Texts that clients have sent with their hash, so that the next request needs the hash alone. A tenant finds what it
 * registered itself and nothing else: whether another sent a text, and what is written in it, is that one's own.
 */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

const MAX_BYTES = 16 * 1024 * 1024;
/** A longer text is answered, and sent again the next time. */
export const MAX_TEXT_BYTES = 256 * 1024;
const BYTES_PER_CHARACTER = 2;
const SHA256 = /^[0-9a-f]{64}$/;

/** Where other replicas look, too. Neither ever fails: what cannot be found or kept is sent again. */
export interface SharedOperations {
  /** @param hash 64 hexadecimal digits */
  find(tenant: string, hash: string): Promise<string | null>;
  keep(tenant: string, hash: string, text: string): void;
}

export interface AutomaticOperations {
  /** At once where this process knows the text, or nobody else could; null where the tenant has not registered it. */
  find(tenant: string, hash: string): string | null | Promise<string | null>;
  /** Remembers a text whose hash was checked. */
  keep(tenant: string, hash: string, text: string): void;
}

/** Bounded by size over all tenants. @param shared null where this process is the only one */
export function createAutomaticOperations(shared: SharedOperations | null = null): AutomaticOperations {
  const texts = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_TEXT_BYTES,
    sizeCalculation: (text, name) => (text.length + name.length) * BYTES_PER_CHARACTER
  });

  const findShared = async (tenant: string, hash: string): Promise<string | null> => {
    const text = (await shared?.find(tenant, hash)) ?? null;
    // Whoever can write to the shared store must not choose what a hash stands for.
    if (text === null || sha256(text) !== hash) return null;
    texts.set(nameOf(tenant, hash), text);
    return text;
  };

  return {
    find(tenant, hash) {
      const known = texts.get(nameOf(tenant, hash));
      if (known !== undefined) return known;
      return shared === null || !SHA256.test(hash) ? null : findShared(tenant, hash);
    },
    keep(tenant, hash, text) {
      const name = nameOf(tenant, hash);
      if (texts.has(name)) return;
      texts.set(name, text);
      shared?.keep(tenant, hash, text);
    }
  };
}

/** Neither part can run into the other: a hash that was checked has no spaces. */
function nameOf(tenant: string, hash: string): string {
  return `${hash} ${tenant}`;
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
