import { expect, it } from "vitest";
import { fakeUpstream, rateLimited } from "../harness/fake-upstream.ts";
import { startGateway } from "../harness/gateway.ts";
import { sendRequest } from "../harness/raw-http.ts";
import { scrape } from "./scrape.ts";

const TENANTS = { acme: { grants: [{ upstream: "main" }] } };
const METRICS_TOKEN = "a token for whoever scrapes";

it("counts requests, reads, upstream requests, cache reads and revision checks", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    knowledgeBases: { handbook: { upstream: "main", id: upstream.knowledgeBase().id } },
    tenants: TENANTS,
    config: { cache: { revisionCheckMs: 600_000 } }
  });
  const token = gateway.token("acme");
  const tree = `/openapi/v2/knowledge-bases/handbook/tree`;
  for (let time = 0; time < 3; time += 1) expect((await gateway.get(tree, { token })).status).toBe(200);
  const samples = await scrape(gateway);
  const value = (name: string, labels = "") => samples.get(`focowiki_gateway_${name}${labels}`);

  expect(value("requests_total", '{surface="mirror",operation="listKnowledgeBaseTree",status="2xx"}')).toBe(3);
  expect(value("tenant_requests_total", '{tenant="acme",status="2xx"}')).toBe(3);
  expect(value("reads_total", '{surface="mirror",operation="listKnowledgeBaseTree",outcome="OK"}')).toBe(3);
  expect(value("upstream_requests_total", '{upstream="main",operation="listKnowledgeBaseTree",outcome="OK"}')).toBe(
    upstream.count("listKnowledgeBaseTree")
  );
  expect(value("upstream_requests_total", '{upstream="main",operation="getKnowledgeBase",outcome="OK"}')).toBe(
    upstream.count("getKnowledgeBase")
  );
  expect(value("revision_checks_total", '{upstream="main",source="upstream"}')).toBe(
    upstream.count("getKnowledgeBase")
  );
  expect(value("cache_reads_total", '{upstream="main",result="miss"}')).toBe(1);
  expect(value("cache_reads_total", '{upstream="main",result="hit"}')).toBe(2);
  expect(value("cache_bytes")).toBeGreaterThan(0);
  expect(value("upstream_budget_remaining", '{upstream="main"}')).toBe(1200 - upstream.count());
  expect(value("upstream_circuit_state", '{upstream="main",circuit="reads"}')).toBe(0);
  expect(value("requests_in_flight")).toBe(1);
  expect(value("shared_store_up")).toBeUndefined();
});

it("counts errors by code, wherever they arise", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream }, tenants: TENANTS });
  const token = gateway.token("acme");
  await gateway.get("/openapi/v2/knowledge-bases");
  upstream.on("listKnowledgeBases", rateLimited(7), 1);
  await gateway.get("/openapi/v2/knowledge-bases", { token });
  const samples = await scrape(gateway);
  expect(samples.get('focowiki_gateway_errors_total{surface="mirror",code="UNAUTHORIZED"}')).toBe(1);
  expect(samples.get('focowiki_gateway_errors_total{surface="mirror",code="RATE_LIMITED"}')).toBe(1);
  expect(samples.get('focowiki_gateway_requests_total{surface="mirror",operation="none",status="4xx"}')).toBe(1);
  expect(samples.get('focowiki_gateway_upstream_budget_remaining{upstream="main"}')).toBe(0);
});

it("shows an open circuit", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream }, tenants: TENANTS });
  const token = gateway.token("acme");
  await upstream.goAway();
  for (let call = 0; call < 5; call += 1) await gateway.get("/openapi/v2/knowledge-bases", { token });
  const samples = await scrape(gateway);
  expect(samples.get('focowiki_gateway_upstream_circuit_state{upstream="main",circuit="reads"}')).toBe(2);
  expect(samples.get('focowiki_gateway_upstream_circuit_state{upstream="main",circuit="search"}')).toBe(0);
});

it("counts what is shed and what a reload brought", async () => {
  await using upstream = await fakeUpstream();
  const options = { upstreams: { main: upstream }, tenants: TENANTS };
  const loadBounds = { maxInFlight: 0, maxDelayMs: 1000, delayCountsAbove: 1000 };
  await using gateway = await startGateway({ ...options, loadBounds });
  expect((await gateway.get("/agent/tree")).status).toBe(503);
  gateway.reload(options);
  gateway.running.runtime.refuse();
  const samples = await scrape(gateway);
  expect(samples.get("focowiki_gateway_shed_total")).toBe(1);
  expect(samples.get('focowiki_gateway_errors_total{surface="agent",code="OVERLOADED"}')).toBe(1);
  expect(samples.get('focowiki_gateway_config_reloads_total{result="ok"}')).toBe(1);
  expect(samples.get('focowiki_gateway_config_reloads_total{result="refused"}')).toBe(1);
  expect(samples.get("focowiki_gateway_config_version")).toBe(2);
});

