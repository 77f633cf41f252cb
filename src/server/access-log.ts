/** One line a request. Only what is listed here is ever written: no header, no target, no body, no upstream text. */
import type { Logger } from "pino";
import type { Exchange } from "./exchange.ts";

export function logAccess(log: Logger, exchange: Exchange): void {
  log[exchange.isProbe ? "debug" : "info"](
    {
      requestId: exchange.requestId,
      tenant: exchange.caller?.tenant ?? null,
      subject: exchange.caller?.subject ?? null,
      surface: exchange.isProbe ? null : exchange.surface,
      operation: exchange.operations.size === 0 ? null : [...exchange.operations].sort().join(","),
      method: exchange.method,
      status: exchange.finalStatus,
      ms: Math.round((performance.now() - exchange.startedAt) * 10) / 10,
      upstreamCalls: exchange.upstreamCalls,
      ...(exchange.traceId === null ? {} : { traceId: exchange.traceId })
    },
    "request"
  );
}
