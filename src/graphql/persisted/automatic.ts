/** Texts that clients have sent with their hash, so that the next request needs the hash alone. Bounded by their size. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

const MAX_BYTES = 16 * 1024 * 1024;
/** A longer text is answered, and sent again the next time. */
const MAX_TEXT_BYTES = 256 * 1024;
const BYTES_PER_CHARACTER = 2;

export interface AutomaticOperations {
  get(hash: string): string | undefined;
  /** Remembers a text whose hash was checked. */
  set(hash: string, text: string): void;
}

export function createAutomaticOperations(): AutomaticOperations {
  const texts = new LRUCache<string, string>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_TEXT_BYTES,
    sizeCalculation: (text, hash) => (text.length + hash.length) * BYTES_PER_CHARACTER
  });
  return { get: (hash) => texts.get(hash), set: (hash, text) => void texts.set(hash, text) };
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
