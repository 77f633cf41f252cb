import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import pino from "pino";
import { afterAll, beforeEach, expect, it } from "vitest";
import { startTelemetry } from "../../src/server/telemetry.ts";
import { fakeUpstream, internalError } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";

const exporter = new InMemorySpanExporter();
const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
provider.register({ propagator: new W3CTraceContextPropagator() });

beforeEach(() => exporter.reset());
afterAll(() => provider.shutdown());

const TRACE_ID = "0af7651916cd43dd8448eb211c80319c";
const CALLERS_SPAN = "b7ad6b7169203331";
const TENANTS = { acme: { grants: [{ upstream: "main" }] } };

/** Spans by kind; the request's own span is the last to end. */
async function finished() {
  await expect.poll(() => exporter.getFinishedSpans().some(({ kind }) => kind === SpanKind.SERVER)).toBe(true);
  const spans = exporter.getFinishedSpans();
  const [request] = spans.filter(({ kind }) => kind === SpanKind.SERVER);
  return {
    request: request!,
    reads: spans.filter(({ kind }) => kind === SpanKind.INTERNAL),
    calls: spans.filter(({ kind }) => kind === SpanKind.CLIENT)
  };
}

it("one span a request, one a read, one an upstream call, in the caller's trace and on to the upstream", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    knowledgeBases: { handbook: { upstream: "main", id: upstream.knowledgeBase().id } },
    tenants: TENANTS
  });
  const answer = await gateway.graphql(
    '{ knowledgeBase(key: "handbook") { tree(first: 5) { edges { node { path } } } graphOverview { __typename } } }',
    {},
    {
      token: gateway.token("acme"),
      headers: { traceparent: `00-${TRACE_ID}-${CALLERS_SPAN}-01`, tracestate: "vendor=secret", baggage: "a=secret" }
    }
  );
  expect(answer.status).toBe(200);
  const { request, reads, calls } = await finished();

  expect(request.parentSpanContext?.spanId).toBe(CALLERS_SPAN);
  expect(request.attributes).toMatchObject({
    "http.request.method": "POST",
    "http.response.status_code": 200,
    "focowiki.surface": "graphql",
    "focowiki.tenant": "acme",
    "focowiki.request_id": answer.headers.get("x-request-id"),
    "focowiki.upstream_calls": upstream.count()
  });
  expect(reads.map(({ name }) => name).sort()).toEqual(["getGraphOverview", "listKnowledgeBaseTree"]);
  for (const read of reads) expect(read.parentSpanContext?.spanId).toBe(request.spanContext().spanId);
  expect(calls).toHaveLength(upstream.count());
  const readIds = new Set(reads.map((read) => read.spanContext().spanId));
  for (const call of calls) {
    expect(call.spanContext().traceId).toBe(TRACE_ID);
    expect(readIds).toContain(call.parentSpanContext?.spanId);
  }
  const sent = calls.map((call) => `00-${TRACE_ID}-${call.spanContext().spanId}-01`);
  expect(upstream.requests.map(({ headers }) => headers.traceparent).sort()).toEqual(sent.sort());
  for (const { headers } of upstream.requests)
    expect([headers.tracestate, headers.baggage]).toEqual([undefined, undefined]);

  await expect.poll(() => gateway.logs.some(({ traceId }) => traceId === TRACE_ID)).toBe(true);
  const spans = JSON.stringify(exporter.getFinishedSpans().map(({ name, attributes }) => [name, attributes]));
  expect(spans).not.toContain(new URL(upstream.url).port);
  expect(spans).not.toContain(upstream.key);
});

it("an error marks the spans it passes with its code, and each retry has a span", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream }, tenants: TENANTS });
  upstream.on("listKnowledgeBases", internalError());
  const { status } = await gateway.get("/openapi/v2/knowledge-bases", { token: gateway.token("acme") });
  const { request, reads, calls } = await finished();
  expect(request.attributes["http.response.status_code"]).toBe(status);
  expect(calls).toHaveLength(upstream.count("listKnowledgeBases"));
  for (const span of [...reads, ...calls]) {
    expect(span.status.code).toBe(SpanStatusCode.ERROR);
    expect(span.attributes["error.type"]).toBe("INTERNAL_ERROR");
  }
});

it("probes and scrapes leave no spans", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream } });
  for (const path of ["/healthz", "/readyz", "/metrics"]) expect((await gateway.get(path)).status).toBe(200);
  await gateway.get("/openapi/v2/health");
  await finished();
  expect(exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.SERVER)).toHaveLength(1);
});

it("telemetry.otlpUrl starts the SDK, which sends spans by OTLP over HTTP", async () => {
  trace.disable();
  context.disable();
  propagation.disable();
  const bodies: string[] = [];
  const collector = createServer((incoming, response) => {
    incoming.setEncoding("utf8").on("data", (text: string) => bodies.push(text));
    incoming.on("end", () => response.setHeader("content-type", "application/json").end("{}"));
  }).listen(0, "127.0.0.1");
  await once(collector, "listening");
  try {
    const otlpUrl = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/v1/traces`;
    const stop = await startTelemetry({ otlpUrl }, "1.2.3", pino({ level: "silent" }));
    trace.getTracer("a test").startSpan("a span").end();
    await stop();
    expect(bodies.join("")).toMatch(/focowiki-gateway.*1\.2\.3.*a span/s);
  } finally {
    collector.close();
  }
});
