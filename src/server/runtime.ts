/**
 * What is in force: the current version of the configuration, and what outlives its versions.
 *
 * A request takes a lease on the version it begins with and sees no other. A version that was replaced gives its
 * upstream clients back when its last lease ends.
 */
import type { DestinationStream, Logger } from "pino";
import type { GatewayConfig, UpstreamConfig } from "../config/schema.ts";
import { type AutomaticOperations, createAutomaticOperations } from "../graphql/persisted/automatic.ts";
import { createLimiter, type Limiter } from "../policy/limiter.ts";
import { tenantsByUpstream } from "../policy/sharers.ts";
import { slidingBudget, type UpstreamBudget } from "../upstream/budget.ts";
import { createUpstream } from "../upstream/client.ts";
import { AuditLog } from "./audit.ts";
import { createAuthenticationState } from "./authentication.ts";
import type { Readiness } from "./health.ts";
import { KnowledgeHolder } from "./knowledge-holder.ts";
import { Leases } from "./leases.ts";
import { Metrics, type Snapshot } from "./metrics/metrics.ts";
import { UpstreamPools } from "./pools.ts";
import type { SharedCheck } from "./replicas/hints.ts";
import type { Replicas } from "./replicas/replicas.ts";
import { upstreamKey } from "./replicas/upstream-key.ts";
import { describeUnexpected } from "./unexpected.ts";
import { buildVersion, type Version } from "./version.ts";

export interface RuntimeOptions {
  readonly config: GatewayConfig;
  /** The package's, for the surfaces that tell it. */
  readonly version: string;
  readonly log: Logger;
  /** Where `audit.file: "-"` goes. */
  readonly standardOutput: DestinationStream;
  /** What is shared with other replicas; null or left out where nothing is. */
  readonly replicas?: Replicas | null;
}

export interface Lease {
  readonly version: Version;
  release(): void;
}

interface InForce {
  readonly version: Version;
  readonly leases: Leases;
}

async function putAway({ version, leases }: InForce): Promise<void> {
  await leases.unused();
  await version.held.release();
}

export class Runtime {
  readonly limiter: Limiter;
  readonly metrics = new Metrics();
  readonly #log: Logger;
  readonly #replicas: Replicas | null;
  readonly #packageVersion: string;
  readonly #pools = new UpstreamPools((name, config) =>
    createUpstream(
      { name, ...config },
      {
        logger: this.#log,
        onRequest: this.metrics.upstreamRequest,
        budget: this.#budget(name, config)
      }
    )
  );
  readonly #knowledge: KnowledgeHolder;
  readonly #automatic: AutomaticOperations;
  readonly #audit: AuditLog;
  readonly #authentication = createAuthenticationState();
  #current: InForce;
  /** By upstream, the tenants of the configuration in force that share its rate limit. */
  #sharers: ReadonlyMap<string, readonly string[]> = new Map();
  #lastReloadRefused = false;
  #stopping = false;

  constructor({ config, version, log, standardOutput, replicas = null }: RuntimeOptions) {
    this.#log = log;
    this.#replicas = replicas;
    this.limiter = createLimiter(replicas?.rateStore);
    this.#automatic = createAutomaticOperations(replicas?.operations);
    this.#packageVersion = version;
    this.#knowledge = new KnowledgeHolder(log, this.metrics, (check) => replicas?.tell(check, this.config));
    replicas?.onCheck((check) => this.#adopt(check));
    this.#audit = new AuditLog(standardOutput);
    this.#current = this.#build(config, 1);
  }

  /** True once the process is to end. */
  get stopping(): boolean {
    return this.#stopping;
  }

  /** The configuration in force. */
  get config(): GatewayConfig {
    return this.#current.version.config;
  }

  /** The version in force, kept usable until the lease is released. */
  lease(): Lease {
    const { version, leases } = this.#current;
    return { version, release: leases.take() };
  }

  /** Takes a configuration into force for the requests that come after. */
  apply(config: GatewayConfig): void {
    const replaced = this.#current;
    this.#current = this.#build(config, replaced.version.number + 1);
    this.#lastReloadRefused = false;
    this.metrics.reload("ok");
    void putAway(replaced);
  }

  /** Notes that the last change of the configuration was refused; the version in force stays. */
  refuse(): void {
    this.#lastReloadRefused = true;
    this.metrics.reload("refused");
  }

  readonly readiness = (): Readiness => {
    const { number, loadedAt, held } = this.#current.version;
    return {
      ready: !this.#stopping,
      configuration: { version: number, loadedAt: loadedAt.toISOString(), lastReloadRefused: this.#lastReloadRefused },
      shared: this.#replicas?.state ?? null,
      upstreams: new Map([...held.upstreams].map(([name, upstream]) => [name, upstream.state()]))
    };
  };

  /** What metrics show of the version in force. */
  measure(): Omit<Snapshot, "inFlight" | "eventLoopDelayMs"> {
    const { number, held, knowledge } = this.#current.version;
    return {
      configVersion: number,
      cachedBytes: knowledge.cachedBytes(),
      upstreams: new Map([...held.upstreams].map(([name, upstream]) => [name, upstream.state()])),
      shared: this.#replicas?.state ?? null
    };
  }

  /** From here on the gateway says that it is not ready. */
  beginStop(): void {
    this.#stopping = true;
  }

  /** Ends the upstream clients and the audit log, once no request uses them. */
  async close(): Promise<void> {
    await putAway(this.#current);
    this.#audit.close();
    await this.#replicas?.close();
  }

  #budget(name: string, config: UpstreamConfig): UpstreamBudget {
    // A client outlives reloads, which may change who shares its limit.
    const tenants = () => this.#sharers.get(name) ?? [];
    return this.#replicas?.budget(name, config, tenants) ?? slidingBudget(config.rateLimit, Date.now, tenants);
  }

  #adopt({ upstreamKey: key, ...check }: SharedCheck): void {
    const { config, knowledge } = this.#current.version;
    for (const [upstream, { url }] of Object.entries(config.upstreams)) {
      if (upstreamKey(url) === key) knowledge.adopt({ upstream, ...check });
    }
  }

  #build(config: GatewayConfig, number: number): InForce {
    this.#log.level = config.log.level;
    this.#sharers = tenantsByUpstream(config);
    const held = this.#pools.hold(config.upstreams);
    const version = buildVersion(config, {
      number,
      held,
      knowledge: this.#knowledge.for(config, held.upstreams),
      authentication: this.#authentication,
      onCall: this.#audit.for(config.audit),
      version: this.#packageVersion,
      automatic: this.#automatic,
      onUnexpected: (error, requestId) =>
        this.#log.error({ requestId, errors: describeUnexpected(error) }, "unexpected error")
    });
    return { version, leases: new Leases() };
  }
}
