/** Every recorded read, asked of the upstream and of a running gateway's mirror: equal but for what the gateway owns. */
import { expect, it } from "vitest";
import type { TestAnswer } from "../harness/gateway.ts";
import { sendRequest } from "../harness/raw-http.ts";
import {
  loadRecordings,
  RECORDINGS_ABSENT,
  type Recording,
  recordingsFolder,
  startReplay
} from "../harness/recordings.ts";
import { asHandedOn, askUpstream, expectMirrored, overReplay } from "./replayed.ts";

const KNOWLEDGE_BASE = /^\/openapi\/v2\/knowledge-bases\/[^/?]+/;
/** What the upstream ignores goes to it as it came. */
const ODD = [
  "knowledge-bases.unknown-param",
  "knowledge-bases.limit-duplicate",
  "tree.unknown-param",
  "search.unknown-param"
];

function named(name: string): Recording {
  const found = loadRecordings().find((recording) => recording.name === name);
  if (found === undefined) throw new Error(`there is no recording ${name}`);
  return found;
}

it("invariant 4: answers as the upstream does, to one without tenants and to a tenant with default limits", {
  timeout: 120_000
}, async ({ skip }) => {
  if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
  await using replay = await startReplay();
  await using anonymous = await overReplay(replay);
  await using tenant = await overReplay(replay, "tenant");
  const details = new Map<string, Promise<TestAnswer | null>>();
  const compared: string[] = [];
  const refusedHere: string[] = [];
  const different: string[] = [];
  for (const { name, request } of loadRecordings()) {
    const sent = asHandedOn(request.path);
    const base = KNOWLEDGE_BASE.exec(sent.pathname)?.[0];
    // Forged cursors and odd ids are refused here; what is outside of the API is not mirrored.
    if (request.method !== "GET" || !sent.pathname.startsWith("/openapi/v2/")) continue;
    if (sent.searchParams.has("cursor") || base?.includes("%00")) continue;
    if (base !== undefined && !details.has(base)) details.set(base, askUpstream(replay, base));
    const [direct, detail, toAnonymous, toTenant] = await Promise.all([
      askUpstream(replay, sent.pathname + sent.search),
      details.get(base ?? ""),
      anonymous.get(request.path),
      tenant.get(request.path)
    ]);
    // The reader asks for the knowledge base too; one that is unknown is NOT_FOUND, whatever the upstream says of it.
    if (direct === null || detail === null || (direct.status === 200 && detail?.status === 404)) continue;
    try {
      if (!expectMirrored(direct, toAnonymous)) refusedHere.push(name);
      if (sent.searchParams.get("rerank") === "true") {
        expect(toTenant.body.error).toMatchObject({ code: "FORBIDDEN", details: { limit: "rerank" } });
      } else expectMirrored(direct, toTenant);
      compared.push(name);
    } catch (error) {
      different.push(`${name}: ${(error as Error).message}`);
    }
  }
  expect(different).toEqual([]);
  expect(refusedHere).toEqual(["files.list-route", "tree.query-unsupported"]);
  expect(compared).toEqual(expect.arrayContaining(ODD));
  expect(compared.length).toBeGreaterThan(1_000);
});

it("invariant 4: hands on every recorded failure with its code, details, request id and wait", async ({ skip }) => {
  if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
  // The rate limit comes last: after it, nothing is asked for as long as the upstream said.
  const failures = [
    "content-limit.detail-too-large",
    "content-limit.page-too-large",
    "content-limit.generated-too-large",
    "content-limit.expand-seed-too-large",
    "outage.database-tree",
    "outage.database-knowledge-bases",
    "outage.search-engine-lexical-only",
    "outage.search-engine-lexical-only-hang",
    "rate-limit.limited"
  ];
  await using replay = await startReplay({ with: failures });
  await using rest = await overReplay(replay);
  for (const name of failures) {
    const { request, response } = named(name);
    const direct = await askUpstream(replay, request.path);
    const mirrored = await rest.get(request.path);
    expect([name, direct !== null && expectMirrored(direct, mirrored)]).toEqual([name, true]);
    expect(mirrored.headers.get("retry-after")).toBe(response.headers["retry-after"] ?? null);
  }
});

it("invariant 3: an outage that the upstream dresses as an empty search is an error", async ({ skip }) => {
  if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
  const name = "outage.search-engine-hybrid";
  await using replay = await startReplay({ with: [name] });
  await using rest = await overReplay(replay);
  expect(await rest.get(named(name).request.path)).toMatchObject({
    status: 503,
    body: { error: { code: "SEARCH_UNAVAILABLE", details: { reason: "ALL_EVIDENCE_DEGRADED" } } }
  });
});

it("invariant 5: refuses every upstream cursor, saying how to go on", async ({ skip }) => {
  if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
  await using replay = await startReplay();
  await using rest = await overReplay(replay);
  const forged = loadRecordings().filter(({ request }) => /[?&]cursor=[^&]/.test(request.path));
  expect(forged.length).toBeGreaterThan(20);
  for (const { request } of forged) {
    const { status, body } = await rest.get(request.path);
    expect(status).toBe(422);
    expect(body).toMatchObject({ error: { code: "VALIDATION_ERROR", details: { field: "cursor", restart: true } } });
  }
});

it("invariant 3: a search in a knowledge base that does not exist is NOT_FOUND, not empty", async ({ skip }) => {
  if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
  await using replay = await startReplay();
  await using rest = await overReplay(replay);
  expect(await rest.get(named("search.missing-kb").request.path)).toMatchObject({
    status: 404,
    body: { error: { code: "NOT_FOUND" } }
  });
});

/** Where the gateway differs on purpose. */
const ROUTES_APART: Readonly<Record<string, readonly [status: number, code: string]>> = {
  // Dot segments are refused before anything could fold them away.
  "route.traversal": [400, "INVALID_PATH"],
  "route.traversal-encoded": [400, "INVALID_PATH"],
  // Outside of the mirror the gateway has routes of its own.
  "route.outside-prefix": [404, "UNSUPPORTED_ROUTE"],
  "route.root": [404, "UNSUPPORTED_ROUTE"]
};

it("knows the routes and methods that the upstream knows, and no others", async ({ skip }) => {
  if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
  const routes = loadRecordings().filter(({ name }) => name.startsWith("route."));
  await using replay = await startReplay();
  await using rest = await overReplay(replay, "tenant");
  const authorization = `Bearer ${rest.gateway.token("acme")}`;
  for (const { name, request, response } of routes) {
    const { error } = (response.body || {}) as { error?: { code: string } };
    const [status, code] = ROUTES_APART[name] ?? [response.status, error?.code];
    const authorized = "authorization" in request.headers;
    const answer = await sendRequest(rest.gateway.url, {
      method: request.method,
      target: request.path,
      headers: authorized ? [["Authorization", authorization]] : []
    });
    const own = answer.text === "" ? {} : JSON.parse(answer.text);
    expect([name, answer.status, own.error?.code]).toEqual([name, status, code]);
  }
});