it("takes no label from what a caller sent", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream }, tenants: TENANTS });
  const token = gateway.token("acme");
  const word = "zebra-crossing";
  await gateway.get(`/agent/${word}/files/${word}?query=${word}`, { token });
  await gateway.get(`/${word}`, { token, headers: { "user-agent": word, "x-request-id": word } });
  await gateway.graphql(
    `query ${word.replace("-", "_")} { file: knowledgeBase(key: "${word}") { name } }`,
    {},
    { token }
  );
  await gateway.post(`/agent/${word}/tools/${word}`, { query: word }, { token });
  expect((await gateway.get("/metrics")).text).not.toMatch(/zebra/);
});

it("has a registry a gateway", async () => {
  await using upstream = await fakeUpstream();
  await using one = await startGateway({ upstreams: { main: upstream } });
  await using other = await startGateway({ upstreams: { main: upstream } });
  await one.get("/openapi/v2/knowledge-bases");
  const name = 'focowiki_gateway_requests_total{surface="mirror",operation="listKnowledgeBases",status="2xx"}';
  expect((await scrape(one)).get(name)).toBe(1);
  expect((await scrape(other)).get(name)).toBeUndefined();
});

it("is opened by server.metricsToken and by nothing else", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    tenants: TENANTS,
    config: { server: { metricsToken: METRICS_TOKEN } }
  });
  expect((await gateway.get("/metrics", { token: METRICS_TOKEN })).headers.get("content-type")).toMatch(/^text\/plain/);
  for (const token of [undefined, gateway.token("acme"), `${METRICS_TOKEN}x`, METRICS_TOKEN.slice(1)]) {
    const refused = await gateway.get("/metrics", { token });
    expect([refused.status, refused.body.error.code]).toEqual([401, "UNAUTHORIZED"]);
    expect(refused.headers.get("www-authenticate")).toMatch(/^Bearer/);
  }
  expect((await gateway.post("/metrics", {}, { token: METRICS_TOKEN })).status).toBe(405);
  const elsewhere = {
    target: "/metrics",
    headers: [
      ["Host", "elsewhere.example"],
      ["Authorization", `Bearer ${METRICS_TOKEN}`]
    ]
  } as const;
  expect((await sendRequest(gateway.url, elsewhere)).status).toBe(403);
});

it("without a token is for this machine alone", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream }, tenants: TENANTS });
  await scrape(gateway);
  const forwarded = await gateway.get("/metrics", { headers: { "x-forwarded-for": "203.0.113.9" } });
  expect([forwarded.status, forwarded.body.error.code]).toEqual([403, "FORBIDDEN"]);
  await using open = await startGateway({
    upstreams: { main: upstream },
    tenants: TENANTS,
    config: { server: { host: "0.0.0.0", allowedHosts: ["0.0.0.0"] } }
  });
  expect((await open.get("/healthz")).status).toBe(200);
  const served = await open.get("/metrics", { token: open.token("acme") });
  expect([served.status, served.body.error.code]).toEqual([403, "FORBIDDEN"]);
});

it("the access log names tenant, subject, surface, operations, cost and outcome, and nothing else", async () => {
  await using upstream = await fakeUpstream();
  await using gateway = await startGateway({ upstreams: { main: upstream }, tenants: TENANTS });
  const token = gateway.token("acme");
  const { headers } = await gateway.get(`/openapi/v2/knowledge-bases/${upstream.knowledgeBase().id}/tree`, { token });
  await expect.poll(() => gateway.logs.some(({ msg }) => msg === "request")).toBe(true);
  const line = gateway.logs.find(({ msg }) => msg === "request") ?? {};
  expect(line).toMatchObject({
    requestId: headers.get("x-request-id"),
    tenant: "acme",
    subject: "test",
    surface: "mirror",
    operation: "listKnowledgeBaseTree",
    method: "GET",
    status: 200,
    upstreamCalls: upstream.count()
  });
  expect(Object.keys(line).sort()).toEqual([
    "level",
    "method",
    "ms",
    "msg",
    "operation",
    "requestId",
    "status",
    "subject",
    "surface",
    "tenant",
    "time",
    "upstreamCalls"
  ]);
});
