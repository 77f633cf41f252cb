/** What is refused before a surface reads anything: the same error in each surface's own form, and the same header. */
import { expect, test } from "vitest";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer } from "../harness/gateway.ts";
import { READS, type Read } from "./reads.ts";
import { SURFACES, type SurfaceName } from "./surfaces.ts";

const KNOWLEDGE_BASE = "knowledge-base-00000000-0000-4000-8000-000000000001";

/** Where each surface has the error of a request that reached none of its reads. */
function errorOf(surface: SurfaceName, { body }: TestAnswer) {
  if (surface === "mcp") return body.error.data;
  if (surface !== "graphql") return { ...body.error, requestId: body.requestId };
  const [{ message, extensions }] = body.errors;
  const { retryAfterSeconds, ...error } = extensions;
  expect(retryAfterSeconds).toBe(error.details?.retryAfterSeconds);
  return { ...error, message };
}

test.each([
  ["without a credential", null, "UNAUTHORIZED"],
  ["over the requests of its minute", "hurried", "RATE_LIMITED"]
] as const)("invariant 4: a caller %s is told so alike", async (_, tenant, code) => {
  await using upstream = await fakeUpstream({
    knowledgeBases: [{ id: KNOWLEDGE_BASE, pages: [{ path: "pages/a.md" }] }]
  });
  await using gateway = await startGateway({
    upstreams: { main: upstream },
    knowledgeBases: { handbook: { upstream: "main", id: KNOWLEDGE_BASE } },
    tenants: { hurried: { grants: [{ upstream: "main" }], limits: { requestsPerMinute: 1 } } }
  });
  const token = tenant === null ? undefined : gateway.token(tenant);
  if (token !== undefined) await gateway.get("/openapi/v2/knowledge-bases", { token });
  upstream.reset();
  const { forms }: Read = READS.tree;
  let first: object | null = null;
  for (const surface of SURFACES) {
    const form = forms[surface];
    if (typeof form === "string") continue;
    const answer = await form.ask(gateway, { limit: 1 }, token);
    const { requestId, ...error } = errorOf(surface, answer);
    expect([surface, answer.status, error.code]).toEqual([surface, error.httpStatus, code]);
    expect(answer.headers.get("x-request-id")).toBe(requestId);
    const wait = error.details?.retryAfterSeconds;
    expect(answer.headers.get("retry-after")).toBe(wait === undefined ? null : String(wait));
    const { retryAfterSeconds: _wait, ...details } = error.details ?? {};
    // A second may pass meanwhile, which the message counts too.
    const told = { ...error, message: error.message.replace(/\d+ seconds?/, ""), details };
    first ??= told;
    expect([surface, told]).toEqual([surface, first]);
  }
  expect(upstream.count()).toBe(0);
});
