/**
 * Minutes of mixed load on every surface while the upstream fails, publishes and changes, and the configuration with it.
 *
 *   npm run soak -- [--seconds 180] [--seed 1] [--clients 16]
 *
 * Each answer is held against what the upstream held at that time, or is an error that the upstream's state excuses. Ends
 * with exit code 1 where one is wrong, where sockets or memory do not come back, or where anything was not caught.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { MARKERS } from "../faults/table.ts";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGatewayOptions } from "../harness/gateway.ts";
import { client, Figures, once, type Soak } from "./clients.ts";
import { AFTERMATH_MS, Faults, publishing, slowly } from "./disturbances.ts";
import { Random } from "./random.ts";
import { firstPages, relations, Truth } from "./truth.ts";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "180" },
    seed: { type: "string", default: "1" },
    clients: { type: "string", default: "16" }
  }
});
const seconds = Number(values.seconds);
const TRUST_MS = 200;
const CACHE_BYTES = 4 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;
/** What a run may hold more at its end than after its first fifth. */
const GROWTH_MIB = 16;
const CALM_REQUESTS = 300;

const uncaught: string[] = [];
for (const event of ["uncaughtException", "unhandledRejection", "warning"] as const) {
  process.on(event, (thrown: unknown) => uncaught.push(`${event}: ${thrown instanceof Error ? thrown.stack : thrown}`));
}

const random = new Random(Number(values.seed));
const upstream = await fakeUpstream({
  prefix: `/${MARKERS.prefix}`,
  key: MARKERS.key,
  knowledgeBases: [
    { id: "knowledge-base-soak", pages: firstPages(), relations: relations() },
    { id: "knowledge-base-other" }
  ]
});

function configuration(version: number): TestGatewayOptions {
  const limits = { requestsPerMinute: 1_000_000, concurrentRequests: 1_000, queryDepth: 12 + (version % 3) };
  return {
    upstreams: { main: upstream },
    // A client of its own every other time; the others keep the one there is.
    upstreamSettings: { timeoutMs: 3_000 + (version >> 1), rateLimit: { requests: 10_000_000 } },
    knowledgeBases: { handbook: { upstream: "main", id: "knowledge-base-soak" } },
    tenants: {
      whole: { grants: [{ upstream: "main" }], limits },
      restricted: { grants: [{ knowledgeBases: ["handbook"], paths: { deny: ["pages/secret/**"] } }], limits }
    },
    config: {
      cache: { maxBytes: CACHE_BYTES + (version % 2), revisionCheckMs: TRUST_MS },
      audit: { file: "-" },
      log: { level: "info" }
    },
    loadBounds: { maxInFlight: 10_000, maxDelayMs: 60_000, delayCountsAbove: 10_000 }
  };
}

const gateway = await startGateway(configuration(0));
const truth = new Truth(upstream);
const faults = new Faults();
const figures = new Figures();
upstream.on(
  () => true,
  slowly(random, () => upstream.knowledgeBase().revision)
);
const soak: Soak = { upstream, gateway, truth, faults, random, trustMs: TRUST_MS, figures };

let reloads = 0;
let upstreamRequests = 0;
const leaks: string[] = [];

/** Looks through what was logged, and forgets it, so that the harness itself does not grow. */
function tidy(): void {
  const written = gateway.written as string[];
  for (const line of written)
    if (/marker-of|test-key-of/.test(line) || line.includes(new URL(upstream.url).host)) leaks.push(line);
  const unexpected = gateway.logs.filter(({ level }) => Number(level) >= 50);
  leaks.push(...unexpected.map((line) => JSON.stringify(line)));
  for (const list of [written, gateway.logs, gateway.audit] as unknown[][]) list.length = 0;
  const done = upstream.requests.filter(({ finished, aborted }) => finished || aborted).length;
  upstreamRequests += done;
  upstream.requests.splice(
    0,
    upstream.requests.length,
    ...upstream.requests.filter((seen) => !seen.finished && !seen.aborted)
  );
}

async function every(ms: number, signal: AbortSignal, act: () => unknown): Promise<void> {
  while (!signal.aborted) {
    await delay(ms);
    await act();
  }
}

function heapMiB(): number {
  global.gc?.();
  return process.memoryUsage().heapUsed / MEBIBYTE;
}

const stop = new AbortController();
const began = Date.now();
let heapBefore = 0;
const running = [
  ...Array.from({ length: Number(values.clients) }, () => client(soak, stop.signal)),
  publishing(truth, random, stop.signal),
  every(1_000, stop.signal, tidy),
  every(2_500, stop.signal, () => {
    reloads += 1;
    gateway.reload(configuration(reloads));
  }),
  every(0, stop.signal, async () => {
    await faults.episode(upstream, random);
    // At times the next comes before the last is over; at times all is well for a while.
    await delay(random.chance(0.7) ? random.below(500) : AFTERMATH_MS + random.below(4_000));
  })
];
await delay(seconds * 200);
heapBefore = heapMiB();
await delay(seconds * 800);
stop.abort();
await Promise.all(running);

// Everything must be well again: no answer is excused any more.
await delay(AFTERMATH_MS + 500);
const errorsBefore = figures.wrong.length;
const before = new Map(figures.codes);
for (let asked = 0; asked < CALM_REQUESTS; asked += 1) await once(soak, false);
const calmOk = (figures.codes.get("OK") ?? 0) - (before.get("OK") ?? 0);
tidy();
const socketsAtRest = upstream.connections();
const heapAfter = heapMiB();
const unfinished = upstream.requests.length;
await gateway.close();
await Promise.race([upstream.until(() => upstream.connections() === 0), delay(5_000)]);
const socketsAtEnd = upstream.connections();
await upstream.close();

const sorted = figures.milliseconds.toSorted((a, b) => a - b);
const percentile = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(1);
const list = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, count]) => `${name} ${count}`)
    .join(", ");
console.log(`seed ${values.seed}, ${((Date.now() - began) / 1000).toFixed(0)} s, ${values.clients} clients, two tenants
answers            ${sorted.length} (${list(figures.surfaces)})
  by code          ${list(figures.codes)}
  ms p50/p99/max   ${percentile(0.5)} / ${percentile(0.99)} / ${percentile(0.999999)}
left early         ${figures.left}
upstream requests  ${upstreamRequests}
fault episodes     ${faults.episodes}, publications ${truth.publications}, reloads ${reloads}
calm at the end    ${calmOk} of ${CALM_REQUESTS} answered with data, ${figures.wrong.length - errorsBefore} wrong
wrong answers      ${figures.wrong.length}
leaks in the log   ${leaks.length}
uncaught, warnings ${uncaught.length}
requests left open ${unfinished}
sockets            ${socketsAtRest} at rest, ${socketsAtEnd} after closing
heap               ${heapBefore.toFixed(1)} MiB after a fifth, ${heapAfter.toFixed(1)} MiB at the end`);
for (const line of [...figures.wrong.slice(0, 10), ...leaks.slice(0, 5), ...uncaught.slice(0, 5)])
  console.log(`- ${line}`);

const grown = global.gc === undefined ? 0 : heapAfter - heapBefore;
const failed =
  figures.wrong.length + leaks.length + uncaught.length + unfinished + socketsAtEnd > 0 || grown > GROWTH_MIB;
console.log(failed ? "failed" : "passed");
process.exitCode = failed ? 1 : 0;
