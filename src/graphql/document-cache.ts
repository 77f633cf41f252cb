/** Parsed queries by their text, bounded by what they hold rather than by how many there are. */
import type { DocumentNode } from "graphql";
import { LRUCache } from "lru-cache";

const MAX_BYTES = 32 * 1024 * 1024;
/** A text may be a megabyte of comment; one that long is not worth its room. */
const MAX_ENTRY_BYTES = 1024 * 1024;
/** A rough measure of the syntax tree that a token becomes. */
const BYTES_PER_TOKEN = 300;
const BYTES_PER_CHARACTER = 2;

export function createDocumentCache(): LRUCache<string, DocumentNode> {
  return new LRUCache({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ENTRY_BYTES,
    sizeCalculation: ({ tokenCount = 0 }, text) => 1 + text.length * BYTES_PER_CHARACTER + tokenCount * BYTES_PER_TOKEN
  });
}
