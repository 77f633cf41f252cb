/** What replicas of the gateway share through Redis or Valkey: tenants' rates, upstreams' budgets, known revisions, registered operations. */
import type { Logger } from "pino";
import type { GatewayConfig, UpstreamConfig } from "../../config/schema.ts";
import type { SharedOperations } from "../../graphql/persisted/automatic.ts";
import type { RevisionCheck } from "../../knowledge/knowledge.ts";
import type { RateStore } from "../../policy/limiter.ts";
import type { UpstreamBudget } from "../../upstream/budget.ts";
import { SharedBudget } from "./budget.ts";
import { RevisionHints, type SharedCheck } from "./hints.ts";
import { sharedOperations } from "./operations.ts";
import { sharedRates } from "./rates.ts";
import { KEY_PREFIX, SharedStore } from "./store.ts";
import { upstreamKey } from "./upstream-key.ts";

export interface SharedState {
  /** False while this replica counts for itself. */
  readonly available: boolean;
  readonly replicas: number;
}

interface HeldBudget {
  readonly budget: SharedBudget;
  holders: number;
}

export class Replicas {
  readonly rateStore: RateStore;
  readonly operations: SharedOperations;
  readonly #store: SharedStore;
  readonly #hints: RevisionHints;
  readonly #budgets = new Map<string, HeldBudget>();
  #onCheck: (check: SharedCheck) => void = () => undefined;

  constructor(redisUrl: string, assumedReplicas: number, log: Logger) {
    this.#store = new SharedStore({ redisUrl, assumedReplicas, log });
    this.#hints = new RevisionHints(redisUrl, this.#store, (check) => this.#onCheck(check));
    this.rateStore = sharedRates(this.#store);
    this.operations = sharedOperations(this.#store);
  }

  /** Resolves when the store answers, or after a second without it. */
  async started(): Promise<void> {
    await Promise.all([this.#store.started(), this.#hints.started()]);
  }

  get state(): SharedState {
    return { available: this.#store.available, replicas: this.#store.replicas };
  }

  /** The budget of one upstream: the same one for all clients of the same upstream and limit, until the last is closed. */
  budget(name: string, { url, rateLimit }: UpstreamConfig, tenants: () => readonly string[]): UpstreamBudget {
    const identity = JSON.stringify([name, url, rateLimit]);
    const held = this.#budgets.get(identity) ?? {
      budget: new SharedBudget({
        store: this.#store,
        // The braces keep an upstream's keys together in a cluster.
        key: `${KEY_PREFIX}:{${upstreamKey(url)}}`,
        limit: rateLimit,
        tenants
      }),
      holders: 0
    };
    held.holders += 1;
    this.#budgets.set(identity, held);
    const { budget } = held;
    return {
      take: (tenant) => budget.take(tenant),
      close: (seconds) => budget.close(seconds),
      left: () => budget.left(),
      release: () => {
        held.holders -= 1;
        if (held.holders > 0) return;
        this.#budgets.delete(identity);
        budget.end();
      }
    };
  }

  /** Told of what other replicas' checks brought. */
  onCheck(listener: (check: SharedCheck) => void): void {
    this.#onCheck = listener;
  }

  tell(check: RevisionCheck, config: GatewayConfig): void {
    const { upstream, ...rest } = check;
    const url = config.upstreams[upstream]?.url;
    if (url !== undefined) this.#hints.tell({ ...rest, upstreamKey: upstreamKey(url) });
  }

  async close(): Promise<void> {
    this.#hints.close();
    await this.#store.close();
  }
}
