/** The routes that are answered before a tenant is known, under any load. */
import { GatewayError } from "../errors.ts";
import type { Exchange } from "./exchange.ts";
import { answerHealth } from "./health.ts";
import { guardMetrics } from "./metrics/guard.ts";
import type { PipelineParts } from "./pipeline.ts";
import type { PublicRoute } from "./routes.ts";
import type { Version } from "./version.ts";

/** @throws GatewayError METHOD_NOT_ALLOWED for anything but GET and HEAD; for metrics also those of the guard */
export async function answerOpenRoute(
  route: PublicRoute,
  { incoming, method }: Exchange,
  version: Version,
  { runtime, load }: PipelineParts
): Promise<Response> {
  if (method !== "GET" && method !== "HEAD")
    throw new GatewayError("METHOD_NOT_ALLOWED", { details: { allowedValues: ["GET", "HEAD"] } });
  if (route !== "metrics") return answerHealth(route, runtime.readiness);
  guardMetrics(incoming, version.config.server);
  const text = await runtime.metrics.expose({
    inFlight: load.inFlight,
    eventLoopDelayMs: load.delayMs,
    ...runtime.measure()
  });
  return new Response(text, { headers: { "content-type": runtime.metrics.contentType } });
}
