/** The HTTP server: takes requests in and sends answers out. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "pino";
import { errorEnvelope, GatewayError, newRequestId, toGatewayError } from "../errors.ts";
import type { WholeAnswer } from "../http.ts";
import { logAccess } from "./access-log.ts";
import { discardBody } from "./body.ts";
import { corsHeaders } from "./cors.ts";
import { Exchange } from "./exchange.ts";
import { renderFailure } from "./failures.ts";
import type { LoadMonitor } from "./load.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { answer } from "./pipeline.ts";
import { writeResponse } from "./response.ts";
import { surfaceOf } from "./routes.ts";
import type { Runtime } from "./runtime.ts";
import { traceRequest } from "./tracing.ts";
import { describeUnexpected } from "./unexpected.ts";
import type { Version } from "./version.ts";

/** Node's own bounds on a connection. A request that was accepted has its tenant's deadline beside these. */
const CONNECTION_BOUNDS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000
} as const;

export interface ListenerParts {
  readonly runtime: Runtime;
  readonly load: LoadMonitor;
  readonly log: Logger;
}

/** A server that is not listening yet. */
export function createListener(parts: ListenerParts): Server {
  const take = (incoming: IncomingMessage, outgoing: ServerResponse) => void handle(incoming, outgoing, parts);
  const server = createServer(CONNECTION_BOUNDS, take);
  // Without this, Node.js would call for a body that is about to be refused.
  server.on("checkContinue", take);
  // Each request that is pipelined on a connection listens for its end.
  server.on("connection", (socket) => socket.setMaxListeners(0));
  server.on("clientError", (error, socket) => refuseUnreadable(error, socket, parts.runtime.metrics));
  return server;
}

async function handle(incoming: IncomingMessage, outgoing: ServerResponse, parts: ListenerParts): Promise<void> {
  const { runtime, load, log } = parts;
  const exchange = new Exchange(incoming, outgoing);
  const span = traceRequest(exchange);
  exchange.atEnd(load.enter());
  // One version of the configuration from here to the last byte, whatever is reloaded meanwhile.
  const { version, release } = runtime.lease();
  exchange.atEnd(release);
  try {
    const response = await span.run(() => respond(exchange, version, parts));
    discardBody(incoming);
    if (runtime.stopping) outgoing.shouldKeepAlive = false;
    await writeResponse(outgoing, response, {
      requestId: exchange.requestId,
      method: exchange.method,
      requested: incoming.headers,
      caller: exchange.caller,
      headers: corsHeaders(incoming.headers.origin, version.hosts),
      signal: exchange.signal
    });
  } catch (thrown) {
    log.error({ requestId: exchange.requestId, errors: describeUnexpected(thrown) }, "the answer could not be written");
    outgoing.destroy();
  }
  await exchange.closed;
  logAccess(log, exchange);
  countRequest(runtime.metrics, exchange);
  span.end();
  exchange.end();
}

function countRequest(metrics: Metrics, exchange: Exchange): void {
  if (exchange.isProbe) return;
  const { surface, operations, finalStatus: status, startedAt, caller } = exchange;
  const seconds = (performance.now() - startedAt) / 1000;
  metrics.request({ surface, operations, status, seconds, tenant: caller?.tenant ?? null });
  for (const code of exchange.errors) metrics.error(surface, code);
}

async function respond(exchange: Exchange, version: Version, parts: ListenerParts): Promise<Response | WholeAnswer> {
  try {
    return await answer(exchange, version, parts);
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (error !== thrown) {
      const { requestId, surface } = exchange;
      parts.log.error({ requestId, surface, errors: describeUnexpected(thrown) }, "unexpected error");
    }
    const { surface, requestId, incoming } = exchange;
    exchange.refuse(error.code);
    return renderFailure(error, { surface, requestId, accept: incoming.headers.accept });
  }
}

const UNREADABLE: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: `The request's headers are larger than ${CONNECTION_BOUNDS.maxHeaderSize} bytes.`,
  ERR_HTTP_REQUEST_TIMEOUT: "The request did not arrive in time."
};

/** Answers what is not HTTP, in the one form that needs no route. */
function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex, metrics: Metrics): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const refusal = new GatewayError("BAD_REQUEST", {
    message: UNREADABLE[error.code ?? ""] ?? "The request is not valid HTTP."
  });
  metrics.error(surfaceOf("/"), refusal.code);
  const body = JSON.stringify(errorEnvelope(refusal, newRequestId()));
  const head = [
    `HTTP/1.1 ${refusal.httpStatus} Bad Request`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: private, no-store",
    "connection: close"
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
}
