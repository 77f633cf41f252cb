/** Upstream clients that outlive a reload: one is kept as long as some version of the configuration asks for the same. */
import type { UpstreamConfig } from "../config/schema.ts";
import type { Upstream } from "../upstream/upstream.ts";

export type OpenUpstream = (name: string, config: UpstreamConfig) => Upstream;

interface Pool {
  readonly upstream: Upstream;
  holders: number;
}

/** Some versions' clients. `release` gives them back, once. */
export interface HeldUpstreams {
  readonly upstreams: ReadonlyMap<string, Upstream>;
  release(): Promise<void>;
}

export class UpstreamPools {
  readonly #open: OpenUpstream;
  readonly #pools = new Map<string, Pool>();

  constructor(open: OpenUpstream) {
    this.#open = open;
  }

  /** Clients for a configuration's upstreams: those at hand where name, URL, key and bounds are the same, else new. */
  hold(configs: Readonly<Record<string, UpstreamConfig>>): HeldUpstreams {
    const held = new Map<string, Pool>();
    const upstreams = new Map<string, Upstream>();
    for (const [name, config] of Object.entries(configs)) {
      const identity = JSON.stringify([name, config]);
      const pool = this.#pools.get(identity) ?? { upstream: this.#open(name, config), holders: 0 };
      pool.holders += 1;
      this.#pools.set(identity, pool);
      held.set(identity, pool);
      upstreams.set(name, pool.upstream);
    }
    return { upstreams, release: () => this.#release(held) };
  }

  async #release(held: Map<string, Pool>): Promise<void> {
    const idle: Upstream[] = [];
    for (const [identity, pool] of held) {
      pool.holders -= 1;
      if (pool.holders > 0) continue;
      this.#pools.delete(identity);
      idle.push(pool.upstream);
    }
    held.clear();
    await Promise.all(idle.map((upstream) => upstream.close()));
  }
}
