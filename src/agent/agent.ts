/** The REST surface: the tool routes, the mirror of the upstream's API, and the document that describes both. */
import { Hono } from "hono";
import { GatewayError, toGatewayError } from "../errors.ts";
import type { Reader } from "../knowledge/types.ts";
import { openApiDocument, openApiRoute } from "./openapi/document.ts";
import { refuse, refuseMethod } from "./respond.ts";
import type { AgentContext, AgentEnv, Route } from "./route.ts";
import { isMirror, ROUTES } from "./routes.ts";

export interface AgentOptions {
  /** Where callers reach the gateway; asked at each request, because configuration is reloaded. */
  readonly publicUrl?: () => string | undefined;
  /** The gateway's version, for the OpenAPI document. */
  readonly version: string;
  /** Told of every error that nobody foresaw; the caller sees INTERNAL_ERROR. */
  readonly onUnexpected?: (error: unknown, requestId: string) => void;
}

export interface Agent {
  /**
   * @param request with the path as it was sent: dot segments were refused before they could be folded away
   * @param reader bound to the caller
   */
  handle(request: Request, reader: Reader): Promise<Response>;
}

export function createAgent({ publicUrl, version, onUnexpected }: AgentOptions): Agent {
  const app = new Hono<AgentEnv>({ getPath: rawPath });
  let document: object | undefined;
  const openApi = () => {
    document ??= openApiDocument({ version });
    return document;
  };
  for (const route of [...ROUTES, openApiRoute]) {
    app.all(route.path.replace(/\{(\w+)\}/g, ":$1"), (context) => dispatch(route, context));
  }
  app.notFound(({ env }) => refuse(new GatewayError("UNSUPPORTED_ROUTE"), env.reader.requestId));
  app.onError((thrown, { env, req }) => {
    const error = toGatewayError(thrown);
    const foreseen = thrown instanceof GatewayError || req.raw.signal.aborted;
    if (!foreseen) onUnexpected?.(thrown, env.reader.requestId);
    return refuse(error, env.reader.requestId);
  });
  return {
    async handle(request, reader) {
      const baseUrl = (publicUrl?.() ?? new URL(request.url).origin).replace(/\/+$/, "");
      if (!decodable(rawPath(request))) return refuse(new GatewayError("INVALID_PATH"), reader.requestId);
      return await app.fetch(request, { reader, baseUrl, openApi });
    }
  };
}

/** The mirror answers another method as the upstream does: as a route that does not exist. */
async function dispatch(route: Route, context: AgentContext): Promise<Response> {
  const { method } = context.req;
  if (method === route.method || (method === "HEAD" && route.method === "GET")) return await route.handle(context);
  if (isMirror(route)) throw new GatewayError("UNSUPPORTED_ROUTE");
  return refuseMethod(route.method === "GET" ? "GET, HEAD" : route.method, context.env.reader.requestId);
}

/** Undecoded, so that `%2F` in a segment stays in it. Source: docs/invariants.md 9. */
function rawPath({ url }: Request): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const end = url.slice(start).search(/[?#]/);
  return end === -1 ? url.slice(start) : url.slice(start, start + end);
}

function decodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
