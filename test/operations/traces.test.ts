import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { context, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor
} from "@opentelemetry/sdk-trace-node";
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

/** The reads below the request, each with the names of the upstream calls below it. */
function treeOf({ request, reads, calls }: Awaited<ReturnType<typeof finished>>) {
  const isBelow = (parent: ReadableSpan) => (span: ReadableSpan) =>
    span.parentSpanContext?.spanId === parent.spanContext().spanId;
  expect(reads.every(isBelow(request))).toBe(true);
  return reads.map((read) => ({
    name: read.name,
    attributes: { ...read.attributes },
    calls: calls.filter(isBelow(read)).map(({ name }) => name)
  }));
}

it("one span a request, one a kind of read, one an upstream call, in the caller's trace and on to the upstream", async () => {
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

it("reads of one kind at once share one span, held ones too: fifty files are a tree that can be looked at", async () => {
  const pages = Array.from({ length: 50 }, (_, index) => ({ path: `pages/page-${String(index).padStart(2, "0")}.md` }));
  await using upstream = await fakeUpstream({ knowledgeBases: [{ pages }] });
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    knowledgeBases: { handbook: { upstream: "main", id: upstream.knowledgeBase().id } },
    tenants: TENANTS,
    config: { cache: { revisionCheckMs: 600_000 } }
  });
  const ask = async () => {
    const fields = "... on File { title tags }";
    const answer = await gateway.graphql(
      `{ knowledgeBase(key: "handbook") { tree(parentPath: "pages", entryType: FILE, first: 50) { edges { node { ${fields} } } } } }`,
      {},
      { token: gateway.token("acme") }
    );
    expect(answer.body.data.knowledgeBase.tree.edges).toHaveLength(50);
    expect(answer.body.errors).toBeUndefined();
    const tree = treeOf(await finished());
    exporter.reset();
    return tree;
  };
  const detail = { "focowiki.knowledge_base": "handbook", "focowiki.reads": 50 };
  const cold = await ask();
  expect(cold.find(({ name }) => name === "getFileById")).toEqual({
    name: "getFileById",
    attributes: { ...detail, "focowiki.upstream_calls": 50 },
    calls: Array.from({ length: 50 }, () => "GET getFileById")
  });
  const names = cold.map(({ name }) => name);
  expect(names.sort()).toEqual([...new Set(names)]);
  expect(cold.flatMap(({ calls }) => calls)).toHaveLength(upstream.count());

  const warm = await ask();
  expect(warm.map(({ name }) => name).sort()).toEqual(names);
  expect(warm.find(({ name }) => name === "getFileById")).toEqual({
    name: "getFileById",
    attributes: { ...detail, "focowiki.upstream_calls": 0 },
    calls: []
  });
});

it("one of many that fails marks the span that it shares", async () => {
  const pages = Array.from({ length: 5 }, (_, index) => ({ path: `pages/page-${index}.md` }));
  await using upstream = await fakeUpstream({ knowledgeBases: [{ pages }] });
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    knowledgeBases: { handbook: { upstream: "main", id: upstream.knowledgeBase().id } },
    tenants: TENANTS
  });
  const fileId = upstream.fileId("pages/page-3.md");
  upstream.on(({ operation, path }) => operation === "getFileById" && path.includes(fileId), internalError());
  await gateway.graphql(
    '{ knowledgeBase(key: "handbook") { tree(parentPath: "pages", entryType: FILE) { edges { node { ... on File { tags } } } } } }',
    {},
    { token: gateway.token("acme") }
  );
  const details = treeOf(await finished()).find(({ name }) => name === "getFileById");
  expect(details?.attributes).toMatchObject({ "error.type": "INTERNAL_ERROR", "focowiki.failed_reads": 1 });
});

it.each([
  ["agent", "GET agent", "/agent/handbook/files/content?path=pages/a.md", undefined, "getFileContentByPath"],
  [
    "mcp",
    "POST mcp",
    "/mcp/handbook",
    { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "read_file", arguments: { path: "pages/a.md" } } },
    "getFileContentByPath"
  ]
] as const)(
  "a read over %s is a request, a read and an upstream call",
  async (surface, title, path, body, operation) => {
    await using upstream = await fakeUpstream({ knowledgeBases: [{ pages: [{ path: "pages/a.md" }] }] });
    await using gateway = await startGateway({
      upstreams: { main: upstream },
      knowledgeBases: { handbook: { upstream: "main", id: upstream.knowledgeBase().id } },
      tenants: TENANTS
    });
    const headers = { accept: "application/json, text/event-stream" };
    const token = gateway.token("acme");
    const answer =
      body === undefined ? await gateway.get(path, { token }) : await gateway.post(path, body, { token, headers });
    expect(answer.status).toBe(200);
    const spans = await finished();
    expect([spans.request.name, spans.request.attributes["focowiki.surface"]]).toEqual([title, surface]);
    const read = treeOf(spans).find(({ name }) => name === operation);
    expect(read?.attributes).toMatchObject({ "focowiki.reads": 1 });
    expect(read?.calls.at(-1)).toBe(`GET ${operation}`);
  }
);

it("a caller whose trace is not recorded has no spans, and the upstream is told so", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream }, tenants: TENANTS });
  const headers = { traceparent: `00-${TRACE_ID}-${CALLERS_SPAN}-00` };
  await gateway.get("/openapi/v2/knowledge-bases", { token: gateway.token("acme"), headers });
  await gateway.get("/openapi/v2/health", { token: gateway.token("acme") });
  const { request } = await finished();
  expect(request.spanContext().traceId).not.toBe(TRACE_ID);
  for (const { headers: sent, operation } of upstream.requests) {
    if (operation === "getHealth") continue;
    expect(sent.traceparent).toMatch(new RegExp(`^00-${TRACE_ID}-[0-9a-f]{16}-00$`));
  }
  expect(exporter.getFinishedSpans().every((span) => span.spanContext().traceId !== TRACE_ID)).toBe(true);
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
