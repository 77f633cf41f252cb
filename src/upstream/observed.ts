/** What is told of one HTTP request to an upstream: a span, W3C trace context for the upstream, and a line of metrics. */
import { context, propagation, type Span, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { type ErrorCode, GatewayError } from "../errors.ts";
import type { Layer } from "./call.ts";
import type { Operation } from "./operations.ts";

type RequestOutcome = "OK" | "ABORTED" | ErrorCode;

/** One HTTP request to an upstream, after its end. */
interface SentRequest {
  readonly upstream: string;
  readonly operation: Operation;
  readonly outcome: RequestOutcome;
  readonly ms: number;
}

export type OnRequest = (request: SentRequest) => void;

// Without an SDK every span is a no-op.
const tracer = trace.getTracer("focowiki-gateway");

/** The innermost layer: what passes it is on the wire. Each retry is a request of its own. */
export function observed(upstream: string, onRequest: OnRequest | undefined): Layer {
  return (call, next) => {
    const { operation } = call;
    // The upstream by its configured name: spans leave the gateway, its address does not. docs/invariants.md 4.
    const attributes = { "http.request.method": "GET", "focowiki.upstream": upstream, "focowiki.operation": operation };
    return tracer.startActiveSpan(`GET ${operation}`, { kind: SpanKind.CLIENT, attributes }, (span) => {
      const startedAt = performance.now();
      const end = (outcome: RequestOutcome) => {
        onRequest?.({ upstream, operation, outcome, ms: performance.now() - startedAt });
        endSpan(span, outcome);
      };
      const reply = next(call);
      reply.then(
        () => end("OK"),
        (error: unknown) => end(error instanceof GatewayError ? error.code : "ABORTED")
      );
      return reply;
    });
  };
}

function endSpan(span: Span, outcome: RequestOutcome): void {
  if (outcome !== "OK") span.setAttribute("error.type", outcome).setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** `traceparent` of the span in force, where one is recorded. Nothing else of what a client sent goes to the upstream. */
export function traceHeaders(): { readonly traceparent?: string } {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier, {
    set: (headers, name, value) => {
      if (name === "traceparent") headers.traceparent = value;
    }
  });
  return carrier;
}
