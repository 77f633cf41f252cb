/**
 * The way of a request, in order. What costs least and protects most comes first; nothing below a step is reached
 * before it has passed.
 */
import { GatewayError } from "../errors.ts";
import type { WholeAnswer } from "../http.ts";
import { readBody } from "./body.ts";
import { answerPreflight } from "./cors.ts";
import { dispatch } from "./dispatch.ts";
import type { Exchange } from "./exchange.ts";
import { isPageVisit } from "./graphiql.ts";
import { checkSingleHeaders } from "./headers.ts";
import type { LoadMonitor } from "./load.ts";
import { answerOpenRoute } from "./open-routes.ts";
import { matchRoute } from "./routes.ts";
import type { Runtime } from "./runtime.ts";
import { parseTarget } from "./target.ts";
import type { Version } from "./version.ts";

export interface PipelineParts {
  readonly runtime: Runtime;
  readonly load: LoadMonitor;
}

/**
 * Answers one request on one version of the configuration.
 * @throws GatewayError for the caller; anything else is a fault of the gateway's own
 */
export async function answer(
  exchange: Exchange,
  version: Version,
  { runtime, load }: PipelineParts
): Promise<Response | WholeAnswer> {
  const { incoming } = exchange;
  const { localPort } = incoming.socket;

  // A target that two readers could read differently is refused before anyone reads it.
  const target = parseTarget(exchange.rawTarget);
  checkSingleHeaders(incoming);

  // Pages of other sites are turned away before they can learn or cost anything, health included.
  version.hosts.host(incoming.headers.host, localPort);
  version.hosts.origin(incoming.headers.origin, localPort);

  const route = matchRoute(target.pathname);
  if (route === null) throw unsupportedRoute();
  // Probes are answered under any load: restarting a busy process helps nobody.
  if ("open" in route) {
    exchange.isProbe = true;
    return await answerOpenRoute(route.open, exchange, version, { runtime, load });
  }
  // A preflight never carries credentials, so it is answered before they are asked for.
  const preflight = answerPreflight(exchange, version.hosts);
  if (preflight !== null) return preflight;
  load.admit();

  // GraphiQL's page holds nothing of anybody; the queries that it sends are authenticated like all others.
  const page = isPageVisit(exchange, target) ? version.surfaces.graphql.page() : null;
  if (page !== null) return await page;

  // Once, before dispatch, for every surface alike.
  const access = await version.authenticate(incoming);
  exchange.caller = access;
  // A tenant over its limits is refused before its body is read.
  exchange.atEnd(await runtime.limiter.enter(access.tenant, access.limits));
  const deadline = exchange.startDeadline(access.limits.requestTimeoutMs);

  const body = await readBody(exchange, access.limits.bodyBytes);
  return await dispatch(exchange, version, {
    access,
    surface: route.surface,
    target,
    body,
    deadline,
    onRead: runtime.metrics.read
  });
}

function unsupportedRoute(): GatewayError {
  return new GatewayError("UNSUPPORTED_ROUTE", {
    message:
      "Route is not supported. Served are /graphql, /agent, /mcp, /openapi/v2, /openapi.json, /healthz, /readyz and /metrics."
  });
}
