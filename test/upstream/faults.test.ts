import { describe, expect, test } from "vitest";
import type { GatewayError } from "../../src/errors.ts";
import { waitOf } from "../../src/upstream/fault-details.ts";
import type { Operation } from "../../src/upstream/operations.ts";
import { clientOf } from "../harness/fake-client.ts";
import { routeOf } from "../harness/fake-routes.ts";
import {
  bareCode,
  type FakeAnswer,
  fakeUpstream,
  internalError,
  invalidCode,
  invalidField,
  notFoundAnswer,
  payloadTooLarge,
  rateLimited,
  refusal,
  searchTimeout,
  serviceUnavailable,
  unauthorized
} from "../harness/fake-upstream.ts";
import { loadRecordings, RECORDINGS_ABSENT, recordingsFolder } from "../harness/recordings.ts";

const INPUT = { ids: { knowledgeBaseId: "kb", fileId: "file" } };

async function faultOf(answer: FakeAnswer, operation: Operation = "getFileById", query = {}): Promise<GatewayError> {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  upstream.on(operation, answer);
  return await client.read(operation, { ...INPUT, query }).then(
    () => {
      throw new Error("it was answered");
    },
    (error) => error
  );
}

const html = (status: number): FakeAnswer => ({ fault: "html", status });

test.each<[string, FakeAnswer, string, number]>([
  ["401", unauthorized(), "UPSTREAM_AUTHENTICATION_FAILED", 502],
  ["403 of a proxy", html(403), "UPSTREAM_AUTHENTICATION_FAILED", 502],
  ["404", notFoundAnswer(), "NOT_FOUND", 404],
  ["404 with a code alone", bareCode(404, "NOT_FOUND"), "NOT_FOUND", 404],
  ["404 of a proxy", html(404), "UPSTREAM_INVALID_RESPONSE", 502],
  ["404 of an unknown route", refusal(404, "UNSUPPORTED_ROUTE", "x"), "UPSTREAM_INVALID_RESPONSE", 502],
  ["400 with a code alone", bareCode(400, "INVALID_PATH"), "INVALID_PATH", 400],
  ["409", refusal(409, "CONFLICT", "x"), "CONFLICT", 409],
  ["413", payloadTooLarge(), "PAYLOAD_TOO_LARGE", 413],
  ["422", invalidField("limit", "x"), "VALIDATION_ERROR", 422],
  ["422 with an unknown code", refusal(422, "NEW_RULE", "x"), "VALIDATION_ERROR", 422],
  ["429", rateLimited(30), "RATE_LIMITED", 429],
  ["429 of a proxy", html(429), "RATE_LIMITED", 429],
  ["500", internalError(), "INTERNAL_ERROR", 500],
  ["500 with a code alone", bareCode(500, "INTERNAL_ERROR"), "INTERNAL_ERROR", 500],
  ["500 of a proxy", html(500), "INTERNAL_ERROR", 500],
  ["502 of a proxy", html(502), "UPSTREAM_UNAVAILABLE", 503],
  ["503 of a proxy", html(503), "UPSTREAM_UNAVAILABLE", 503],
  ["504 of a proxy", html(504), "UPSTREAM_TIMEOUT", 504],
  ["503 of the database", serviceUnavailable(), "DATABASE_REPOSITORY_UNAVAILABLE", 503],
  ["503 with an unknown code", refusal(503, "SOMETHING_NEW", "x"), "UPSTREAM_UNAVAILABLE", 503],
  ["503 of the search", serviceUnavailable("SEARCH_UNAVAILABLE"), "SEARCH_UNAVAILABLE", 503],
  ["503 of a full search", serviceUnavailable("SEARCH_OVERLOADED"), "SEARCH_OVERLOADED", 503],
  ["504 of the search", searchTimeout(), "SEARCH_TIMEOUT", 504],
  ["418", { status: 418, body: { teapot: true } }, "UPSTREAM_INVALID_RESPONSE", 502],
  ["204", { status: 204 }, "UPSTREAM_INVALID_RESPONSE", 502],
  ["a redirect", { fault: "redirect" }, "UPSTREAM_INVALID_RESPONSE", 502],
  ["an empty body", { fault: "empty" }, "UPSTREAM_INVALID_RESPONSE", 502],
  ["a refusal with an empty body", { fault: "empty", status: 503 }, "UPSTREAM_UNAVAILABLE", 503],
  ["JSON cut in half", { fault: "cut-json" }, "UPSTREAM_INVALID_RESPONSE", 502],
  ["a refusal cut in half", { fault: "cut-json", status: 500 }, "INTERNAL_ERROR", 500],
  ["a page instead of JSON", html(200), "UPSTREAM_INVALID_RESPONSE", 502],
  ["an error that is a string", { status: 500, body: { error: "boom" } }, "INTERNAL_ERROR", 500]
])("%s becomes a typed error", async (_, answer, code, httpStatus) => {
  const fault = await faultOf(answer);
  expect({ code: fault.code, httpStatus: fault.httpStatus }).toEqual({ code, httpStatus });
  expect(fault.answered || code === "NOT_FOUND").toBe(true);
});

