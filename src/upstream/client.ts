/** The client of one upstream: what a call passes through, from the caller's deadline down to the socket. */
import type { UpstreamConfig } from "../config/schema.ts";
import { understand } from "./answer.ts";
import { slidingBudget, spending, type UpstreamBudget } from "./budget.ts";
import { Bulkhead } from "./bulkhead.ts";
import { type Call, type Layer, layered } from "./call.ts";
import { Circuit, isUnwell } from "./circuit.ts";
import { deadline } from "./deadline.ts";
import { Ending } from "./ending.ts";
import { type OnRequest, observed } from "./observed.ts";
import { OPERATIONS, type Operation, type OperationInput } from "./operations.ts";
import { RetryBudget, retries } from "./retry.ts";
import { requestTarget } from "./target.ts";
import { createTransport } from "./transport.ts";
import type { Answer, CallOptions, CircuitState, Upstream } from "./upstream.ts";

/** The part of a pino logger that is used here. */
interface UpstreamLogger {
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

export interface UpstreamOptions {
  /** The largest answer to accept, in decoded bytes. Content travels as JSON, so this is above the content limit. */
  readonly bodyBytes?: number;
  /** Shared with other replicas where given; else this process counts for itself. */
  readonly budget?: UpstreamBudget;
  readonly logger?: UpstreamLogger;
  /** Told of each request that was sent, when it ends. */
  readonly onRequest?: OnRequest;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

const BODY_BYTES = 16 * 1024 * 1024;

/** @param config the upstream's name, for logs and state, with what the configuration says of it */
export function createUpstream(config: UpstreamConfig & { name: string }, options: UpstreamOptions = {}): Upstream {
  const { name, timeoutMs } = config;
  const now = options.now ?? Date.now;
  const url = new URL(config.url);
  const prefix = url.pathname.replace(/\/+$/, "");
  const transport = createTransport({
    origin: url.origin,
    apiKey: config.apiKey,
    connectTimeoutMs: timeoutMs,
    sockets: config.maxConcurrent,
    bodyBytes: options.bodyBytes ?? BODY_BYTES
  });
  const log = (kind: string) => (state: CircuitState) =>
    options.logger?.[state === "open" ? "warn" : "info"]({ upstream: name, kind, state }, "circuit changed");
  const circuits = { search: new Circuit(now, log("search")), reads: new Circuit(now, log("reads")) };
  const outcome: { lastSuccessAt: number | null; lastFailureAt: number | null } = {
    lastSuccessAt: null,
    lastFailureAt: null
  };

  const budget = options.budget ?? slidingBudget(config.rateLimit, now);

  const layers: readonly Layer[] = [
    // Around everything, so that waiting for a slot, retries and a dripping body all count against one time.
    deadline(timeoutMs, now),
    // Before any wait or cost: an open circuit refuses at once. Around the retries, so that a call counts once.
    (call, next) => circuits[call.kind].layer(call, next),
    // Each try below has its own place in the budget and its own slot; no slot is held while it waits to try again.
    retries(new RetryBudget(config.maxConcurrent)),
    // Before the queue: what the upstream's limit refuses is not worth waiting for.
    spending(budget),
    // After all that waits, so that a slot stands for a request on the wire.
    new Bulkhead(config.maxConcurrent).layer,
    // Last, so that what is measured is the upstream's time alone.
    observed(name, options.onRequest)
  ];
  const send = layered(layers, async (call) => {
    try {
      const reply = understand(call, await transport.exchange(call), now());
      outcome.lastSuccessAt = now();
      return reply;
    } catch (error) {
      if (isUnwell(error, call)) outcome.lastFailureAt = now();
      throw error;
    }
  });

  return {
    name,
    async read<O extends Operation>(operation: O, input: OperationInput, callOptions?: CallOptions) {
      // `understand` checks the body against this operation's contract, which is what the type is made of.
      return send(callOf(prefix, operation, input, callOptions)) as Promise<Answer<O>>;
    },
    state: () => ({
      search: circuits.search.state,
      reads: circuits.reads.state,
      ...outcome,
      budgetLeft: budget.left?.() ?? null
    }),
    async close() {
      await transport.close();
      budget.release?.();
    }
  };
}

function callOf(prefix: string, operation: Operation, input: OperationInput, options: CallOptions = {}): Call {
  const query = input.query ?? {};
  const about = input.ids?.fileId ?? query.fileId ?? query.path ?? query.query;
  return {
    operation,
    kind: OPERATIONS[operation].kind,
    target: requestTarget(prefix, operation, input),
    query,
    subject: about === undefined ? null : `${input.ids?.knowledgeBaseId} ${about}`,
    tenant: options.tenant ?? "",
    caller: options.signal,
    ending: options.ending ?? new Ending(),
    deadline: options.deadline,
    progress: { sent: 0, hurried: false }
  };
}
