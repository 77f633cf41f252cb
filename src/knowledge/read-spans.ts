/**
 * Spans of one request's reads. A query for fifty files makes fifty reads of the same kind at once, and a span for each
 * would hide what a trace is looked at for: those of one operation in one knowledge base that are under way together, or
 * follow each other in one turn of the event loop, share one.
 */
import { context, type Span, SpanStatusCode, trace } from "@opentelemetry/api";
import type { ErrorCode } from "../errors.ts";

/** What makes reads alike. */
export interface ReadKind {
  readonly operation: string;
  readonly knowledgeBase: string | null;
}

interface Group {
  readonly span: Span;
  readonly parent: Span;
  open: number;
  reads: number;
  failed: number;
  upstreamCalls: number;
  /** By `performance.now()`. */
  endedAt: number;
}

/** A read that has begun. */
export interface ReadSpan {
  /** Runs the read, so that the requests that it sends are children of its span. */
  run<T>(read: () => T): T;
  end(outcome: "OK" | ErrorCode, upstreamCalls: number): void;
}

// Without an SDK no span is ever recorded.
const tracer = trace.getTracer("focowiki-gateway");

const UNRECORDED: ReadSpan = { run: (read) => read(), end: () => undefined };

export class ReadSpans {
  readonly #groups = new Map<string, Group>();

  begin(kind: ReadKind): ReadSpan {
    const parent = trace.getActiveSpan();
    if (parent === undefined || !parent.isRecording()) return UNRECORDED;
    const group = this.#join(kind, parent);
    const within = trace.setSpan(context.active(), group.span);
    return {
      run: (read) => context.with(within, read),
      end: (outcome, upstreamCalls) => {
        group.upstreamCalls += upstreamCalls;
        group.endedAt = performance.now();
        if (outcome !== "OK") fail(group, outcome);
        group.open -= 1;
        if (group.open === 0) setImmediate(() => this.#close(kind, group));
      }
    };
  }

  #join(kind: ReadKind, parent: Span): Group {
    const known = this.#groups.get(nameOf(kind));
    const group = known?.parent === parent ? known : start(kind, parent);
    group.open += 1;
    group.reads += 1;
    this.#groups.set(nameOf(kind), group);
    return group;
  }

  #close(kind: ReadKind, group: Group): void {
    // Others have joined since, or it was closed for one that ended in the same turn.
    if (group.open > 0 || !group.span.isRecording()) return;
    if (this.#groups.get(nameOf(kind)) === group) this.#groups.delete(nameOf(kind));
    group.span.setAttributes({ "focowiki.reads": group.reads, "focowiki.upstream_calls": group.upstreamCalls });
    if (group.failed > 0) group.span.setAttribute("focowiki.failed_reads", group.failed);
    group.span.end(group.endedAt);
  }
}

function nameOf({ operation, knowledgeBase }: ReadKind): string {
  return `${operation} ${knowledgeBase ?? ""}`;
}

/** What was read stays out of it: no id, no path, no query. */
function start({ operation, knowledgeBase }: ReadKind, parent: Span): Group {
  const attributes = knowledgeBase === null ? {} : { "focowiki.knowledge_base": knowledgeBase };
  const span = tracer.startSpan(operation, { attributes });
  return { span, parent, open: 0, reads: 0, failed: 0, upstreamCalls: 0, endedAt: 0 };
}

/** The first error names the group's. */
function fail(group: Group, code: ErrorCode): void {
  if (group.failed === 0) group.span.setAttribute("error.type", code).setStatus({ code: SpanStatusCode.ERROR });
  group.failed += 1;
}
