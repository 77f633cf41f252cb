/**
 * Load that does not wait: so many requests a second, whether the last ones were answered or not. A process of its own.
 */
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "undici";
import { type Message, serveParent } from "./child.ts";
import type { LoadRequest } from "./load.ts";

export interface OpenLoad {
  readonly url: string;
  /** Requests a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly requests: readonly LoadRequest[];
}

export interface OpenLoadResult {
  readonly sent: number;
  /** 200. */
  readonly accepted: number;
  readonly acceptedP50: number;
  readonly acceptedP99: number;
  readonly acceptedMax: number;
  /** 503 with a wait. */
  readonly refused: number;
  readonly refusedP99: number;
  /** Anything else, connections that failed included. */
  readonly failed: number;
  /** How late requests were sent, because this process itself was late: where it is large, the figures mean little. */
  readonly lateP99: number;
}

const TICK_MS = 5;
/**
 * Open before the load begins, as those of a proxy are; more are opened where all are waiting. There must be enough: Node.js
 * takes one new connection in a turn of its event loop, so those that are opened to a busy process wait for seconds.
 */
const SOCKETS = 4_000;
const SOCKETS_AT_ONCE = 50;

async function run({ url, rate, seconds, requests }: OpenLoad): Promise<OpenLoadResult> {
  // A pool looks through all its connections for a free one, which takes long where most are waiting.
  const free: Client[] = [];
  const all: Client[] = [];
  const connect = (): Client => {
    const client = new Client(url, { headersTimeout: 60_000, keepAliveTimeout: 60_000 });
    all.push(client);
    return client;
  };
  for (let opened = 0; opened < SOCKETS; opened += SOCKETS_AT_ONCE) {
    await Promise.all(
      Array.from({ length: SOCKETS_AT_ONCE }, async () => {
        const client = connect();
        const answer = await client.request({ method: "GET", path: "/healthz" });
        await answer.body.dump();
        free.push(client);
      })
    );
  }
  const accepted: number[] = [];
  const refused: number[] = [];
  const late: number[] = [];
  let failed = 0;

  const send = async (request: LoadRequest, due: number): Promise<void> => {
    const client = free.pop() ?? connect();
    const sentAt = performance.now();
    late.push(sentAt - due);
    try {
      const { method, path, headers, body = null } = request;
      const answer = await client.request({ method, path, headers, body });
      await answer.body.dump();
      const ms = performance.now() - sentAt;
      if (answer.statusCode === 200) accepted.push(ms);
      else if (answer.statusCode === 503 && answer.headers["retry-after"] !== undefined) refused.push(ms);
      else failed += 1;
    } catch {
      failed += 1;
    }
    free.push(client);
  };

  const began = performance.now();
  const sending: Promise<void>[] = [];
  while (sending.length < rate * seconds) {
    const due = Math.min(rate * seconds, ((performance.now() - began) * rate) / 1000);
    while (sending.length < due) {
      const request = requests[sending.length % requests.length];
      if (request === undefined) throw new Error("no requests");
      sending.push(send(request, began + (sending.length * 1000) / rate));
    }
    await delay(TICK_MS);
  }
  await Promise.all(sending);
  await Promise.all(all.map((client) => client.destroy()));
  return {
    sent: sending.length,
    accepted: accepted.length,
    acceptedP50: quantile(accepted, 0.5),
    acceptedP99: quantile(accepted, 0.99),
    acceptedMax: quantile(accepted, 1),
    refused: refused.length,
    refusedP99: quantile(refused, 0.99),
    failed,
    lateP99: quantile(late, 0.99)
  };
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN);
}

serveParent({ handle: async (message: Message) => ({ ...(await run(message as unknown as OpenLoad)) }) });
