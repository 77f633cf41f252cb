/** What one HTTP request may cost upstream. Source: docs/invariants.md 10. */
import { GatewayError } from "../errors.ts";
import type { Patience } from "./patience.ts";

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
  readonly patience: Patience;
  readonly #budget: RequestBudget;
  upstreamCalls = 0;

  constructor(tenant: string, patience: Patience, budget: RequestBudget) {
    this.tenant = tenant;
    this.patience = patience;
    this.#budget = budget;
  }

  /** Charged before a flight is joined, so that sharing never lends a caller more than its limit. */
  charge(): void {
    this.#budget.charge();
    this.upstreamCalls += 1;
  }
}
