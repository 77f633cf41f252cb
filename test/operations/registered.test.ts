/** Operations that clients register by their hash (automatic persisted queries), over replicas and a real Redis. */
import { createHash } from "node:crypto";
import { Redis } from "ioredis";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { SharedOperations } from "../../src/graphql/persisted/automatic.ts";
import { sharedOperations } from "../../src/server/replicas/operations.ts";
import { SharedStore } from "../../src/server/replicas/store.ts";
import type { TestGateway } from "../harness/gateway.ts";
import { isShared, startFleet } from "./fleet.ts";
import { redisMissing, startRedis, type TestRedis } from "./redis.ts";

const TEXT = "query Who { viewer { tenant } }";
const HASH = sha256(TEXT);
const MEBIBYTE = 1024 * 1024;
const TENANT_BYTES = 4 * MEBIBYTE;
const A_DAY_MS = 24 * 60 * 60 * 1000;
const ALLOW = { graphql: { persistedOperations: "allow" as const } };

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** What an answer holds: the tenant that it is for, or a code. */
async function ask(gateway: TestGateway, tenant: string, query?: string): Promise<string> {
  const body = { query, extensions: { persistedQuery: { version: 1, sha256Hash: HASH } } };
  const answer = await gateway.post("/graphql", body, { token: gateway.token(tenant) });
  return answer.body.data?.viewer.tenant ?? answer.body.errors[0].extensions.code;
}

const TITLE = `registered operations of three replicas${redisMissing === null ? "" : ` (skipped: ${redisMissing})`}`;

describe.skipIf(redisMissing !== null)(TITLE, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  beforeEach(async () => {
    await redis.stop();
    await redis.start();
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  const fleetOfTwoTenants = () => startFleet(redis, { config: ALLOW }, { globex: { grants: [{ upstream: "main" }] } });

  it("one that was registered at one is found at all, and after a reload", async () => {
    await using fleet = await fleetOfTwoTenants();
    for (const gateway of fleet.gateways) expect(await ask(gateway, "acme")).toBe("PERSISTED_QUERY_NOT_FOUND");
    const [one, ...others] = fleet.gateways;
    expect(await ask(one!, "acme", TEXT)).toBe("acme");
    for (const gateway of others) await expect.poll(() => ask(gateway, "acme")).toBe("acme");
    one!.running.runtime.apply(one!.running.runtime.config);
    expect(await ask(one!, "acme")).toBe("acme");
  });

  it("invariant 2: what one tenant registered is unknown to another, on the same replica and on others", async () => {
    await using fleet = await fleetOfTwoTenants();
    const [one, other] = fleet.gateways;
    await ask(one!, "acme", TEXT);
    await expect.poll(() => ask(other!, "acme")).toBe("acme");
    for (const gateway of fleet.gateways) expect(await ask(gateway, "globex")).toBe("PERSISTED_QUERY_NOT_FOUND");
    expect(await ask(one!, "globex", TEXT)).toBe("globex");
    await expect.poll(() => ask(other!, "globex")).toBe("globex");
  });

  it("without Redis each replica knows what was registered with it, and nobody is refused", async () => {
    await using fleet = await fleetOfTwoTenants();
    await redis.stop();
    const [one, other] = fleet.gateways;
    expect(await ask(one!, "acme", TEXT)).toBe("acme");
    expect(await ask(one!, "acme")).toBe("acme");
    expect(await ask(other!, "acme")).toBe("PERSISTED_QUERY_NOT_FOUND");
    expect(await ask(other!, "acme", TEXT)).toBe("acme");
    await redis.start();
    for (const gateway of fleet.gateways) await expect.poll(() => isShared(gateway), { timeout: 5000 }).toBe(true);
    // Nobody tells the store afterwards: the client, which is asked for the text again, does.
    expect(await ask(fleet.gateways[2]!, "acme")).toBe("PERSISTED_QUERY_NOT_FOUND");
  });

  it("a text that somebody put there for another's hash is not answered", async () => {
    await using fleet = await fleetOfTwoTenants();
    const [one, other] = fleet.gateways;
    await ask(one!, "acme", TEXT);
    await expect.poll(() => ask(other!, "acme")).toBe("acme");
    await using room = await startRoom(redis);
    for (const key of await room.client.keys("*:texts")) {
      await room.client.hset(key, HASH, "{ viewer { tenant subject } }");
    }
    expect(await ask(fleet.gateways[2]!, "acme")).toBe("PERSISTED_QUERY_NOT_FOUND");
  });

  it("a tenant's texts are bounded by their bytes, and the longest unused go first", async () => {
    await using room = await startRoom(redis);
    const { operations, client } = room;
    const text = (index: number) => String(index).padEnd(MEBIBYTE / 8, "x");
    operations.keep("globex", HASH, TEXT);
    for (let index = 0; index < 32; index += 1) operations.keep("acme", sha256(text(index)), text(index));
    expect(await operations.find("acme", sha256(text(0)))).toBe(text(0));
    // The second is the one that was not used for longest now.
    operations.keep("acme", sha256(text(32)), text(32));
    expect(await operations.find("acme", sha256(text(32)))).toBe(text(32));
    expect(await operations.find("acme", sha256(text(1)))).toBeNull();
    expect(await operations.find("acme", sha256(text(0)))).toBe(text(0));
    expect(await operations.find("globex", HASH)).toBe(TEXT);
    operations.keep("acme", sha256("too long"), "x".repeat(MEBIBYTE));
    expect(await operations.find("acme", sha256("too long"))).toBeNull();
    for (const key of await client.keys("*:bytes")) {
      const texts = await client.hvals(key.replace(/bytes$/, "texts"));
      const bytes = Buffer.byteLength(texts.join(""));
      expect(Number(await client.get(key))).toBe(bytes);
      expect(bytes).toBeLessThanOrEqual(TENANT_BYTES);
    }
  });

  it("a text that nobody asked for in a day goes, by itself or with all of its tenant's", async () => {
    await using room = await startRoom(redis);
    const { operations, client } = room;
    operations.keep("acme", HASH, TEXT);
    operations.keep("acme", sha256("other"), "other");
    expect(await operations.find("acme", HASH)).toBe(TEXT);
    const keys = await client.keys("*operations*");
    expect(keys).toHaveLength(3);
    for (const key of keys) {
      expect(await client.pttl(key)).toBeGreaterThan(0);
      expect(await client.pttl(key)).toBeLessThanOrEqual(A_DAY_MS);
    }
    const used = keys.find((key) => key.endsWith(":used")) ?? expect.unreachable();
    await client.zadd(used, "XX", Date.now() * 1000 - A_DAY_MS * 1000, HASH);
    expect(await operations.find("acme", HASH)).toBeNull();
    expect(await operations.find("acme", sha256("other"))).toBe("other");
    expect(await client.zcard(used)).toBe(1);
  });
});

interface Room extends AsyncDisposable {
  readonly operations: SharedOperations;
  readonly client: Redis;
}

/** What a replica keeps in Redis, and a connection that looks at it. */
async function startRoom({ url }: TestRedis): Promise<Room> {
  const store = new SharedStore({ redisUrl: url, assumedReplicas: 1, log: pino({ level: "silent" }) });
  await store.started();
  const client = new Redis(url);
  return {
    operations: sharedOperations(store),
    client,
    async [Symbol.asyncDispose]() {
      client.disconnect();
      await store.close();
    }
  };
}
