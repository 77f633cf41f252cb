/** What a replica asks Redis by itself: a heartbeat a second, and with each how much is left of every upstream in use. */
import { Redis } from "ioredis";
import { describe, expect, it } from "vitest";
import { startFleet } from "./fleet.ts";
import { redisMissing, startRedis, type TestRedis } from "./redis.ts";

const BEATS = { timeout: 10_000 };
const HEARTBEAT = "focowiki-gateway:replicas";
const TITLE = `budgets of upstreams${redisMissing === null ? "" : ` (skipped: ${redisMissing})`}`;

/** The keys of each script that Redis runs, one by one as they come. */
async function watch(redis: TestRedis): Promise<{ readonly keys: readonly string[] } & Disposable> {
  const client = new Redis(redis.url);
  const monitor = await client.monitor();
  const keys: string[] = [];
  monitor.on("monitor", (_time: string, [command, , , key = ""]: string[]) => {
    if (command?.toLowerCase() === "eval") keys.push(key);
  });
  return {
    keys,
    [Symbol.dispose]() {
      monitor.disconnect();
      client.disconnect();
    }
  };
}

describe.skipIf(redisMissing !== null)(TITLE, () => {
  it("are given up when a reload has replaced their upstream's client, and kept while one uses them", async () => {
    await using redis = await startRedis();
    await using fleet = await startFleet(redis);
    const [gateway] = fleet.gateways;
    const { runtime } = gateway!.running;
    await Promise.all(fleet.gateways.slice(1).map((other) => other.close()));
    const change = (main: object) => {
      const { config } = runtime;
      runtime.apply({ ...config, upstreams: { main: { ...config.upstreams.main!, ...main } } });
    };
    for (let requests = 101; requests <= 110; requests += 1) change({ rateLimit: { requests, perSeconds: 60 } });
    // The same limit, so the same budget, which the client before gives back and this one still has.
    change({ maxConcurrent: 7 });

    using seen = await watch(redis);
    // Between one heartbeat and the next.
    const asked = () => seen.keys.join(" ").split(HEARTBEAT).slice(1, -1);
    await expect.poll(() => asked().length, BEATS).toBeGreaterThan(1);
    for (const keys of asked()) expect(keys.trim().split(" ")).toEqual([expect.stringMatching(/:taken$/)]);
    expect((await gateway!.get("/openapi/v2/health", { token: fleet.token })).status).toBe(200);
  });
});
