/** `npm run bench [-- --rounds 5 --seconds 3 --job search]`: measures what was built, and prints ratios. */
import { cpus, loadavg } from "node:os";
import { parseArgs } from "node:util";
import { JOBS, type Job } from "./jobs.ts";
import { type Effort, type JobFigures, measure } from "./measure.ts";
import { firstAnswer, memory } from "./process-figures.ts";
import { startServers } from "./servers.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "3" },
    /** Only jobs whose name and state hold this text, and nothing else. */
    job: { type: "string", default: "" },
    requests: { type: "string", default: "100000" }
  }
});
const effort: Effort = { rounds: Number(values.rounds), seconds: Number(values.seconds), connections: 16 };
const UPSTREAM_DELAY_MS = 20;
/** Few enough that a core is not the limit, so that what is seen is the waiting. */
const UNHURRIED = 4;

const chosen = JOBS.filter((job) => `${job.name} ${job.state}`.includes(values.job));
const servers = await startServers();
try {
  console.log(`${new Date().toISOString()}, Node.js ${process.version}, ${cpus().length} × ${cpus()[0]?.model}`);
  console.log(
    `load average before: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}\n`
  );
  header(
    ["job", "ratio to the reference", "target", "naive's ratio", "answers/s: ref, naive, gateway"],
    ["CPU µs an answer: ref, gateway", "upstream calls an answer: ref, naive, gateway"]
  );
  for (const job of chosen) console.log(row(job, await measure(servers, job, effort)));

  await servers.upstream.ask({ delayMs: UPSTREAM_DELAY_MS });
  console.log(`\nThe upstream answers after ${UPSTREAM_DELAY_MS} ms, ${UNHURRIED} connections; p50 / p99 in ms\n`);
  header(["job", "reference", "naive", "gateway"], []);
  for (const job of chosen) {
    const figures = await measure(servers, job, { ...effort, rounds: 1, connections: UNHURRIED });
    const cells = [figures.reference, figures.naive, figures.gateway].map(({ p50, p99 }) => `${p50} / ${p99}`);
    console.log(`| ${[`${job.name}, ${job.state}`, ...cells].join(" | ")} |`);
  }
  await servers.upstream.ask({ delayMs: 0 });

  if (values.job === "") {
    console.log(`\nstart-up to the first answer: ${Math.round(await firstAnswer(servers, 5))} ms`);
    const { idle, half, whole } = await memory(servers, Number(values.requests));
    const megabytes = [idle, half, whole].map((size) => `${Math.round(size)} MB`);
    console.log(
      `resident memory: ${megabytes[0]} idle, ${megabytes[1]} after ${Number(values.requests) / 2} requests, ${megabytes[2]} after ${values.requests}`
    );
  }
  console.log(
    `load average after: ${loadavg()
      .map((load) => load.toFixed(1))
      .join(" ")}`
  );
} finally {
  await servers.stop();
}

function row(job: Job, { reference, naive, gateway }: JobFigures): string {
  const rates = [reference, naive, gateway].map(({ rate }) => Math.round(rate));
  const calls = [reference, naive, gateway].map(({ upstreamCalls }) =>
    upstreamCalls.toFixed(upstreamCalls < 0.1 ? 4 : 1)
  );
  return `| ${[
    `${job.name}, ${job.state}`,
    gateway.ratio.toFixed(2),
    job.target?.toFixed(1) ?? "",
    naive.ratio.toFixed(3),
    rates.join(", "),
    [reference, gateway].map(({ cpuMicros }) => Math.round(cpuMicros)).join(", "),
    calls.join(", ")
  ].join(" | ")} |`;
}

function header(first: readonly string[], more: readonly string[]): void {
  const names = [...first, ...more];
  console.log(`| ${names.join(" | ")} |\n| ${names.map(() => "---").join(" | ")} |`);
}
