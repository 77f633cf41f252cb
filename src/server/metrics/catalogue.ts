/**
 * Every metric that `/metrics` shows: the source of the registry and of docs/metrics.md.
 *
 * Labels hold only words of closed sets (surfaces, operations, codes, states) and names out of the configuration; never
 * a text that a caller sent, so that nobody outside decides how many series there are.
 */

type MetricType = "counter" | "gauge" | "histogram";

export interface MetricSpec {
  readonly type: MetricType;
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram's buckets, in the metric's unit. */
  readonly buckets?: readonly number[];
}

/** Seconds: from an answer out of the cache to the default limits of an upstream call and of a request. */
const SECONDS: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export const METRICS = {
  focowiki_gateway_requests_total: {
    type: "counter",
    help: "Requests answered or abandoned, probes and scrapes left out. operation: the one that was read, `several` or `none`. status: 2xx to 5xx, or 499 where the client left first.",
    labels: ["surface", "operation", "status"]
  },
  focowiki_gateway_request_duration_seconds: {
    type: "histogram",
    help: "From a request's headers to the end of its answer.",
    labels: ["surface", "operation"],
    buckets: SECONDS
  },
  focowiki_gateway_requests_in_flight: {
    type: "gauge",
    help: "Requests being answered, this scrape included.",
    labels: []
  },
  focowiki_gateway_shed_total: {
    type: "counter",
    help: "Requests refused with OVERLOADED before any work was done for them.",
    labels: []
  },
  focowiki_gateway_errors_total: {
    type: "counter",
    help: "Errors that callers were answered with, each entry of GraphQL's `errors` and each failed source of a search for itself. code: of the closed table, one of GraphQL's own for its refusals, or `OTHER`. Reads that failed without being shown are in reads_total alone.",
    labels: ["surface", "code"]
  },
  focowiki_gateway_tenant_requests_total: {
    type: "counter",
    help: "Requests of authenticated callers by tenant; the tenants past the first 200 seen count as `other`.",
    labels: ["tenant", "status"]
  },
  focowiki_gateway_reads_total: {
    type: "counter",
    help: "Reads of the one read path; a GraphQL request may hold many. outcome: `OK` or an error code.",
    labels: ["surface", "operation", "outcome"]
  },
  focowiki_gateway_read_duration_seconds: {
    type: "histogram",
    help: "Duration of one read, policy and cache included.",
    labels: ["surface", "operation"],
    buckets: SECONDS
  },
  focowiki_gateway_upstream_requests_total: {
    type: "counter",
    help: "HTTP requests sent to an upstream, each retry for itself. outcome: `OK`, `ABORTED` where nobody waited any more, or an error code.",
    labels: ["upstream", "operation", "outcome"]
  },
  focowiki_gateway_upstream_request_duration_seconds: {
    type: "histogram",
    help: "Duration of one HTTP request to an upstream.",
    labels: ["upstream", "operation"],
    buckets: SECONDS
  },
  focowiki_gateway_upstream_budget_remaining: {
    type: "gauge",
    help: "Requests that may still be sent in the current stretch of the upstream's rate limit; over all replicas where Redis is shared.",
    labels: ["upstream"]
  },
  focowiki_gateway_upstream_circuit_state: {
    type: "gauge",
    help: "State of an upstream's circuit: 0 closed, 1 half-open, 2 open. circuit: `search` or `reads`.",
    labels: ["upstream", "circuit"]
  },
  focowiki_gateway_cache_reads_total: {
    type: "counter",
    help: "Reads that the revision cache could have answered. result: `hit` or `miss`.",
    labels: ["upstream", "result"]
  },
  focowiki_gateway_cache_bytes: { type: "gauge", help: "Estimated memory of the answers held.", labels: [] },
  focowiki_gateway_revision_checks_total: {
    type: "counter",
    help: "Checks of a knowledge base's content revision. source: `upstream` for one sent, `replica` for one that another replica sent and told of.",
    labels: ["upstream", "source"]
  },
  focowiki_gateway_config_reloads_total: {
    type: "counter",
    help: "Changes of the configuration file. result: `ok` or `refused`.",
    labels: ["result"]
  },
  focowiki_gateway_config_version: {
    type: "gauge",
    help: "Versions of the configuration taken into force since the start.",
    labels: []
  },
  focowiki_gateway_shared_store_up: {
    type: "gauge",
    help: "1 while limits are counted together in Redis, 0 while this replica counts for itself. Absent without shared.redisUrl.",
    labels: []
  },
  focowiki_gateway_replicas: {
    type: "gauge",
    help: "Replicas that Redis knew of when it last answered. Absent without shared.redisUrl.",
    labels: []
  },
  process_resident_memory_bytes: { type: "gauge", help: "Resident memory of the process.", labels: [] },
  process_cpu_seconds_total: { type: "counter", help: "User and system CPU time of the process.", labels: [] },
  process_start_time_seconds: { type: "gauge", help: "Start of the process, in seconds since the epoch.", labels: [] },
  nodejs_eventloop_delay_seconds: {
    type: "gauge",
    help: "Mean delay of the event loop over the last quarter of a second.",
    labels: []
  }
} as const satisfies Record<string, MetricSpec>;

export type MetricName = keyof typeof METRICS;
