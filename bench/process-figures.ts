/** What only a whole process can tell: how long until it answers, and whether its memory stays. */
import { JOBS } from "./jobs.ts";
import type { LoadResult } from "./load.ts";
import { median } from "./measure.ts";
import { residentMegabytes } from "./processes.ts";
import { askOnce, type Servers } from "./servers.ts";

/** Milliseconds from the start of a process to its first answer to a GraphQL query, median. */
export async function firstAnswer(servers: Servers, starts: number): Promise<number> {
  const times: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    const begun = performance.now();
    const gateway = await servers.freshGateway();
    const request = JOBS[0]?.requests.gateway[0];
    if (request !== undefined) await askOnce(gateway.url, request);
    times.push(performance.now() - begun);
    await gateway.stop();
  }
  return median(times);
}

export interface Memory {
  readonly idle: number;
  /** After a first, and after a second half of the requests. */
  readonly half: number;
  readonly whole: number;
}

/** Resident megabytes of a fresh gateway, before and after so many requests of all jobs. */
export async function memory(servers: Servers, requests: number): Promise<Memory> {
  const gateway = await servers.freshGateway();
  const idle = residentMegabytes(gateway.pid);
  const all = JOBS.filter((job) => job.state === "warm").flatMap((job) => job.requests.gateway);
  const send = async () => {
    const load = { url: gateway.url, connections: 16, amount: requests / 2, requests: all };
    const { failures } = (await servers.load.ask(load)) as unknown as LoadResult;
    if (failures > 0) throw new Error(`${failures} answers failed`);
    return residentMegabytes(gateway.pid);
  };
  const half = await send();
  const whole = await send();
  await gateway.stop();
  return { idle, half, whole };
}
