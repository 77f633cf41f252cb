/**
 * One upstream's budget for all replicas. Together they never take more than the upstream's limit, also where the store
 * goes and comes back:
 *
 * - Alone, each takes its share of the limit. For the first stretch after the store went, each also stays within what it
 *   had taken before and its share of what was left then, because the others' requests of that stretch still count.
 * - When the store is back it may have forgotten everything. Each tells it what it took, and until the others have had
 *   time to do the same, a request needs the leave of both: the store's and that of this process's own count.
 *
 * The store's last word on what is left is at most a heartbeat old; what others took since then is the one inaccuracy.
 */
import { exhausted, GUARANTEED, slidingBudget, type UpstreamBudget } from "../../upstream/budget.ts";
import { CLOSE, RESTORE, TAKE } from "./budget-scripts.ts";
import { MAX_RECONNECT_DELAY_MS, type SharedStore } from "./store.ts";

/** A request counts when it is taken and reaches the upstream a little later, so each counts a little longer. */
const ON_THE_WAY_MS = 250;
/** Until every replica has found the store again and told it what it took. */
const SETTLE_MS = 2 * MAX_RECONNECT_DELAY_MS;
const RESTORED_AT_ONCE = 500;

export interface SharedBudgetOptions {
  readonly store: SharedStore;
  /** Names the upstream in the store. */
  readonly key: string;
  readonly limit: { readonly requests: number; readonly perSeconds: number };
  /** Who shares the limit. */
  readonly tenants: () => readonly string[];
}

interface Taken {
  readonly at: number;
  readonly member: string;
}

/** How this process counts by itself. */
interface Alone {
  readonly budget: UpstreamBudget;
  /** Milliseconds since the epoch until which requests from before the store went still count. */
  readonly until: number;
  /** The most of this process's requests in the stretch until then. */
  readonly allowance: number;
}

export class SharedBudget implements UpstreamBudget {
  readonly #options: SharedBudgetOptions;
  readonly #windowMs: number;
  readonly #keys: readonly string[];
  /** This process's requests of the last stretch, oldest first. */
  readonly #own: Taken[] = [];
  #numbers = 0;
  #left: number;
  #closedUntil = 0;
  #alone: Alone | null = null;
  /** Whether the store that came back knows of this process's requests. */
  #told = false;
  #settling: NodeJS.Timeout | undefined;
  readonly #unlisten: () => void;

