/** Finds the route of a path, by Hono's router alone: answers are whole and need none of its Fetch layer. */
import { METHOD_NAME_ALL } from "hono/router";
import { RegExpRouter } from "hono/router/reg-exp-router";
import { SmartRouter } from "hono/router/smart-router";
import { TrieRouter } from "hono/router/trie-router";
import type { Route } from "./route.ts";

export interface Match {
  readonly route: Route;
  /** The path's parameters, decoded once. */
  readonly params: Readonly<Record<string, string>>;
}

/** @returns the first route in the list that the path fits, null where there is none */
export function createRouter(routes: readonly Route[]): (pathname: string) => Match | null {
  const router = new SmartRouter<Route>({ routers: [new RegExpRouter(), new TrieRouter()] });
  for (const route of routes) router.add(METHOD_NAME_ALL, route.path.replace(/\{(\w+)\}/g, ":$1"), route);
  return (pathname) => {
    const [[first] = [], segments] = router.match(METHOD_NAME_ALL, pathname);
    if (first === undefined) return null;
    const [route, places] = first;
    const params: Record<string, string> = {};
    for (const [name, place] of Object.entries(places)) {
      params[name] = decodeURIComponent(typeof place === "number" ? (segments?.[place] ?? "") : place);
    }
    return { route, params };
  };
}
