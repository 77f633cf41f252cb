/** One line a request. Only what is listed here is ever written: no header, no target, no body, no upstream text. */
import type { Logger } from "pino";
import type { Exchange } from "./exchange.ts";

/** How nginx names a request whose client left before the answer; no client ever sees it. */
const CLIENT_CLOSED_REQUEST = 499;

export function logAccess(log: Logger, exchange: Exchange): void {
  log[exchange.isProbe ? "debug" : "info"](
    {
      requestId: exchange.requestId,
      tenant: exchange.caller?.tenant ?? null,
      subject: exchange.caller?.subject ?? null,
      surface: exchange.isProbe ? null : exchange.surface,
      method: exchange.method,
      status: exchange.abandoned ? CLIENT_CLOSED_REQUEST : exchange.outgoing.statusCode,
      ms: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
      upstreamCalls: exchange.upstreamCalls
    },
    "request"
  );
}
