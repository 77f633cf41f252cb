/** The routes without `{kb}`, for callers who are granted exactly one knowledge base. */
import type { Route, RouteDocument } from "../route.ts";

const KEY = "/{kb}";

export function withoutKey({ documentedAs, ...route }: Route): Route {
  return { ...route, ...unkeyed(route), ...(documentedAs && { documentedAs: documentedAs.map(unkeyed) }) };
}

function unkeyed<D extends RouteDocument>(document: D): D {
  return {
    ...document,
    path: document.path.replace(KEY, ""),
    operationId: `${document.operationId}OfOnly`,
    summary: `${document.summary} For callers granted exactly one knowledge base.`
  };
}
