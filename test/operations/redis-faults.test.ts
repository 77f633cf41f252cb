/** Redis goes, hangs and comes back while requests come in all the time. */
import { describe, expect, it } from "vitest";
import type { TestGateway } from "../harness/gateway.ts";
import { count, type Fleet, isShared, REPLICAS, startFleet } from "./fleet.ts";
import { redisMissing, startRedis } from "./redis.ts";
import { scrape } from "./scrape.ts";

/** Heartbeats and reconnections are a second apart. */
const NOTICED = { timeout: 15_000 };
const LIMIT = 40;
const WORKERS = 6;
/** Answers of one state of Redis, of each of the two tenants. */
const STRETCH = 120;

interface Load {
  /** Statuses since the load began, of a tenant that is far from its limit and of one that asks without end. */
  readonly calm: readonly number[];
  readonly flood: readonly number[];
  /** Resolves when so many more answers came to either. */
  more(answers: number): Promise<void>;
  stop(): Promise<void>;
}

function startLoad({ gateways, token }: Fleet): Load {
  const calm: number[] = [];
  const flood: number[] = [];
  let stopped = false;
  const worker = async (statuses: number[], tokenOf: (gateway: TestGateway) => string, first: number) => {
    for (let turn = first; !stopped; turn += 1) {
      const gateway = gateways[turn % gateways.length] ?? expect.unreachable();
      statuses.push((await gateway.get("/openapi/v2/health", { token: tokenOf(gateway) })).status);
    }
  };
  const workers = Array.from({ length: WORKERS }, (_, index) =>
    index % 2 === 0 ? worker(calm, () => token, index) : worker(flood, (gateway) => gateway.token("flood"), index)
  );
  return {
    calm,
    flood,
    async more(answers) {
      const [calmBefore, floodBefore] = [calm.length, flood.length];
      const arrived = () => Math.min(calm.length - calmBefore, flood.length - floodBefore);
      await expect.poll(arrived, NOTICED).toBeGreaterThanOrEqual(answers);
    },
    async stop() {
      stopped = true;
      await Promise.all(workers);
    }
  };
}

const warningsOf = ({ logs }: TestGateway) =>
  logs.filter(({ level, msg }) => Number(level) >= 40 && String(msg).includes("shared store"));

const TITLE = `three replicas under load${redisMissing === null ? "" : ` (skipped: ${redisMissing})`}`;

describe.skipIf(redisMissing !== null)(TITLE, () => {
  it("Redis is killed, comes back, hangs and goes on: nobody is refused for it, every limit holds, each outage is told once", async () => {
    await using redis = await startRedis();
    await using fleet = await startFleet(
      redis,
      {},
      {
        flood: { grants: [{ upstream: "main" }], limits: { requestsPerMinute: LIMIT } }
      }
    );
    const { gateways } = fleet;
    const until = async (shared: boolean) => {
      for (const gateway of gateways) await expect.poll(() => isShared(gateway), NOTICED).toBe(shared);
    };
    const warnings: Error[] = [];
    const note = (warning: Error) => warnings.push(warning);
    process.on("warning", note);
    const load = startLoad(fleet);
    await load.more(STRETCH);

    await redis.stop();
    await until(false);
    await load.more(STRETCH);
    await redis.start();
    await until(true);
    await load.more(STRETCH);

    redis.freeze();
    await until(false);
    await load.more(STRETCH);
    redis.thaw();
    await until(true);
    await load.more(STRETCH);
    await load.stop();
    process.off("warning", note);

    expect(warnings).toEqual([]);
    expect(count(load.calm, 200)).toBe(load.calm.length);
    expect(count(load.flood, 200) + count(load.flood, 429)).toBe(load.flood.length);
    // Together before and, with an empty Redis, once more after; each for itself while it was away.
    expect(count(load.flood, 200)).toBeGreaterThanOrEqual(LIMIT);
    expect(count(load.flood, 200)).toBeLessThanOrEqual((2 + REPLICAS) * LIMIT);
    for (const gateway of gateways) {
      expect(warningsOf(gateway)).toHaveLength(2);
      expect(gateway.logs.filter(({ level }) => Number(level) >= 50)).toEqual([]);
      expect((await scrape(gateway)).get("focowiki_gateway_shared_store_up")).toBe(1);
      expect(gateway.written.join("")).not.toContain(redis.url);
    }
  });

  it("a Redis that hangs holds up no stop", async () => {
    await using redis = await startRedis();
    await using fleet = await startFleet(redis);
    redis.freeze();
    expect(await Promise.all(gatewaysStopped(fleet))).toEqual(Array.from({ length: REPLICAS }, () => true));
  });
});

function gatewaysStopped({ gateways }: Fleet): Promise<boolean>[] {
  return gateways.map((gateway) => gateway.running.stop());
}
