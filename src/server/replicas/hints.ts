/**
 * Tells other replicas what a check of a revision brought, and listens to theirs, so that one check serves all.
 *
 * A hint is another replica's `getKnowledgeBase`, with the moment at which it was sent; it is trusted for as long as one
 * of our own would be, and the clocks' difference is always taken to the hint's disadvantage. Source: docs/invariants.md 7.
 */
import type { Redis } from "ioredis";
import * as z from "zod";
import type { RevisionCheck } from "../../knowledge/knowledge.ts";
import { KnowledgeBase } from "../../upstream/contract.ts";
import { connect, KEY_PREFIX, type SharedStore } from "./store.ts";

const CHANNEL = `${KEY_PREFIX}:revisions`;

const Hint = z.object({
  replica: z.string(),
  /** Names the upstream in the store. */
  upstream: z.string(),
  knowledgeBaseId: z.string(),
  /** Null where it was not found. */
  knowledgeBase: KnowledgeBase.nullable(),
  /** Milliseconds since the epoch, on the store's clock. */
  sentAt: z.number()
});

/** A check without the configuration's name of the upstream, which other replicas may call otherwise. */
export type SharedCheck = Omit<RevisionCheck, "upstream"> & { readonly upstreamKey: string };

export class RevisionHints {
  readonly #store: SharedStore;
  readonly #subscriber: Redis;

  /** @param onCheck told of the other replicas' checks, with `sentAt` on this process's clock */
  constructor(redisUrl: string, store: SharedStore, onCheck: (check: SharedCheck) => void) {
    this.#store = store;
    this.#subscriber = connect(redisUrl);
    // A connection that comes back has forgotten what it was subscribed to.
    this.#subscriber.on("ready", () => this.#subscriber.subscribe(CHANNEL).catch(() => undefined));
    this.#subscriber.on("message", (_channel: string, text: string) => {
      const check = this.#read(text);
      if (check !== null) onCheck(check);
    });
  }

  /** Resolves when the first connection was tried. */
  async started(): Promise<void> {
    await this.#subscriber.connect().catch(() => undefined);
  }

  tell({ upstreamKey: upstream, sentAt, knowledgeBaseId, knowledgeBase }: SharedCheck): void {
    const shared = this.#store.toShared(sentAt);
    if (!this.#store.available || shared === null) return;
    const hint: z.input<typeof Hint> = {
      replica: this.#store.id,
      upstream,
      knowledgeBaseId,
      knowledgeBase,
      sentAt: shared
    };
    // Nobody is hurt by a hint that is lost: the others check for themselves.
    this.#store.client.publish(CHANNEL, JSON.stringify(hint)).catch(() => undefined);
  }

  close(): void {
    this.#subscriber.disconnect();
  }

  #read(text: string): SharedCheck | null {
    const parsed = Hint.safeParse(parseJson(text));
    if (!parsed.success || parsed.data.replica === this.#store.id) return null;
    const { upstream: upstreamKey, knowledgeBaseId, knowledgeBase } = parsed.data;
    const sentAt = this.#store.toLocal(parsed.data.sentAt);
    return sentAt === null ? null : { upstreamKey, knowledgeBaseId, knowledgeBase, sentAt };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