  constructor(options: SharedBudgetOptions) {
    const { store, key, limit } = options;
    this.#options = options;
    this.#windowMs = limit.perSeconds * 1000 + ON_THE_WAY_MS;
    this.#left = limit.requests;
    this.#keys = ["taken", "tenants", "closed"].map((part) => `${key}:${part}`);
    if (!store.available) this.#alone = this.#beginAlone();
    this.#unlisten = store.listen({
      up: () => void this.#rejoin(),
      down: () => this.#leave(),
      beat: () => void this.#look()
    });
  }

  async take(tenant: string): Promise<void> {
    const at = Date.now();
    if (at < this.#closedUntil) throw exhausted(this.#closedUntil - at);
    const taken = { at, member: `${this.#options.store.id}:${this.#numbers}:${tenant}` };
    this.#numbers += 1;
    const alone = this.#alone;
    if (alone !== null) {
      this.#takeAlone(alone, tenant, taken);
      if (this.#told) await this.#takeTogether(tenant, taken);
    } else if (await this.#takeTogether(tenant, taken)) {
      this.#remember(taken);
    } else {
      this.#alone ??= this.#beginAlone();
      this.#takeAlone(this.#alone, tenant, taken);
    }
  }

  close(seconds: number): void {
    const ms = Math.ceil(seconds * 1000);
    this.#closedUntil = Math.max(this.#closedUntil, Date.now() + ms);
    this.#options.store.run(CLOSE, this.#keys, [ms]).catch(() => undefined);
  }

  left(): number {
    if (Date.now() < this.#closedUntil) return 0;
    return this.#alone?.budget.left?.() ?? this.#left;
  }

  /** Hears no more of the store, and asks it nothing by itself. */
  end(): void {
    this.#unlisten();
    clearTimeout(this.#settling);
  }

  /** @returns false where the store did not answer; the request may be counted there all the same */
  async #takeTogether(tenant: string, taken: Taken): Promise<boolean> {
    const { store, limit } = this.#options;
    const tenants = this.#options.tenants();
    const share = Math.floor((limit.requests * GUARANTEED) / Math.max(1, tenants.length));
    let reply: readonly number[];
    try {
      const args = [this.#windowMs, limit.requests, taken.member, tenant, share, ...tenants];
      reply = await store.run(TAKE, this.#keys, args);
    } catch {
      return false;
    }
    const [granted, number = 0, closed] = reply;
    if (granted !== 1) {
      this.#left = 0;
      if (closed === 1) this.#closedUntil = Math.max(this.#closedUntil, Date.now() + number);
      throw exhausted(number);
    }
    this.#left = number;
    return true;
  }

  #takeAlone({ budget, until, allowance }: Alone, tenant: string, taken: Taken): void {
    const own = this.#recent();
    if (taken.at < until && own.length >= allowance) {
      throw exhausted((own[0]?.at ?? until - this.#windowMs) + this.#windowMs - taken.at);
    }
    // Never waits: a budget of this process alone answers at once.
    void budget.take(tenant);
    this.#remember(taken);
  }

  #beginAlone(): Alone {
    const { store, limit, tenants } = this.#options;
    const requests = Math.max(1, Math.floor(limit.requests / store.replicas));
    return {
      budget: slidingBudget({ requests, perSeconds: this.#windowMs / 1000 }, Date.now, tenants),
      until: Date.now() + this.#windowMs,
      allowance: this.#recent().length + Math.floor(this.#left / store.replicas)
    };
  }

  #leave(): void {
    clearTimeout(this.#settling);
    this.#told = false;
    this.#alone ??= this.#beginAlone();
  }

  async #rejoin(): Promise<void> {
    clearTimeout(this.#settling);
    if (this.#alone === null) return;
    // First, so that what is taken while the store is being told is taken there as well.
    this.#told = true;
    this.#told = await this.#restore();
    if (!this.#told) return;
    this.#settling = setTimeout(() => {
      this.#alone = null;
      this.#told = false;
    }, SETTLE_MS);
    this.#settling.unref();
  }

  /** Tells the store what this process took; what it knows already counts once. */
  async #restore(): Promise<boolean> {
    const { store } = this.#options;
    const own = this.#recent();
    try {
      for (let from = 0; from < own.length; from += RESTORED_AT_ONCE) {
        const part = own.slice(from, from + RESTORED_AT_ONCE);
        const pairs = part.flatMap(({ at, member }) => [Math.ceil(store.toShared(at) ?? at), member]);
        await store.run(RESTORE, this.#keys, [this.#windowMs, ...pairs]);
      }
      return true;
    } catch {
      return false;
    }
  }

  /** What others took shows in what is left. */
  async #look(): Promise<void> {
    if (this.#alone !== null) return;
    const { store, limit } = this.#options;
    try {
      const [open, left = 0] = await store.run(TAKE, this.#keys, [this.#windowMs, limit.requests, "", "", 0]);
      this.#left = open === 1 ? left : 0;
    } catch {
      // The next request notices as well.
    }
  }

  #remember(taken: Taken): void {
    this.#own.push(taken);
    this.#recent();
  }

  #recent(): readonly Taken[] {
    const oldest = Date.now() - this.#windowMs;
    const first = this.#own.findIndex(({ at }) => at > oldest);
    if (first !== 0) this.#own.splice(0, first === -1 ? this.#own.length : first);
    return this.#own;
  }
}
