/** A running gateway in front of the recorded answers, and what it must make of each. */
import { expect } from "vitest";
import { startGateway, type TestAnswer, type TestGateway } from "../harness/gateway.ts";
import { RECORDED_KNOWLEDGE_BASE, type Replay } from "../harness/recordings.ts";

export const UNHURRIED = { requestsPerMinute: 1_000_000 };

export interface OverReplay extends AsyncDisposable {
  readonly gateway: TestGateway;
  get(target: string): Promise<TestAnswer>;
}

/** @param caller `anonymous`: a gateway without tenants; else a tenant that has everything, and default limits */
export async function overReplay(replay: Replay, caller: "anonymous" | "tenant" = "anonymous"): Promise<OverReplay> {
  const gateway = await startGateway({
    upstreams: { main: replay },
    upstreamSettings: { rateLimit: { requests: 1_000_000 } },
    knowledgeBases: { handbook: { upstream: "main", id: RECORDED_KNOWLEDGE_BASE } },
    ...(caller === "tenant" ? { tenants: { acme: { grants: [{ upstream: "main" }], limits: UNHURRIED } } } : {}),
    config: { log: { level: "silent" } }
  });
  const token = caller === "tenant" ? gateway.token("acme") : undefined;
  return {
    gateway,
    get: (target) => gateway.get(target, { token }),
    [Symbol.asyncDispose]: () => gateway.close()
  };
}

/** The upstream's own answer; null where it was not recorded. */
export async function askUpstream({ url, key }: Replay, target: string): Promise<TestAnswer | null> {
  const response = await fetch(url + target, { headers: { authorization: `Bearer ${key}` } });
  const text = await response.text();
  if (response.headers.get("x-replay") === "miss") return null;
  return { status: response.status, headers: response.headers, text, body: JSON.parse(text) };
}

/** The request as the mirror hands it on: a list's parameters as they came, a content's path alone and in NFC. */
export function asHandedOn(target: string): URL {
  const url = new URL(target, "http://upstream");
  if (url.searchParams.get("cursor") === "") url.searchParams.delete("cursor");
  if (!url.pathname.endsWith("/files/content")) return url;
  const path = url.searchParams.get("path") ?? "";
  url.search = new URLSearchParams({ path: path.normalize("NFC") }).toString();
  return url;
}

/** The upstream's answer with what the gateway changes in every one: its own cursors, and links that it does not serve. */
function withOwn(text: string, nextCursor: unknown): string {
  return text
    .replace(/"sourceFileStatusById":"[^"]*"/g, '"sourceFileStatusById":null')
    .replace(/"nextCursor":(?:null|"[^"]*")/, `"nextCursor":${JSON.stringify(nextCursor)}`);
}

/**
 * Fails unless the mirror's answer is the upstream's, as far as it may be.
 * @returns whether the upstream's answer reached the caller: false for what the gateway refused by itself
 */
export function expectMirrored(direct: TestAnswer, mirrored: TestAnswer): boolean {
  const { body: upstream } = direct;
  const { body: own } = mirrored;
  expect(mirrored.status).toBe(direct.status);
  if (upstream.error === undefined) {
    expect(own.nextCursor === null).toBe(upstream.nextCursor === null);
    if (upstream.nextCursor) expect(own.nextCursor).not.toBe(upstream.nextCursor);
    expect(mirrored.text).toBe(withOwn(direct.text, own.nextCursor));
    return true;
  }
  expect(own.error.code).toBe(upstream.error.code);
  expect(mirrored.headers.get("x-request-id")).toBe(own.requestId);
  expect(mirrored.headers.get("retry-after")).toBe(direct.headers.get("retry-after"));
  if (upstream.error.code === "NOT_FOUND") {
    // The gateway's own constant, whatever the upstream said, so that nothing can be told from it.
    expect(own.requestId).not.toBe(upstream.requestId);
    return true;
  }
  expect(own.error.details ?? {}).toMatchObject(upstream.error.details ?? {});
  return own.requestId === upstream.requestId;
}
