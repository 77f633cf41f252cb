/**
 * `npm run bench:overload [-- --seconds 15] [--connections 32]`: what becomes of a gateway that is asked for three times of
 * what it can answer. Measures what was built; figures are in bench/README.md.
 *
 * First the rate that it sustains, from its processor time an answer; then load that does not wait, at a part of that rate
 * and at multiples of it. What is accepted should come about as fast under triple load as under full load, and
 * what is refused should be refused at once, with a wait.
 */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { JOBS } from "./jobs.ts";
import type { LoadResult } from "./load.ts";
import type { OpenLoad, OpenLoadResult } from "./open-loop.ts";
import { cpuSeconds, startChild } from "./processes.ts";
import { askOnce, startServers } from "./servers.ts";

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "15" }, connections: { type: "string", default: "32" } }
});
const seconds = Number(values.seconds);
const MULTIPLES = [0.5, 0.8, 1, 2, 3];

const servers = await startServers();
const open = await startChild("./open-loop.ts", "load");
try {
  const requests = JOBS.filter(({ state }) => state === "warm").flatMap((job) => job.requests.gateway);
  const gateway = servers.server("gateway", "warm");
  for (const request of requests) await askOnce(gateway.url, request);
  const closed = { url: gateway.url, connections: Number(values.connections), requests };
  await servers.load.ask({ ...closed, seconds: 2 });
  const cpuAtFirst = cpuSeconds(gateway.pid);
  const sustained = (await servers.load.ask({ ...closed, seconds })) as unknown as LoadResult;
  // What it could sustain with a core of its own: on a busy machine it has less than one, and so answers less.
  const rate = Math.round(sustained.answers / (cpuSeconds(gateway.pid) - cpuAtFirst));
  console.log(`${new Date().toISOString()}, Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`);
  console.log(
    `load average: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`
  );
  console.log(
    `sustained: ${rate} answers a second of processor time, ${Math.round(sustained.answers / sustained.seconds)} a second ` +
      `over ${values.connections} connections, p99 ${sustained.p99} ms\n`
  );
  console.log(
    "| load | sent/s | accepted/s | p50 / p99 / max of accepted, ms | refused with a wait | p99 of refused, ms | failed | core | p99 of sending late, ms |"
  );
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const multiple of MULTIPLES) {
    const cpuBefore = cpuSeconds(gateway.pid);
    const load: OpenLoad = { url: gateway.url, rate: rate * multiple, seconds, requests };
    const result = (await open.ask({ ...load })) as unknown as OpenLoadResult;
    const core = ((cpuSeconds(gateway.pid) - cpuBefore) / seconds) * 100;
    console.log(row(multiple, result, core));
    // Nothing of one load is left when the next begins.
    await askOnce(gateway.url, requests[0] ?? fail());
  }
} finally {
  await open.stop();
  await servers.stop();
}

function row(multiple: number, result: OpenLoadResult, core: number): string {
  const { sent, accepted, acceptedP50, acceptedP99, acceptedMax, refused, refusedP99, failed, lateP99 } = result;
  return `| ${[
    `${multiple} ×`,
    Math.round(sent / seconds),
    Math.round(accepted / seconds),
    `${acceptedP50} / ${acceptedP99} / ${acceptedMax}`,
    `${((refused / sent) * 100).toFixed(1)} %`,
    refused === 0 ? "" : refusedP99,
    failed,
    `${core.toFixed(0)} %`,
    lateP99
  ].join(" | ")} |`;
}

function fail(): never {
  throw new Error("no requests");
}
