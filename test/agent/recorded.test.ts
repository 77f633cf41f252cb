/** Every recorded read, asked of the upstream and through the mirror: equal but for what the gateway owns. */
import { describe, expect, it } from "vitest";
import {
  loadRecordings,
  RECORDED_KNOWLEDGE_BASE,
  RECORDINGS_ABSENT,
  type Replay,
  recordingsFolder,
  startReplay
} from "../harness/recordings.ts";
import { REQUEST_ID, type RestAnswer, restOver } from "./over-upstream.ts";

interface ErrorAnswer {
  readonly error?: { readonly code: string; readonly details?: object };
  readonly requestId?: string;
}

const KNOWLEDGE_BASE = /^\/openapi\/v2\/knowledge-bases\/[^/?]+/;

/** The request as the mirror hands it on: a list's parameters as they came, a content's path alone and in NFC. */
function asHandedOn(target: string): URL {
  const url = new URL(target, "http://upstream");
  if (url.searchParams.get("cursor") === "") url.searchParams.delete("cursor");
  if (!url.pathname.endsWith("/files/content")) return url;
  const path = url.searchParams.get("path") ?? "";
  url.search = new URLSearchParams({ path: path.normalize("NFC") }).toString();
  return url;
}

/** Null where it was not recorded. */
async function askUpstream({ url, key }: Replay, target: string): Promise<RestAnswer | null> {
  const response = await fetch(url + target, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (response.headers.get("x-replay") === "miss") return null;
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** The upstream's answer with what the gateway changes in every one: its own cursors, and links that it does not serve. */
function expected(text: string, nextCursor: unknown): string {
  return text
    .replace(/"sourceFileStatusById":"[^"]*"/g, '"sourceFileStatusById":null')
    .replace(/"nextCursor":(?:null|"[^"]*")/, `"nextCursor":${JSON.stringify(nextCursor)}`);
}

function compare(direct: RestAnswer, mirrored: RestAnswer): void {
  const upstream = direct.body as ErrorAnswer & { nextCursor?: string | null };
  const gateway = mirrored.body as typeof upstream;
  expect(mirrored.status).toBe(direct.status);
  if (upstream.error === undefined) {
    expect(gateway.nextCursor === null).toBe(upstream.nextCursor === null);
    if (upstream.nextCursor) expect(gateway.nextCursor).not.toBe(upstream.nextCursor);
    expect(mirrored.text).toBe(expected(direct.text, gateway.nextCursor));
    return;
  }
  expect(gateway.error?.code).toBe(upstream.error.code);
  if (upstream.error.code === "NOT_FOUND") {
    // Its own constant, whatever the upstream said, so that nothing can be told from it.
    expect(gateway.requestId).not.toBe(upstream.requestId);
    return;
  }
  expect(gateway.error?.details ?? {}).toMatchObject(upstream.error.details ?? {});
  // What the gateway refuses itself, no upstream request brought.
  if (gateway.requestId === REQUEST_ID) return;
  expect(gateway.requestId).toBe(upstream.requestId);
  expect(mirrored.headers.get("x-request-id")).toBe(upstream.requestId);
}

describe("the mirror over the recordings", () => {
  it("invariant 4: answers as the upstream does", { timeout: 60_000 }, async ({ skip }) => {
    if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
    await using replay = await startReplay();
    await using rest = restOver(replay, { tenant: { grants: [{ upstream: "main" }], limits: { rerank: true } } });
    let compared = 0;
    const refusedHere: string[] = [];
    const different: string[] = [];
    for (const { name, request } of loadRecordings()) {
      const sent = asHandedOn(request.path);
      const base = KNOWLEDGE_BASE.exec(sent.pathname)?.[0];
      // Forged cursors and odd ids are refused here; what is outside of the API is not mirrored.
      if (request.method !== "GET" || !sent.pathname.startsWith("/openapi/v2/")) continue;
      if (sent.searchParams.has("cursor") || base?.includes("%00")) continue;
      const direct = await askUpstream(replay, sent.pathname + sent.search);
      // The reader asks for the knowledge base too; one that is unknown is NOT_FOUND, whatever the upstream says of it.
      const detail = base === undefined ? direct : await askUpstream(replay, base);
      if (direct === null || detail === null || (direct.status === 200 && detail.status === 404)) continue;
      try {
        const mirrored = await rest.request(request.path);
        compare(direct, mirrored);
        const { requestId } = mirrored.body as ErrorAnswer;
        if (requestId === REQUEST_ID && mirrored.status !== 404) refusedHere.push(name);
        compared += 1;
      } catch (error) {
        different.push(`${name}: ${(error as Error).message}`);
      }
    }
    expect(different).toEqual([]);
    expect(refusedHere).toEqual(["tree.query-unsupported"]);
    expect(compared).toBeGreaterThan(1_000);
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
    await using rest = restOver(replay);
    for (const name of failures) {
      const recording = loadRecordings().find((known) => known.name === name)!;
      const mirrored = await rest.request(recording.request.path);
      const direct = await askUpstream(replay, recording.request.path);
      compare(direct!, mirrored);
      expect([name, (mirrored.body as ErrorAnswer).requestId]).not.toContain(REQUEST_ID);
      expect(mirrored.headers.get("retry-after")).toBe(recording.response.headers["retry-after"] ?? null);
    }
  });

  it("invariant 3: an outage that the upstream dresses as an empty search is an error", async ({ skip }) => {
    const name = "outage.search-engine-hybrid";
    const recording = loadRecordings().find((known) => known.name === name);
    if (recording === undefined) return skip(RECORDINGS_ABSENT);
    await using replay = await startReplay({ with: [name] });
    await using rest = restOver(replay);
    expect(await rest.request(recording.request.path)).toMatchObject({
      status: 503,
      body: { error: { code: "SEARCH_UNAVAILABLE", details: { reason: "ALL_EVIDENCE_DEGRADED" } } }
    });
  });

  it("invariant 5: refuses every upstream cursor, saying how to go on", async ({ skip }) => {
    if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
    await using replay = await startReplay();
    await using rest = restOver(replay);
    const forged = loadRecordings().filter(({ request }) => /[?&]cursor=[^&]/.test(request.path));
    expect(forged.length).toBeGreaterThan(20);
    for (const { request } of forged) {
      const { status, body } = await rest.request(request.path);
      expect(status).toBe(422);
      expect(body).toMatchObject({ error: { code: "VALIDATION_ERROR", details: { field: "cursor", restart: true } } });
    }
  });

  it("invariant 3: a search in a knowledge base that does not exist is NOT_FOUND, not empty", async ({ skip }) => {
    const missing = loadRecordings().find(({ name }) => name === "search.missing-kb");
    if (missing === undefined) return skip(RECORDINGS_ABSENT);
    await using replay = await startReplay();
    await using rest = restOver(replay);
    expect(await rest.request(missing.request.path)).toMatchObject({
      status: 404,
      body: { error: { code: "NOT_FOUND" } }
    });
  });
});

describe("links and pages", () => {
  it("every link of a search, a tree and an expansion can be followed as it stands", async ({ skip }) => {
    if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
    await using replay = await startReplay();
    await using rest = restOver(replay, {
      knowledgeBases: { handbook: { upstream: "main", id: RECORDED_KNOWLEDGE_BASE } }
    });
    const links = new Set<string>();
    for (const target of ["/search?query=cache", "/tree", "/tree?parentPath=pages", "/graph/overview"]) {
      const { status, text } = await rest.request(`/agent/handbook${target}`);
      expect(status).toBe(200);
      for (const [link] of text.matchAll(/\/openapi\/v2\/[^"]+/g)) links.add(link);
    }
    expect(links.size).toBeGreaterThan(40);
    for (const link of links) {
      // Generated files have no relations.
      const status = /generated-.*related$/.test(link) ? 409 : 200;
      expect([link, (await rest.request(link)).status]).toEqual([link, status]);
    }
  });

  it("invariant 1: the route, its compact view and the tool post give the same items", async ({ skip }) => {
    if (recordingsFolder() === null) return skip(RECORDINGS_ABSENT);
    await using replay = await startReplay();
    await using rest = restOver(replay, {
      knowledgeBases: { handbook: { upstream: "main", id: RECORDED_KNOWLEDGE_BASE } }
    });
    const whole = (await rest.request("/agent/handbook/search?query=cache")).body as { items: { fileId: string }[] };
    const compact = await rest.request("/agent/handbook/search?query=cache&view=compact");
    const posted = await rest.request("/agent/handbook/tools/search_files", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ query: "cache", limit: null, cursor: "" })
    });
    expect(posted.text).toBe(compact.text);
    const items = (posted.body as { items: { fileId: string }[] }).items;
    expect(items.map(({ fileId }) => fileId)).toEqual(whole.items.map(({ fileId }) => fileId));
    expect(items.length).toBeGreaterThan(0);
  });
});
