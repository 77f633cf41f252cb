/** Tells a browser that opens GraphiQL from a client that asks a query. */
import type { Exchange } from "./exchange.ts";
import type { Target } from "./target.ts";

/** True for a browser's GET without a query, which GraphiQL's page answers. */
export function isPageVisit({ method, incoming }: Exchange, { pathname, search }: Target): boolean {
  if (method !== "GET" || pathname !== "/graphql") return false;
  if (!(incoming.headers.accept ?? "").includes("text/html")) return false;
  return !new URLSearchParams(search).has("query");
}
