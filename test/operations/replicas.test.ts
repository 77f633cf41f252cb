import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startCommand } from "../harness/command.ts";
import type { FakeUpstream } from "../harness/fake-upstream.ts";
import type { TestGateway } from "../harness/gateway.ts";
import { count, type Fleet, isShared, REPLICAS, SECRET, startFleet } from "./fleet.ts";
import { redisMissing, startRedis, type TestRedis } from "./redis.ts";
import { scrape } from "./scrape.ts";

/** Several stretches of a limit go by, in real time. */
const LONG_MS = 60_000;

/** The most requests that the upstream saw in any stretch of so many milliseconds, by its own clock. */
function busiest(upstream: FakeUpstream, ms: number): number {
  const times = upstream.requests.map(({ at }) => at).sort((a, b) => a - b);
  let most = 0;
  let first = 0;
  for (const [index, at] of times.entries()) {
    while ((times[first] ?? at) <= at - ms) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}

const TITLE = `three replicas and a real Redis${redisMissing === null ? "" : ` (skipped: ${redisMissing})`}`;

describe.skipIf(redisMissing !== null)(TITLE, { timeout: LONG_MS }, () => {
  let redis: TestRedis;
  beforeAll(async () => {
    redis = await startRedis();
  });
  beforeEach(async () => {
    // Counts of one test are none of the next one's.
    await redis.stop();
    await redis.start();
  });
  afterAll(() => redis[Symbol.asyncDispose]());

  it("a tenant's requests a minute are counted together", async () => {
    await using fleet = await startFleet(redis, { limits: { requestsPerMinute: 100 } });
    const statuses = await fleet.ask("/openapi/v2/knowledge-bases", 180);
    expect(count(statuses, 200)).toBeGreaterThanOrEqual(95);
    expect(count(statuses, 200)).toBeLessThanOrEqual(105);
    expect(count(statuses, 429)).toBe(180 - count(statuses, 200));
  });

  it("an upstream's limit holds over all replicas, whose unspent part is not lost", async () => {
    const rateLimit = { requests: 60, perSeconds: 2 };
    await using fleet = await startFleet(redis, { upstreamSettings: { rateLimit } });
    for (let rounds = 0; fleet.upstream.count() < 150; rounds += 1) {
      expect(rounds).toBeLessThan(400);
      await fleet.ask("/openapi/v2/health", 30);
      // What is refused is answered in no time.
      await delay(50);
    }
    expect(busiest(fleet.upstream, 2000)).toBeLessThanOrEqual(60);
    // One replica alone may take what the others leave.
    await delay(2500);
    fleet.upstream.reset();
    const [alone] = fleet.gateways;
    for (let request = 0; request < 60; request += 1) await alone!.get("/openapi/v2/health", { token: fleet.token });
    expect(fleet.upstream.count()).toBeGreaterThan(30);
  });

  it("an upstream that says 429 to one replica is left alone by all", async () => {
    await using fleet = await startFleet(redis);
    fleet.upstream.on("getHealth", { status: 429, headers: { "retry-after": "30" }, body: rateLimitedBody() }, 1);
    const [one, other] = fleet.gateways;
    expect((await one!.get("/openapi/v2/health", { token: fleet.token })).status).toBe(429);
    await expect.poll(async () => (await other!.get("/openapi/v2/version", { token: fleet.token })).status).toBe(429);
  });

  it("invariant 7: one replica's check of a revision serves all, and what one sees published all see", async () => {
    await using fleet = await startFleet(redis, { config: { cache: { revisionCheckMs: 60_000 } } });
    const [one, other, third] = fleet.gateways;
    const { token, upstream } = fleet;
    const tree = (gateway: TestGateway) =>
      gateway.get("/openapi/v2/knowledge-bases/handbook/tree?parentPath=pages", { token });
    expect((await tree(one!)).body.activeContentRevision).toBe(1);
    await expect.poll(async () => (await scrape(other!)).get(CHECKS_OF_OTHERS)).toBe(1);
    await expect.poll(async () => (await scrape(third!)).get(CHECKS_OF_OTHERS)).toBe(1);
    await tree(other!);
    await tree(third!);
    expect(upstream.count("getKnowledgeBase")).toBe(1);

    upstream.knowledgeBase().addPage({ path: "pages/new.md" }).publish();
    // A page of the new revision shows the one that asks for it that there is one; it asks what is there now.
    await one!.get("/agent/handbook/tree?parentPath=pages&limit=3", { token });
    const checks = upstream.count("getKnowledgeBase");
    expect(checks).toBeGreaterThan(1);
    for (const gateway of [other!, third!]) {
      await expect.poll(async () => (await tree(gateway)).body.activeContentRevision).toBe(2);
    }
    expect(upstream.count("getKnowledgeBase")).toBe(checks);
  });

  it("invariant 5: a cursor of one replica is opened by another, also after the first was killed", async () => {
    await using fleet = await startFleet(redis);
    const folder = await mkdtemp(join(tmpdir(), "focowiki-gateway-replica-"));
    try {
      const file = join(folder, "gateway.json");
      await writeFile(file, JSON.stringify(configFile(fleet, redis)));
      await using command = startCommand(["serve", "--config", file, "--port", "0"]);
      const url = (await command.waitFor(/on (http:\/\/\S+)/))[1]!;
      const path = "/agent/handbook/tree?parentPath=pages&limit=5";
      const headers = { authorization: `Bearer ${fleet.token}` };
      const first = (await (await fetch(`${url}${path}`, { headers })).json()) as Page;
      command.process.kill("SIGKILL");
      await command.ended;

      const walked = [...first.items];
      for (let cursor = first.nextCursor, turn = 0; cursor !== null; turn += 1) {
        const gateway = fleet.gateways[turn % REPLICAS]!;
        const answer = await gateway.get(`${path}&cursor=${encodeURIComponent(cursor)}`, { token: fleet.token });
        expect(answer.status).toBe(200);
        const page = answer.body as Page;
        walked.push(...page.items);
        cursor = page.nextCursor;
      }
      const pages = [...fleet.upstream.knowledgeBase().files().keys()].filter((each) => /^pages\/[^/]+$/.test(each));
      expect(walked.map((entry) => entry.path).sort()).toEqual(pages.sort());
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it("without Redis each counts alone and says so; with it again, together", async () => {
    await using fleet = await startFleet(redis, { limits: { requestsPerMinute: 40 } });
    expect(count(await fleet.ask("/openapi/v2/health", 30), 200)).toBe(30);
    await redis.stop();
    // Never refusal, and never no limit: a process's own count begins, up to the whole limit.
    const alone = await fleet.ask("/openapi/v2/health", 60);
    expect(count(alone, 200)).toBe(60);
    expect(count(await fleet.ask("/openapi/v2/health", 90), 429)).toBeGreaterThanOrEqual(90 - 60);
    for (const gateway of fleet.gateways) {
      expect(await isShared(gateway)).toBe(false);
      expect((await scrape(gateway)).get("focowiki_gateway_shared_store_up")).toBe(0);
      const warnings = gateway.logs.filter(({ level, msg }) => level === 40 && String(msg).includes("shared store"));
      expect(warnings).toHaveLength(1);
      expect(gateway.written.join("")).not.toContain(redis.url);
    }
    await redis.start();
    for (const gateway of fleet.gateways) await expect.poll(() => isShared(gateway), { timeout: 5000 }).toBe(true);
    expect(count(await fleet.ask("/openapi/v2/health", 60), 200)).toBe(40);
  });

  it("the upstream's limit holds while Redis goes and comes back empty", async () => {
    const rateLimit = { requests: 60, perSeconds: 3 };
    await using fleet = await startFleet(redis, { upstreamSettings: { rateLimit } });
    const until = async (requests: number) => {
      for (let rounds = 0; fleet.upstream.count() < requests; rounds += 1) {
        expect(rounds).toBeLessThan(400);
        await fleet.ask("/openapi/v2/health", 12);
        await delay(50);
      }
    };
    await until(40);
    // Two heartbeats, so that all have heard what is left.
    await delay(1200);
    await redis.stop();
    await until(130);
    await redis.start();
    await until(300);
    expect(busiest(fleet.upstream, 3000)).toBeLessThanOrEqual(60);
    for (const gateway of fleet.gateways) expect(await isShared(gateway)).toBe(true);
  });

  it("a Redis that hangs makes nobody wait for long", async () => {
    await using fleet = await startFleet(redis);
    redis.freeze();
    try {
      expect(count(await fleet.ask("/openapi/v2/health", 12), 200)).toBe(12);
      for (const gateway of fleet.gateways) await expect.poll(() => isShared(gateway), { timeout: 5000 }).toBe(false);
      expect(count(await fleet.ask("/openapi/v2/health", 30), 200)).toBe(30);
    } finally {
      redis.thaw();
    }
    for (const gateway of fleet.gateways) await expect.poll(() => isShared(gateway), { timeout: 5000 }).toBe(true);
  });

  it("starts without Redis, and joins the others when it comes", async () => {
    await redis.stop();
    await using fleet = await startFleet(redis, {
      upstreamSettings: { rateLimit: { requests: 30, perSeconds: 60 } }
    });
    // Nobody has told how many there are, so each takes its share of the number that is configured.
    await fleet.ask("/openapi/v2/health", 120);
    expect(fleet.upstream.count()).toBe(30);
    await redis.start();
    for (const gateway of fleet.gateways) await expect.poll(() => isShared(gateway), { timeout: 5000 }).toBe(true);
    expect(count(await fleet.ask("/openapi/v2/health", 12), 429)).toBe(12);
  });
});

const CHECKS_OF_OTHERS = 'focowiki_gateway_revision_checks_total{upstream="main",source="replica"}';

interface Page {
  readonly items: readonly { readonly path: string }[];
  readonly nextCursor: string | null;
}

function rateLimitedBody() {
  return {
    error: { code: "RATE_LIMITED", message: "Too many requests", httpStatus: 429, details: { retryAfterSeconds: 30 } },
    requestId: "req-1"
  };
}

function configFile({ upstream, token }: Fleet, redis: TestRedis) {
  return {
    server: { cursorSecret: SECRET },
    shared: { redisUrl: redis.url },
    upstreams: { main: { url: upstream.url, apiKey: upstream.key } },
    knowledgeBases: { handbook: { upstream: "main", id: upstream.knowledgeBase().id } },
    tenants: {
      acme: {
        credentials: [{ apiKeySha256: createHash("sha256").update(token).digest("hex"), subject: "test" }],
        grants: [{ upstream: "main" }]
      }
    }
  };
}
