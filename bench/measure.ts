/** One job, over all servers in turn, round after round. */
import type { Job, ServerName } from "./jobs.ts";
import type { LoadResult } from "./load.ts";
import { cpuSeconds } from "./processes.ts";
import { askOnce, type Servers } from "./servers.ts";

export interface Effort {
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
}

export interface Figures {
  /** Answers a second. */
  readonly rate: number;
  /** The rate as a ratio to the reference's in the same round. */
  readonly ratio: number;
  /** Processor time of the server an answer, in microseconds. */
  readonly cpuMicros: number;
  readonly upstreamCalls: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

export type JobFigures = Readonly<Record<ServerName, Figures>>;

const ORDER: readonly ServerName[] = ["reference", "naive", "gateway"];

/** Medians over the rounds. Servers alternate, so that what disturbs the machine disturbs them alike. */
export async function measure(servers: Servers, job: Job, effort: Effort): Promise<JobFigures> {
  for (const name of ORDER) {
    const { url } = servers.server(name, job.state);
    for (const request of job.requests[name]) await askOnce(url, request);
    // Compilers and caches warm up on the way that will be measured; a server is hot after some seconds of it.
    await run(servers, job, name, effort);
  }
  const rounds: Record<ServerName, Omit<Figures, "ratio">>[] = [];
  for (let round = 0; round < effort.rounds; round += 1) {
    const figures: Partial<Record<ServerName, Omit<Figures, "ratio">>> = {};
    for (const name of ORDER) figures[name] = await run(servers, job, name, effort);
    rounds.push(figures as Record<ServerName, Omit<Figures, "ratio">>);
  }
  const of = (name: ServerName): Figures => ({
    rate: median(rounds.map((round) => round[name].rate)),
    ratio: median(rounds.map((round) => round[name].rate / round.reference.rate)),
    cpuMicros: median(rounds.map((round) => round[name].cpuMicros)),
    upstreamCalls: median(rounds.map((round) => round[name].upstreamCalls)),
    p50: median(rounds.map((round) => round[name].p50)),
    p99: median(rounds.map((round) => round[name].p99))
  });
  return { reference: of("reference"), naive: of("naive"), gateway: of("gateway") };
}

async function run(
  { load, upstream, server }: Servers,
  job: Job,
  name: ServerName,
  { seconds, connections }: Effort
): Promise<Omit<Figures, "ratio">> {
  const { url, pid } = server(name, job.state);
  await upstream.ask({});
  const cpuBefore = cpuSeconds(pid);
  const result = (await load.ask({ url, connections, seconds, requests: job.requests[name] })) as unknown as LoadResult;
  const cpu = cpuSeconds(pid) - cpuBefore;
  const { requests } = (await upstream.ask({})) as { requests: number };
  if (result.failures > 0) throw new Error(`${job.name}: ${name} answered ${result.outcomes}`);
  return {
    rate: result.answers / result.seconds,
    cpuMicros: (cpu / result.answers) * 1e6,
    upstreamCalls: requests / result.answers,
    p50: result.p50,
    p99: result.p99
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
