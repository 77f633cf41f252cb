/** Which surface answers a path. Whole segments only: `/graphqlx` is nobody's. */
import type { Surface } from "../knowledge/types.ts";

/** Routes that need no caller, beside the surfaces that do. */
export type PublicRoute = "healthz" | "readyz";
/** Surfaces that have a route. */
export type ServedSurface = Exclude<Surface, "mcp">;
export type Route = { readonly surface: ServedSurface } | { readonly open: PublicRoute };

const EXACT: Readonly<Record<string, Route>> = {
  "/healthz": { open: "healthz" },
  "/readyz": { open: "readyz" },
  "/graphql": { surface: "graphql" },
  "/openapi.json": { surface: "agent" }
};

const PREFIXES: readonly (readonly [string, Route])[] = [
  ["/agent", { surface: "agent" }],
  ["/openapi/v2", { surface: "mirror" }]
];

/** @param pathname percent-encoded, already checked by `parseTarget` */
export function matchRoute(pathname: string): Route | null {
  const exact = Object.hasOwn(EXACT, pathname) ? EXACT[pathname] : undefined;
  if (exact) return exact;
  for (const [prefix, route] of PREFIXES) {
    if (pathname === prefix || pathname.startsWith(`${prefix}/`)) return route;
  }
  return null;
}

/**
 * The surface in whose form a refusal is written, also for a target that was never accepted.
 * @param rawTarget as it came
 */
export function surfaceOf(rawTarget: string): ServedSurface {
  if (/^\/graphql(?:[/?#]|$)/.test(rawTarget)) return "graphql";
  return rawTarget.startsWith("/openapi/v2") ? "mirror" : "agent";
}
