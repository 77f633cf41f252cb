/** One server span a request, child of the caller's where it sent W3C trace context. Probes and scrapes have none. */
import {
  type Context,
  context,
  isSpanContextValid,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace
} from "@opentelemetry/api";
import type { Exchange } from "./exchange.ts";

export interface RequestSpan {
  /** Runs the request's work, so that what it begins is a child of the span. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Writes down how the request ended. */
  end(): void;
}

const OPEN_ROUTE = /^\/(?:healthz|readyz|metrics)(?:\?|$)/;
const UNTRACED: RequestSpan = { run: (work) => work(), end: () => undefined };
// Without an SDK every span is a no-op.
const tracer = trace.getTracer("focowiki-gateway");

/** Begins the span, and notes its trace for the log. */
export function traceRequest(exchange: Exchange): RequestSpan {
  if (OPEN_ROUTE.test(exchange.rawTarget)) return UNTRACED;
  const { method, surface, requestId } = exchange;
  const parent = propagation.extract(context.active(), exchange.incoming.headers);
  // The target is left out: it holds what was searched for.
  const attributes = { "http.request.method": method, "focowiki.surface": surface, "focowiki.request_id": requestId };
  const span = tracer.startSpan(`${method} ${surface}`, { kind: SpanKind.SERVER, attributes }, parent);
  const { traceId } = span.spanContext();
  if (!isSpanContextValid(span.spanContext())) return UNTRACED;
  exchange.traceId = traceId;
  const within: Context = trace.setSpan(parent, span);
  return { run: (work) => context.with(within, work), end: () => endSpan(span, exchange) };
}

function endSpan(span: Span, { finalStatus, caller, operations, upstreamCalls }: Exchange): void {
  span.setAttributes({
    "http.response.status_code": finalStatus,
    "focowiki.operations": [...operations].sort(),
    "focowiki.upstream_calls": upstreamCalls
  });
  if (caller !== null) span.setAttributes({ "focowiki.tenant": caller.tenant, "focowiki.subject": caller.subject });
  if (finalStatus >= 500)
    span.setAttribute("error.type", String(finalStatus)).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