test("invariant 4: the request id is kept, but only where it is one", async () => {
  const kept = await faultOf({ status: 500, body: { error: { code: "INTERNAL_ERROR" }, requestId: "req-1f0e" } });
  expect(kept.requestId).toBe("req-1f0e");
  const header = await faultOf({ status: 500, headers: { "x-request-id": "req-2f0e" } });
  expect(header.requestId).toBe("req-2f0e");
  const odd = await faultOf({ status: 500, body: { error: { code: "INTERNAL_ERROR" }, requestId: "<b>http://x</b>" } });
  expect(odd.requestId).toBeUndefined();
});

test("invariant 2: a NOT_FOUND is always the gateway's own", async () => {
  const fault = await faultOf(notFoundAnswer());
  expect([fault.requestId, fault.details, fault.message]).toEqual([undefined, undefined, "Resource was not found."]);
});

test.each([
  [rateLimited(15), 15],
  [{ ...rateLimited(null), headers: { "retry-after": "7" } }, 7],
  [{ ...rateLimited(null), headers: { "retry-after": "soon" } }, undefined],
  [rateLimited(null), undefined],
  [refusal(429, "RATE_LIMITED", "x", { retryAfterSeconds: 1e12 }), 3600],
  [refusal(429, "RATE_LIMITED", "x", { retryAfterSeconds: "30" }), undefined],
  [{ ...serviceUnavailable(), headers: { "retry-after": "3" } }, 3]
] as [FakeAnswer, number | undefined][])("invariant 4: a wait that is named survives (%#)", async (answer, seconds) => {
  const fault = await faultOf(answer);
  expect(fault.retryAfterSeconds).toBe(seconds);
});

test("a wait may be named as a date", () => {
  const now = Date.UTC(2026, 0, 1, 12, 0, 0);
  expect(waitOf({}, "Thu, 01 Jan 2026 12:01:00 GMT", now)).toBe(60);
  expect(waitOf({}, "Thu, 01 Jan 2026 11:59:00 GMT", now)).toBeUndefined();
});

describe("messages of refused arguments name the argument and the way out", () => {
  test.each([
    ["FILE_SEARCH_QUERY_REQUIRED", "query"],
    ["FILE_SEARCH_QUERY_TOO_SHORT", "query"],
    ["FILE_SEARCH_QUERY_TOO_LONG", "query"],
    ["INVALID_FILE_SEARCH_QUERY", "query"],
    ["INVALID_FILE_SEARCH_MODE", "mode"],
    ["INVALID_FILE_SEARCH_SCOPE", "scope"],
    ["INVALID_FILE_SEARCH_KIND", "fileKind"],
    ["INVALID_FILE_SEARCH_GRAPH_DEPTH", "graphDepth"],
    ["INVALID_FILE_SEARCH_GRAPH_FANOUT", "graphFanout"],
    ["INVALID_FILE_SEARCH_OKF_STATUS", "okfStatus"],
    ["INVALID_FILE_SEARCH_OKF_TRUST_TIER", "okfTrustTier"],
    ["INVALID_FILE_SEARCH_OKF_FRESHNESS", "okfFreshness"],
    ["INVALID_FILE_SEARCH_LIMIT", "limit"],
    ["INVALID_FILE_SEARCH_RERANK_CONTROLS", "rerank"],
    ["GRAPH_EXPANSION_FILE_ID_REQUIRED", "fileId"],
    ["INVALID_GRAPH_EXPANSION_DEPTH", "depth"],
    ["INVALID_GRAPH_EXPANSION_FANOUT", "fanout"]
  ])("%s", async (code, field) => {
    const fault = await faultOf(invalidCode(code), "searchGeneratedFiles");
    expect(fault.details).toEqual({ code, field });
    expect(fault.message).toContain(field);
    expect(fault.message).not.toBe("File search query is invalid.");
  });

  test.each([
    ["listKnowledgeBaseTree", "limit", "500"],
    ["listRelatedFiles", "limit", "200"],
    ["listRelatedFiles", "cursor", "without it"],
    ["listKnowledgeBaseTree", "parentPath", "root"],
    ["getFileContentByPath", "path", "pages"],
    ["listKnowledgeBaseTree", "query", "search"],
    ["getFileById", "somethingNew", "somethingNew"]
  ] as const)("%s, %s", async (operation, field, hint) => {
    const fault = await faultOf(invalidField(field, "No."), operation);
    expect(fault.details).toEqual({ field });
    expect(fault.message).toContain(field);
    expect(fault.message).toContain(hint);
  });

  test("an entry type, refused by its allowed values alone", async () => {
    const answer = refusal(422, "VALIDATION_ERROR", "x", { allowedValues: ["file", "directory"] });
    const fault = await faultOf(answer, "listKnowledgeBaseTree");
    expect(fault.details).toEqual({ allowedValues: ["file", "directory"], field: "entryType" });
  });

  test("a query beyond the upstream's buffers, which it answers without JSON", async () => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream);
    const query = { query: "a".repeat(17_000), mode: "file" };
    await expect(client.read("searchGeneratedFiles", { ...INPUT, query })).rejects.toMatchObject({
      code: "VALIDATION_ERROR",
      httpStatus: 422,
      details: { field: "query" }
    });
  });
});

