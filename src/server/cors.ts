/** Cross-origin requests from the origins in `server.cors.origins`, and from nowhere else. */
import type { Exchange } from "./exchange.ts";
import type { HostChecks } from "./hosts.ts";

const MAX_AGE_SECONDS = "600";

/** The answer to a preflight of an allowed origin; null where this is none. */
export function answerPreflight({ method, incoming }: Exchange, hosts: HostChecks): Response | null {
  const { origin, "access-control-request-method": wanted } = incoming.headers;
  if (method !== "OPTIONS" || wanted === undefined || !hosts.isCorsOrigin(origin)) return null;
  const headers = new Headers({
    "access-control-allow-methods": "GET, HEAD, POST",
    "access-control-max-age": MAX_AGE_SECONDS,
    vary: "Access-Control-Request-Headers"
  });
  const asked = incoming.headers["access-control-request-headers"];
  if (asked !== undefined) headers.set("access-control-allow-headers", asked);
  return new Response(null, { status: 204, headers });
}

/** What lets a page of an allowed origin read the answer. No cookies are used, so none are allowed. */
export function corsHeaders(origin: string | undefined, hosts: HostChecks): Readonly<Record<string, string>> {
  if (!hosts.isCorsOrigin(origin)) return {};
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "ETag, Retry-After, X-Request-Id",
    vary: "Authorization, Origin"
  };
}
