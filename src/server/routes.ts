/** Which surface answers a path. Whole segments only: `/graphqlx` is nobody's. */
import type { Surface } from "../knowledge/types.ts";

/** Routes that need no tenant, beside the surfaces that do. */
export type PublicRoute = "healthz" | "readyz" | "metrics";
export type Route = { readonly surface: Surface } | { readonly open: PublicRoute };

const EXACT: Readonly<Record<string, Route>> = {
  "/healthz": { open: "healthz" },
  "/readyz": { open: "readyz" },
  "/metrics": { open: "metrics" },
  "/graphql": { surface: "graphql" },
  "/openapi.json": { surface: "agent" }
};

const MCP = /^\/mcp(?:\/(?<key>[^/]+))?$/;

const PREFIXES: readonly (readonly [string, Route])[] = [
  ["/agent", { surface: "agent" }],
  ["/openapi/v2", { surface: "mirror" }]
];

/** The key of the knowledge base that an MCP endpoint is bound to, decoded; null for the one that is bound to none. */
export function boundKnowledgeBase(pathname: string): string | null {
  const key = MCP.exec(pathname)?.groups?.key;
  return key === undefined ? null : decodeURIComponent(key);
}

/** @param pathname percent-encoded, already checked by `parseTarget` */
export function matchRoute(pathname: string): Route | null {
  const exact = Object.hasOwn(EXACT, pathname) ? EXACT[pathname] : undefined;
  if (exact) return exact;
  if (MCP.test(pathname)) return { surface: "mcp" };
  for (const [prefix, route] of PREFIXES) {
    if (pathname === prefix || pathname.startsWith(`${prefix}/`)) return route;
  }
  return null;
}

/**
 * The surface in whose form a refusal is written, also for a target that was never accepted.
 * @param rawTarget as it came
 */
export function surfaceOf(rawTarget: string): Surface {
  if (/^\/graphql(?:[/?#]|$)/.test(rawTarget)) return "graphql";
  if (/^\/mcp(?:[/?#]|$)/.test(rawTarget)) return "mcp";
  return rawTarget.startsWith("/openapi/v2") ? "mirror" : "agent";
}
