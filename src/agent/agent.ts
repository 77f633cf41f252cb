/** The REST surface: the tool routes, the mirror of the upstream's API, and the document that describes both. */
import { GatewayError, methodNotAllowed, toGatewayError } from "../errors.ts";
import type { WholeAnswer, WholeRequest } from "../http.ts";
import type { Reader } from "../knowledge/types.ts";
import { openApiDocument, openApiRoute } from "./openapi/document.ts";
import { refuse } from "./respond.ts";
import type { AgentContext, Route } from "./route.ts";
import { createRouter } from "./router.ts";
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
  /** Answers a request, errors included. @param reader bound to the caller */
  handle(request: WholeRequest, reader: Reader): Promise<WholeAnswer>;
}

export function createAgent({ publicUrl, version, onUnexpected }: AgentOptions): Agent {
  const match = createRouter([...ROUTES, openApiRoute]);
  let document: object | undefined;
  const openApi = () => {
    document ??= openApiDocument({ version });
    return document;
  };

  async function answer(request: WholeRequest, reader: Reader): Promise<WholeAnswer> {
    if (!decodable(request.pathname)) throw new GatewayError("INVALID_PATH");
    const matched = match(request.pathname);
    if (matched === null) throw new GatewayError("UNSUPPORTED_ROUTE");
    const baseUrl = (publicUrl?.() ?? request.origin).replace(/\/+$/, "");
    return await dispatch(matched.route, { request, reader, params: matched.params, baseUrl, openApi });
  }

  return {
    async handle(request, reader) {
      try {
        return await answer(request, reader);
      } catch (thrown) {
        const error = toGatewayError(thrown);
        const foreseen = thrown instanceof GatewayError || request.signal.aborted;
        if (!foreseen) onUnexpected?.(thrown, reader.requestId);
        reader.noteError(error.code);
        return refuse(error, reader.requestId);
      }
    }
  };
}

/** The mirror answers another method as the upstream does: as a route that does not exist. */
function dispatch(route: Route, context: AgentContext): Promise<WholeAnswer> | WholeAnswer {
  const { method } = context.request;
  if (method === route.method || (method === "HEAD" && route.method === "GET")) return route.handle(context);
  if (isMirror(route)) throw new GatewayError("UNSUPPORTED_ROUTE");
  const allowed = route.method === "GET" ? ["GET", "HEAD"] : [route.method];
  throw methodNotAllowed(`The method is not supported by this route. Use ${allowed.join(", ")}.`, allowed);
}

function decodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
