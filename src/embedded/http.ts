/** The listener: what is refused before an operation is asked, and how answers are written. */
import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { errorEnvelope, errorHeaders, newRequestId, toGatewayError } from "../errors.ts";
import { Parameters } from "./parameters.ts";
import { type RateLimit, RateLimiter } from "./rate-limit.ts";
import { GatewayError } from "./refusals.ts";
import { dispatch, type Service } from "./routes.ts";

const PREFIX = "/openapi/v2";
const HEADERS = {
  "content-type": "application/json",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY"
};
/** A caller's own request id is repeated where it can stand in a header and a log. */
const REQUEST_ID = /^[\w.:-]{1,128}$/;

export interface HttpOptions {
  readonly service: Service;
  readonly apiKey: string;
  readonly rateLimit: RateLimit | null;
}

/** A server that does not listen yet. */
export function createHttpServer({ service, apiKey, rateLimit }: HttpOptions): Server {
  const key = digest(apiKey);
  const limiter = rateLimit === null ? null : new RateLimiter(rateLimit);

  async function answer(request: IncomingMessage, segments: readonly string[], url: URL): Promise<unknown> {
    const wait = limiter?.take(request.socket.remoteAddress ?? "") ?? null;
    if (wait !== null) throw rateLimited(wait);
    if (!authorized(request.headers.authorization, key)) throw new GatewayError("UNAUTHORIZED");
    if (request.method !== "GET" && request.method !== "HEAD") throw new GatewayError("UNSUPPORTED_ROUTE");
    return dispatch(service, segments, new Parameters(url.searchParams));
  }

  return createServer(async (request, response) => {
    const url = targetOf(request);
    const segments = url === null ? null : decodedSegments(url.pathname);
    if (url === null || segments === null) return send(request, response, 400, { error: { code: "INVALID_PATH" } });
    if (url.pathname === "/healthz") return send(request, response, 200, { status: "ok" });
    if (url.pathname !== PREFIX && !url.pathname.startsWith(`${PREFIX}/`)) {
      return send(request, response, 404, { error: { code: "NOT_FOUND" } });
    }
    try {
      send(request, response, 200, await answer(request, segments, url));
    } catch (thrown) {
      refuse(request, response, toGatewayError(thrown));
    }
  });
}

/** Dot segments, encoded ones too, are resolved as the URL standard has it, before any route is looked for. */
function targetOf(request: IncomingMessage): URL | null {
  const target = request.url ?? "/";
  return target.startsWith("/") && URL.canParse(`http://embedded${target}`)
    ? new URL(`http://embedded${target}`)
    : null;
}

/** The decoded segments below the prefix; null where one does not decode or holds a backslash. */
function decodedSegments(pathname: string): string[] | null {
  try {
    const segments = pathname
      .slice(PREFIX.length + 1)
      .split("/")
      .map(decodeURIComponent);
    return segments.some((segment) => segment.includes("\\")) ? null : segments;
  } catch {
    return null;
  }
}

/** The scheme in any case, one key, nothing after it. Compared in constant time. */
function authorized(header: string | undefined, key: Buffer): boolean {
  const [, presented] = /^bearer +(\S+)$/i.exec(header ?? "") ?? [];
  return presented !== undefined && timingSafeEqual(digest(presented), key);
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function rateLimited(retryAfterSeconds: number): GatewayError {
  return new GatewayError("RATE_LIMITED", {
    retryAfterSeconds,
    details: { retryHint: "retry_after_short_delay", retryGuidance: "Wait before the next request." }
  });
}

function refuse(request: IncomingMessage, response: ServerResponse, error: GatewayError): void {
  const given = request.headers["x-request-id"];
  const requestId = typeof given === "string" && REQUEST_ID.test(given) ? given : newRequestId();
  response.setHeader("x-request-id", requestId);
  for (const [name, value] of Object.entries(errorHeaders(error))) response.setHeader(name, value);
  send(request, response, error.httpStatus, errorEnvelope(error, requestId));
}

/** HEAD is answered like GET, without the body. */
function send(request: IncomingMessage, response: ServerResponse, status: number, body: unknown): void {
  // An upload that nobody reads would hold the socket.
  request.resume();
  const text = JSON.stringify(body);
  if (request.method === "HEAD") response.writeHead(status, HEADERS).end();
  else response.writeHead(status, { ...HEADERS, "content-length": Buffer.byteLength(text) }).end(text);
}
