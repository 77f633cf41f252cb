/** Keeps the caches of what was read across reloads that do not touch upstreams, cursor secrets or the cache. */
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import type { GatewayConfig } from "../config/schema.ts";
import { createKnowledge, type Knowledge, type KnowledgeObserver, type OnCheck } from "../knowledge/knowledge.ts";
import type { Upstream } from "../upstream/upstream.ts";

const RANDOM_SECRET_BYTES = 32;

interface Held {
  readonly identity: string;
  readonly upstreams: ReadonlyMap<string, Upstream>;
  readonly knowledge: Knowledge;
}

export class KnowledgeHolder {
  readonly #log: Logger;
  readonly #observer: KnowledgeObserver;
  readonly #onCheck: OnCheck | undefined;
  #held: Held | null = null;
  #randomSecret: string | null = null;

  constructor(log: Logger, observer: KnowledgeObserver, onCheck?: OnCheck) {
    this.#log = log;
    this.#observer = observer;
    this.#onCheck = onCheck;
  }

  for(config: GatewayConfig, upstreams: ReadonlyMap<string, Upstream>): Knowledge {
    const cursorSecrets = this.#secrets(config.server.cursorSecret);
    const identity = JSON.stringify([cursorSecrets, config.cache]);
    if (this.#held?.identity === identity && sameUpstreams(this.#held.upstreams, upstreams))
      return this.#held.knowledge;
    const knowledge = createKnowledge({
      upstreams,
      cursorSecrets,
      cache: config.cache,
      observer: this.#observer,
      ...(this.#onCheck && { onCheck: this.#onCheck })
    });
    this.#held = { identity, upstreams, knowledge };
    return knowledge;
  }

  #secrets(configured: GatewayConfig["server"]["cursorSecret"]): readonly string[] {
    if (configured !== undefined) return typeof configured === "string" ? [configured] : configured;
    if (this.#randomSecret === null) {
      this.#randomSecret = randomBytes(RANDOM_SECRET_BYTES).toString("hex");
      this.#log.warn("server.cursorSecret is not set: cursors end with this process, and other replicas refuse them");
    }
    return [this.#randomSecret];
  }
}

function sameUpstreams(one: ReadonlyMap<string, Upstream>, other: ReadonlyMap<string, Upstream>): boolean {
  return one.size === other.size && [...one].every(([name, upstream]) => other.get(name) === upstream);
}
