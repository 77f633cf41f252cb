/**
 * The connection to Redis or Valkey that replicas share, and whether it can be counted on right now.
 *
 * Nothing may ever wait for it: a command that is not answered at once fails, and what needed it counts alone. A
 * heartbeat a second keeps the replicas' number, the offset between this process's clock and Redis's, and notices a store
 * that hangs.
 */
import { randomUUID } from "node:crypto";
import { Redis } from "ioredis";
import type { Logger } from "pino";

export const KEY_PREFIX = "focowiki-gateway";

const COMMAND_TIMEOUT_MS = 250;
const CONNECT_TIMEOUT_MS = 1_000;
export const MAX_RECONNECT_DELAY_MS = 1_000;
const HEARTBEAT_MS = 1_000;
/** A replica that missed so many heartbeats is gone. */
const REPLICA_LIFETIME_MS = 5_000;
const FIRST_CONNECTION_MS = 1_000;

const HEARTBEAT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZADD', KEYS[1], now, ARGV[1])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - tonumber(ARGV[2]))
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return { redis.call('ZCARD', KEYS[1]), now }
`;

export interface StoreOptions {
  readonly redisUrl: string;
  /** How many replicas there are until Redis has told. */
  readonly assumedReplicas: number;
  readonly log: Logger;
}

export interface StoreListener {
  /** The store answers again, or for the first time. */
  up?(): void;
  down?(): void;
  /** The store has just answered a heartbeat. */
  beat?(): void;
}

export class SharedStore {
  /** Tells this process from others; without colons. */
  readonly id = randomUUID();
  readonly client: Redis;
  readonly #log: Logger;
  readonly #listeners = new Set<StoreListener>();
  readonly #replicasKey = `${KEY_PREFIX}:replicas`;
  readonly #heart: NodeJS.Timeout;
  #available = false;
  /** Whether the connection was given up, and is not closed yet. */
  #closing = false;
  #warned = false;
  #replicas: number;
  #offsets: { readonly earliest: number; readonly latest: number } | null = null;

  constructor({ redisUrl, assumedReplicas, log }: StoreOptions) {
    this.#log = log;
    this.#replicas = assumedReplicas;
    this.client = connect(redisUrl);
    this.client.on("ready", () => void this.#beat());
    this.client.on("close", () => {
      this.#closing = false;
      this.#lost();
    });
    this.#heart = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    this.#heart.unref();
  }

  /** Resolves when the store first answers, or when it is time to begin without it. */
  async started(): Promise<void> {
    this.client.connect().catch(() => undefined);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, FIRST_CONNECTION_MS);
      this.listen({
        up() {
          clearTimeout(timer);
          resolve();
        }
      });
    });
    if (!this.#available) this.#lost();
  }

  get available(): boolean {
    return this.#available;
  }

  /** As Redis last told, this one included; at least 1. */
  get replicas(): number {
    return this.#replicas;
  }

  /** @returns ends it */
  listen(listener: StoreListener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** A moment of this process's clock on Redis's clock, rather too early than too late; null before Redis told its time. */
  toShared(localMs: number): number | null {
    return this.#offsets === null ? null : localMs + this.#offsets.earliest;
  }

  /** A moment of Redis's clock on this process's clock, rather too early than too late; null before Redis told its time. */
  toLocal(sharedMs: number): number | null {
    return this.#offsets === null ? null : sharedMs - this.#offsets.latest;
  }

  /**
   * Runs one script.
   * @throws Error where the store does not answer in time; the script may have run all the same
   */
  async run(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<readonly number[]> {
    return numbersOf(await this.ask(script, keys, args));
  }

  /** The same for a script that answers something else than numbers. */
  async ask(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (!this.#available) throw new Error("The shared store is not available.");
    try {
      return await this.#send(script, keys, args);
    } catch (error) {
      this.#giveUp();
      throw error;
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#heart);
    this.#listeners.clear();
    this.client.removeAllListeners("close");
    if (this.#available) await this.client.zrem(this.#replicasKey, this.id).catch(() => undefined);
    this.client.disconnect();
  }

  async #send(script: string, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    return await this.client.eval(script, keys.length, ...keys, ...args);
  }

  async #beat(): Promise<void> {
    if (!this.#isConnected()) return;
    const sentAt = Date.now();
    try {
      const reply = await this.#send(HEARTBEAT, [this.#replicasKey], [this.id, REPLICA_LIFETIME_MS]);
      const [replicas = 1, time = sentAt] = numbersOf(reply);
      if (!this.#isConnected()) return;
      this.#replicas = Math.max(1, replicas);
      this.#offsets = { earliest: time - Date.now(), latest: time + 1 - sentAt };
      this.#found();
      for (const { beat } of this.#listeners) beat?.();
    } catch {
      this.#giveUp();
    }
  }

  #isConnected(): boolean {
    return this.client.status === "ready" && !this.#closing;
  }

  /** One that hangs would make every request wait; a new connection tells whether it is well. */
  #giveUp(): void {
    if (this.#closing) return;
    this.#closing = true;
    // Not only when it is closed, which waits for the other side.
    this.#lost();
    this.client.disconnect(true);
  }

  #found(): void {
    if (this.#available) return;
    this.#available = true;
    if (this.#warned) this.#log.info("the shared store answers again; limits are counted together");
    this.#warned = false;
    for (const { up } of this.#listeners) up?.();
  }

  #lost(): void {
    const was = this.#available;
    this.#available = false;
    if (was) for (const { down } of this.#listeners) down?.();
    if (this.#warned) return;
    this.#warned = true;
    this.#log.warn("the shared store does not answer; limits are counted by this process alone until it does");
  }
}

function numbersOf(reply: unknown): readonly number[] {
  if (!Array.isArray(reply)) throw new Error("The shared store gave an unexpected answer.");
  return reply.map(Number);
}

/** A connection that gives up commands rather than keep them, and never gives up connecting. */
export function connect(redisUrl: string): Redis {
  const redis = new Redis(redisUrl, {
    lazyConnect: true,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: COMMAND_TIMEOUT_MS,
    retryStrategy: (attempt) => Math.min(attempt * 100, MAX_RECONNECT_DELAY_MS)
  });
  // Messages name the address; that the store is away is told once, by who needs it.
  redis.on("error", () => undefined);
  return redis;
}