test("invariant 4: of details only known members with plain values pass", async () => {
  const fault = await faultOf(
    refusal(422, "VALIDATION_ERROR", "secret", {
      field: "limit",
      code: "https://internal.example/key",
      allowedValues: ["fine", { nested: "secret" }],
      retryHint: "x".repeat(500),
      retryGuidance: "see http://10.0.0.1/admin",
      stack: "Error: secret at /srv/app.js",
      sql: "select secret"
    })
  );
  expect(fault.details).toEqual({ field: "limit" });
});

describe("invariant 3: an outage that looks like an empty result", () => {
  const ask = async (evidence: "none" | "partial" | "complete", query: Record<string, string>) => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream);
    upstream.evidence = evidence;
    const ids = { knowledgeBaseId: upstream.knowledgeBase().id };
    return (await client.read("searchGeneratedFiles", { ids, query })).body.items.length;
  };

  test.each(["hybrid", "file", "graph"])("is SEARCH_UNAVAILABLE, mode %s", async (mode) => {
    await expect(ask("none", { query: "pages", mode })).rejects.toMatchObject({
      code: "SEARCH_UNAVAILABLE",
      httpStatus: 503,
      details: { reason: "ALL_EVIDENCE_DEGRADED" }
    });
  });

  test("is not seen in a search that found nothing, in part or with all evidence", async () => {
    expect(await ask("complete", { query: "zzqqxx" })).toBe(0);
    expect(await ask("partial", { query: "zzqqxx" })).toBe(0);
    expect(await ask("partial", { query: "pages" })).toBe(2);
  });

  test("is not seen in a knowledge base without content", async () => {
    await using upstream = await fakeUpstream({ knowledgeBases: [{ id: "empty" }] });
    await using client = clientOf(upstream);
    const { body } = await client.read("searchGeneratedFiles", {
      ids: { knowledgeBaseId: "empty" },
      query: { query: "cache" }
    });
    expect([body.items, body.searchStatus]).toEqual([[], "no_candidates"]);
  });
});

describe.skipIf(recordingsFolder() === null)(`every recorded refusal (${RECORDINGS_ABSENT} if skipped)`, () => {
  const refusals = loadRecordings()
    .filter(({ request, response }) => request.method === "GET" && response.status >= 400)
    .map((recording) => ({ ...recording, operation: routeOf(recording.request.path.split("?")[0] ?? "").operation }));

  test("keeps its code and brings nothing of its text", async () => {
    await using upstream = await fakeUpstream();
    expect(refusals.length).toBeGreaterThan(100);
    for (const { name, operation, response } of refusals) {
      if (operation === null) continue;
      await using client = clientOf(upstream);
      upstream.reset();
      const { "content-length": _length, connection: _connection, ...headers } = response.headers;
      const body = response.body as { error?: { code: string; message?: string } } | string | null;
      upstream.on(operation, {
        status: response.status,
        headers,
        raw: typeof body === "string" ? body : JSON.stringify(body)
      });
      const fault: GatewayError = await client.read(operation, INPUT).then(
        () => expect.unreachable(name),
        (error) => error
      );
      const recorded = typeof body === "object" && body !== null ? body.error?.code : undefined;
      const expected =
        response.status === 401
          ? "UPSTREAM_AUTHENTICATION_FAILED"
          : response.status === 431
            ? "VALIDATION_ERROR"
            : recorded;
      expect({ name, code: fault.code }).toEqual({ name, code: expected });
    }
  });
});
