/** The load: autocannon in a process of its own. Each connection has questions of its own, so that none is joined. */
import autocannon from "autocannon";
import { type Message, serveParent } from "./child.ts";

export interface LoadRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Load {
  readonly url: string;
  readonly connections: number;
  readonly seconds?: number;
  readonly amount?: number;
  readonly requests: readonly LoadRequest[];
}

export interface LoadResult {
  readonly answers: number;
  readonly seconds: number;
  readonly p50: number;
  readonly p99: number;
  readonly failures: number;
  /** Answers by status, and what came of requests that had none. */
  readonly outcomes: string;
}

async function run({ url, connections, seconds, amount, requests }: Load): Promise<LoadResult> {
  let client = 0;
  const started = performance.now();
  const result = await autocannon({
    url,
    connections,
    ...(amount === undefined ? { duration: seconds ?? 1 } : { amount }),
    setupClient(connection) {
      const own = requests.filter(
        (_, index) => index % connections === client % Math.min(connections, requests.length)
      );
      client += 1;
      connection.setRequests(own.map((request) => ({ ...request })));
    }
  });
  return {
    answers: result.requests.total,
    seconds: amount === undefined ? result.duration : (performance.now() - started) / 1000,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failures: result.non2xx + result.errors + result.timeouts,
    outcomes: JSON.stringify({ ...result.statusCodeStats, errors: result.errors, timeouts: result.timeouts })
  };
}

serveParent({ handle: async (message: Message) => ({ ...(await run(message as unknown as Load)) }) });
