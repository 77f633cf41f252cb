/** What one HTTP request may cost upstream. Source: docs/invariants.md 10. */
import { GatewayError } from "../errors.ts";

const LIMIT = "upstreamCallsPerRequest";

/** Counts upstream calls over a whole HTTP request, batches included. */
export class RequestBudget {
  readonly limit: number;
  #spent = 0;

  constructor(limit: number) {
    this.limit = limit;
  }

  get spent(): number {
    return this.#spent;
  }

  /** @throws QUERY_TOO_COMPLEX (`details {limit: "upstreamCallsPerRequest", maximum}`) once the calls are spent */
  charge(): void {
    if (this.#spent >= this.limit) {
      throw new GatewayError("QUERY_TOO_COMPLEX", {
        message: `The request needs more than ${this.limit} upstream calls. Ask for fewer items, or in more requests.`,
        details: { limit: LIMIT, maximum: this.limit }
      });
    }
    this.#spent += 1;
  }
}

/** Whether an error says that the request has spent its calls. */
export function isSpent(error: unknown): boolean {
  return error instanceof GatewayError && error.details?.limit === LIMIT;
}

/** One reader call: whose it is, how long it may take, and what it has cost so far. */
export class Reading {
  readonly tenant: string;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly #budget: RequestBudget;
  upstreamCalls = 0;

  constructor(tenant: string, signal: AbortSignal, deadline: number, budget: RequestBudget) {
    this.tenant = tenant;
    this.signal = signal;
    this.deadline = deadline;
    this.#budget = budget;
  }

  /** Charged before a flight is joined, so that sharing never lends a caller more than its limit. */
  charge(): void {
    this.#budget.charge();
    this.upstreamCalls += 1;
  }

  /** The same request's next call, with a count of its own. */
  another(): Reading {
    return new Reading(this.tenant, this.signal, this.deadline, this.#budget);
  }
}
