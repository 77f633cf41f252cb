/**
 * The operations that clients registered, where all replicas find them. Each tenant has a room of its own, bounded by its
 * size and by how long nothing was asked for, so that no tenant takes another's place.
 */
import { createHash } from "node:crypto";
import { MAX_TEXT_BYTES, type SharedOperations } from "../../graphql/persisted/automatic.ts";
import { KEY_PREFIX, type SharedStore } from "./store.ts";

const MAX_TENANT_BYTES = 4 * 1024 * 1024;
const UNUSED_MS = 24 * 60 * 60 * 1000;

/**
 * KEYS: texts by hash, when each was last used (a sorted set, in microseconds), and the bytes of all texts.
 * ARGV: milliseconds after which an unused text goes, hash.
 */
const PRELUDE = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local function drop(hash)
  redis.call('DECRBY', KEYS[3], redis.call('HSTRLEN', KEYS[1], hash))
  redis.call('HDEL', KEYS[1], hash)
  redis.call('ZREM', KEYS[2], hash)
end
for _, hash in ipairs(redis.call('ZRANGEBYSCORE', KEYS[2], '-inf', now - ARGV[1] * 1000)) do drop(hash) end
local function touch()
  redis.call('ZADD', KEYS[2], now, ARGV[2])
  for index = 1, 3 do redis.call('PEXPIRE', KEYS[index], ARGV[1]) end
end
`;

const FIND = `${PRELUDE}
local text = redis.call('HGET', KEYS[1], ARGV[2])
if text then touch() end
return text
`;

/** ARGV also: text, the most bytes of all texts. The one that was not used for longest goes first. */
const KEEP = `${PRELUDE}
if redis.call('HSETNX', KEYS[1], ARGV[2], ARGV[3]) == 1 then redis.call('INCRBY', KEYS[3], #ARGV[3]) end
touch()
while tonumber(redis.call('GET', KEYS[3])) > tonumber(ARGV[4]) do
  drop(redis.call('ZRANGE', KEYS[2], 0, 0)[1])
end
return 1
`;

export function sharedOperations(store: SharedStore): SharedOperations {
  return {
    async find(tenant, hash) {
      try {
        const text = await store.ask(FIND, keysOf(tenant), [UNUSED_MS, hash]);
        return typeof text === "string" ? text : null;
      } catch {
        return null;
      }
    },
    keep(tenant, hash, text) {
      if (Buffer.byteLength(text) > MAX_TEXT_BYTES) return;
      store.ask(KEEP, keysOf(tenant), [UNUSED_MS, hash, text, MAX_TENANT_BYTES]).catch(() => undefined);
    }
  };
}

/** The braces keep a tenant's keys together in a cluster; digests, because a tenant's name may hold anything. */
function keysOf(tenant: string): readonly string[] {
  const room = createHash("sha256").update(tenant).digest("hex").slice(0, 32);
  return ["texts", "used", "bytes"].map((part) => `${KEY_PREFIX}:operations:{${room}}:${part}`);
}
