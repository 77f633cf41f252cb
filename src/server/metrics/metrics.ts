/** What one gateway counts, in a registry of its own: several gateways of one process never mix. */
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { ERRORS } from "../../errors.ts";
import { GRAPHQL_CODES } from "../../graphql/errors.ts";
import type { ReaderCall } from "../../knowledge/knowledge.ts";
import type { CircuitState } from "../../upstream/upstream.ts";
import { METRICS, type MetricName, type MetricSpec } from "./catalogue.ts";

/** A request as the metrics see it when its answer has ended. */
export interface CountedRequest {
  readonly surface: string;
  /** Names of the operations that were read. */
  readonly operations: ReadonlySet<string>;
  readonly status: number;
  /** Null where the caller was not authenticated. */
  readonly tenant: string | null;
  readonly seconds: number;
}

/** What is looked up when a scrape comes. */
export interface Snapshot {
  readonly inFlight: number;
  readonly eventLoopDelayMs: number;
  readonly cachedBytes: number;
  readonly configVersion: number;
  readonly upstreams: ReadonlyMap<
    string,
    { readonly search: CircuitState; readonly reads: CircuitState; readonly budgetLeft: number | null }
  >;
  /** Null without a shared store. */
  readonly shared: { readonly available: boolean; readonly replicas: number } | null;
}

const CIRCUIT_VALUE: Readonly<Record<CircuitState, number>> = { closed: 0, "half-open": 1, open: 2 };
const KNOWN_CODES: ReadonlySet<string> = new Set([...Object.keys(ERRORS), ...GRAPHQL_CODES]);
/** Tenants are names of the configuration, which may hold thousands; a series each would be too many. */
const MAX_TENANTS = 200;

export class Metrics {
  readonly #registry = new Registry();
  readonly #counters = new Map<MetricName, Counter>();
  readonly #gauges = new Map<MetricName, Gauge>();
  readonly #histograms = new Map<MetricName, Histogram>();
  readonly #tenants = new Set<string>();
  #cpuSeconds = 0;

  constructor() {
    for (const [key, spec] of Object.entries<MetricSpec>(METRICS)) {
      const name = key as MetricName;
      const { type, help, labels, buckets = [] } = spec;
      const options = { name, help, labelNames: [...labels], registers: [this.#registry] };
      if (type === "counter") this.#counters.set(name, new Counter(options));
      else if (type === "gauge") this.#gauges.set(name, new Gauge(options));
      else this.#histograms.set(name, new Histogram({ ...options, buckets: [...buckets] }));
    }
    // Absent, not 0, where nothing is shared.
    for (const name of ["focowiki_gateway_shared_store_up", "focowiki_gateway_replicas"] as const)
      this.#gauges.get(name)?.remove();
  }

  request({ surface, operations, status, tenant, seconds }: CountedRequest): void {
    const operation = operations.size > 1 ? "several" : ([...operations][0] ?? "none");
    const statusClass = status === 499 ? "499" : `${Math.floor(status / 100)}xx`;
    this.#count("focowiki_gateway_requests_total", { surface, operation, status: statusClass });
    this.#observe("focowiki_gateway_request_duration_seconds", { surface, operation }, seconds);
    if (tenant === null) return;
    this.#count("focowiki_gateway_tenant_requests_total", { tenant: this.#tenantLabel(tenant), status: statusClass });
  }

  /** An error that a caller was answered with. */
  error(surface: string, code: string): void {
    this.#count("focowiki_gateway_errors_total", { surface, code: KNOWN_CODES.has(code) ? code : "OTHER" });
  }

  readonly read = ({ surface, operation, outcome, milliseconds }: ReaderCall): void => {
    this.#count("focowiki_gateway_reads_total", { surface, operation, outcome });
    this.#observe("focowiki_gateway_read_duration_seconds", { surface, operation }, milliseconds / 1000);
  };

  readonly upstreamRequest = (sent: { upstream: string; operation: string; outcome: string; ms: number }): void => {
    const { upstream, operation, outcome, ms } = sent;
    this.#count("focowiki_gateway_upstream_requests_total", { upstream, operation, outcome });
    this.#observe("focowiki_gateway_upstream_request_duration_seconds", { upstream, operation }, ms / 1000);
  };

  readonly cacheRead = (upstream: string, result: "hit" | "miss"): void =>
    this.#count("focowiki_gateway_cache_reads_total", { upstream, result });

  readonly revisionCheck = (upstream: string, source: "upstream" | "replica"): void =>
    this.#count("focowiki_gateway_revision_checks_total", { upstream, source });

  readonly shed = (): void => this.#count("focowiki_gateway_shed_total");

  reload(result: "ok" | "refused"): void {
    this.#count("focowiki_gateway_config_reloads_total", { result });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** The text that Prometheus reads. */
  async expose(snapshot: Snapshot): Promise<string> {
    this.#set("focowiki_gateway_requests_in_flight", snapshot.inFlight);
    this.#set("focowiki_gateway_cache_bytes", snapshot.cachedBytes);
    this.#set("focowiki_gateway_config_version", snapshot.configVersion);
    this.#setUpstreams(snapshot.upstreams);
    if (snapshot.shared !== null) {
      this.#set("focowiki_gateway_shared_store_up", snapshot.shared.available ? 1 : 0);
      this.#set("focowiki_gateway_replicas", snapshot.shared.replicas);
    }
    this.#setProcess(snapshot.eventLoopDelayMs);
    return await this.#registry.metrics();
  }

  /** Upstreams that a reload took away leave no series behind. */
  #setUpstreams(upstreams: Snapshot["upstreams"]): void {
    const names = ["focowiki_gateway_upstream_circuit_state", "focowiki_gateway_upstream_budget_remaining"] as const;
    for (const name of names) this.#gauges.get(name)?.reset();
    for (const [upstream, state] of upstreams) {
      if (state.budgetLeft !== null) this.#set(names[1], state.budgetLeft, { upstream });
      for (const circuit of ["search", "reads"] as const)
        this.#set(names[0], CIRCUIT_VALUE[state[circuit]], { upstream, circuit });
    }
  }

  #setProcess(eventLoopDelayMs: number): void {
    const { user, system } = process.cpuUsage();
    const cpuSeconds = (user + system) / 1e6;
    this.#counters.get("process_cpu_seconds_total")?.inc(Math.max(0, cpuSeconds - this.#cpuSeconds));
    this.#cpuSeconds = cpuSeconds;
    this.#set("process_resident_memory_bytes", process.memoryUsage.rss());
    this.#set("process_start_time_seconds", Math.round(performance.timeOrigin / 1000));
    this.#set("nodejs_eventloop_delay_seconds", Math.max(0, eventLoopDelayMs / 1000));
  }

  #tenantLabel(tenant: string): string {
    if (this.#tenants.has(tenant)) return tenant;
    if (this.#tenants.size >= MAX_TENANTS) return "other";
    this.#tenants.add(tenant);
    return tenant;
  }

  #count(name: MetricName, labels: Record<string, string> = {}): void {
    this.#counters.get(name)?.inc(labels);
  }

  #set(name: MetricName, value: number, labels: Record<string, string> = {}): void {
    this.#gauges.get(name)?.set(labels, value);
  }

  #observe(name: MetricName, labels: Record<string, string>, value: number): void {
    this.#histograms.get(name)?.observe(labels, value);
  }
}
