/** Liveness and readiness. They name states, never a configuration value. */

import type { UpstreamState } from "../upstream/upstream.ts";
import type { SharedState } from "./replicas/replicas.ts";

export interface Readiness {
  /** False while the process starts or stops. */
  readonly ready: boolean;
  readonly configuration: {
    /** Counts the versions taken into force since the start. */
    readonly version: number;
    readonly loadedAt: string;
    /** True where the last change of the file was refused and an older version is in force. */
    readonly lastReloadRefused: boolean;
  };
  /** Whether limits are counted together with other replicas; null where nothing is shared. */
  readonly shared: SharedState | null;
  readonly upstreams: ReadonlyMap<string, UpstreamState>;
}

export function answerHealth(route: "healthz" | "readyz", readiness: () => Readiness): Response {
  if (route === "healthz") return Response.json({ status: "ok" });
  const { ready, configuration, shared, upstreams } = readiness();
  return Response.json(
    {
      status: ready ? "ready" : "not_ready",
      configuration,
      ...(shared === null ? {} : { shared }),
      upstreams: [...upstreams].map(([name, state]) => ({ name, ...describe(state) }))
    },
    { status: ready ? 200 : 503 }
  );
}

function describe({ search, reads, lastSuccessAt, lastFailureAt }: UpstreamState) {
  return { search, reads, lastSuccessAt: isoTime(lastSuccessAt), lastFailureAt: isoTime(lastFailureAt) };
}

function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
