/**
 * Answers of one upstream, kept by knowledge base, revision, day and question, bounded by bytes.
 *
 * Holds what the upstream said, before policy: whose question it was plays no part. Source: docs/invariants.md 7.
 */
import { LRUCache } from "lru-cache";
import type { AnswerOf, Operation } from "../upstream/operations.ts";
import { HeldIndex } from "./held-index.ts";

/**
 * What a parsed body weighs in memory, by the bytes that it came in: objects and text of two bytes a character, and for
 * contents the bytes themselves beside them.
 */
const WEIGHT = 3;
const ENTRY_OVERHEAD = 512;
const DAY_MS = 86_400_000;

/** Where an answer is kept. */
export interface CacheKey {
  readonly knowledgeBaseId: string;
  readonly revision: number;
  /** Names knowledge base, revision and question. */
  readonly name: string;
}

interface Entry {
  readonly body: AnswerOf<Operation>;
  readonly size: number;
  readonly knowledgeBaseId: string;
  readonly revision: number;
  readonly files: readonly string[];
  /** Days since the epoch, in UTC. */
  readonly day: number;
}

export class AnswerCache {
  readonly #entries: LRUCache<string, Entry> | null;
  /** So that a withdrawn file can be found wherever it is held. */
  readonly #held = new HeldIndex();
  readonly #byKnowledgeBase = new Map<string, { revision: number; keys: Set<string> }>();
  readonly #now: () => number;

  /** @param maxBytes 0 keeps nothing */
  constructor(maxBytes: number, now: () => number) {
    this.#now = now;
    this.#entries =
      maxBytes === 0
        ? null
        : new LRUCache<string, Entry>({
            maxSize: maxBytes,
            sizeCalculation: (entry) => entry.size,
            dispose: (entry, key) => this.#forget(entry, key)
          });
  }

  get bytes(): number {
    return this.#entries?.calculatedSize ?? 0;
  }

  /** @param name see {@link CacheKey.name} */
  get(name: string): AnswerOf<Operation> | undefined {
    const entry = this.#entries?.get(name);
    // `okfSignals.isStale` depends on the date, so no answer outlives its day.
    if (entry === undefined || entry.day === this.#today()) return entry?.body;
    this.#entries?.delete(name);
    return undefined;
  }

  /**
   * @param bytes what the answer came in
   * @param files names of the files whose text it holds
   * @param ttlMs how long it may be used; left out, while the revision stands
   */
  set(key: CacheKey, body: AnswerOf<Operation>, bytes: number, files: readonly string[], ttlMs?: number): void {
    if (this.#entries === null) return;
    const shelf = this.#shelf(key);
    const { knowledgeBaseId, revision, name } = key;
    const size = bytes * WEIGHT + ENTRY_OVERHEAD;
    const entry: Entry = { body, size, files, knowledgeBaseId, revision, day: this.#today() };
    this.#entries.set(name, entry, ttlMs === undefined ? {} : { ttl: ttlMs });
    if (!this.#entries.has(name)) return;
    shelf.add(name);
    this.#held.add(knowledgeBaseId, files, name);
  }

  /** Drops every answer that holds text of the file. */
  evict(knowledgeBaseId: string, file: string): void {
    for (const name of this.#held.answers(knowledgeBaseId, file)) this.#entries?.delete(name);
  }

  /**
   * Paths of the files directly in a directory of which something is held.
   * @param directory its path; "" is the root
   */
  heldIn(knowledgeBaseId: string, directory: string): string[] {
    return this.#held.pathsIn(knowledgeBaseId, directory);
  }

  /** The keys kept for the knowledge base's revision; when the revision moves, what was kept of the other goes. */
  #shelf({ knowledgeBaseId, revision }: CacheKey): Set<string> {
    const shelf = this.#byKnowledgeBase.get(knowledgeBaseId);
    if (shelf?.revision === revision) return shelf.keys;
    for (const name of [...(shelf?.keys ?? [])]) this.#entries?.delete(name);
    const keys = new Set<string>();
    this.#byKnowledgeBase.set(knowledgeBaseId, { revision, keys });
    return keys;
  }

  #today(): number {
    return Math.floor(this.#now() / DAY_MS);
  }

  #forget(entry: Entry, name: string): void {
    this.#byKnowledgeBase.get(entry.knowledgeBaseId)?.keys.delete(name);
    this.#held.remove(entry.knowledgeBaseId, entry.files, name);
  }
}
