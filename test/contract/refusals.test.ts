/**
 * Every refusal that was recorded of a real upstream, asked of the embedded one: the same status, code and details.
 * Ids of the recordings stand for their counterparts in the sample.
 */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { EmbeddedUpstream } from "../../src/embedded/embedded.ts";
import {
  loadRecordings,
  RECORDED_KNOWLEDGE_BASE,
  RECORDINGS_ABSENT,
  type Recording,
  recordingsFolder
} from "../harness/recordings.ts";
import { startEmbeddedSample } from "./sample.ts";
import { discoverWorld, type World } from "./world.ts";

/** States of a service that an embedded one does not get into, and uploads, which it does not take. */
const OTHER_STATES = /^(?:outage|replace|delete|stale|rate-limit|content-limit)\./;

/** Refused here as well, in another way, and why. */
const DIFFERENT: Readonly<Record<string, string>> = {
  "knowledge-bases.detail-nul-id": "a NUL in an id is an id that does not exist, and no fault of the server",
  "route.kb-alias": "the address of a web console, which is no part of this",
  "route.kb-alias-no-auth": "the address of a web console, which is no part of this",
  "auth.revoked-key": "there is one key, which is never revoked: asked with an unknown one",
  "auth.bearer-unknown-key": "recorded without the key: asked with an unknown one",
  "auth.bearer-trailing-junk": "recorded without the junk: asked with some"
};

const refusals = loadRecordings().filter(
  ({ name, folder, response }) => folder === "recordings" && response.status >= 400 && !OTHER_STATES.test(name)
);

const absent = recordingsFolder() === null;
const title = "recorded refusals, asked of the embedded upstream";

describe.skipIf(absent)(absent ? `${title}: ${RECORDINGS_ABSENT}` : title, () => {
  let upstream: EmbeddedUpstream;
  let world: World;

  beforeAll(async () => {
    upstream = await startEmbeddedSample();
    world = await discoverWorld("embedded", upstream.url, upstream.apiKey);
  });
  afterAll(() => upstream?.close());

  const same = refusals.filter(({ name }) => DIFFERENT[name] === undefined);
  test.for(same)("$name", async ({ request, response }) => {
    const reply = await repeat(request);
    const recorded = response.body as { error: { code: string; details?: unknown } };
    expect([reply.status, reply.body.error?.code, reply.body.error?.details]).toEqual([
      response.status,
      recorded.error.code,
      recorded.error.details
    ]);
    for (const header of ["content-type", "referrer-policy", "x-content-type-options", "x-frame-options"]) {
      expect(reply.headers.get(header), header).toBe(response.headers[header]);
    }
    expect(reply.headers.has("x-request-id")).toBe("x-request-id" in response.headers);
    expect("requestId" in reply.body).toBe("x-request-id" in response.headers);
  });

  test("more than 130 refusals were compared", () => expect(same.length).toBeGreaterThan(130));

  test.for(["Bearer unknown", "Bearer <key> junk", "Bearer", "Basic <key>", "<key>"])(
    "the header `%s` opens nothing",
    async (authorization) => {
      const headers = { authorization: authorization.replace("<key>", world.key) };
      const response = await fetch(`${world.url}/openapi/v2/version`, { headers });
      expect([response.status, (await response.json()).error.code]).toEqual([401, "UNAUTHORIZED"]);
    }
  );

  async function repeat({ method, path, headers }: Recording["request"]) {
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("<api-key>", world.key)])
    );
    const response = await fetch(world.url + counterpart(path), { method, headers: sent });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Recorded cursors stay as they are: here they are of another knowledge base. */
  function counterpart(path: string): string {
    return path
      .replace(RECORDED_KNOWLEDGE_BASE, world.knowledgeBase)
      .replace("knowledge-base-7a142000-196e-487c-85d8-60b90379d7db", world.empty ?? "")
      .replace("knowledge-base-a2234310-8e29-49fd-a4a5-7eb62df36403", other())
      .replace("source-file-027c2d77-1468-4f66-8a68-b7e0a1cf683f", world.seed.id)
      .replace("source-file-943ecc9c-88ed-4a17-8a85-18cf7c46119c", world.page.id)
      .replace("generated-c30345013deb29ca28046a5b282ec642", world.indexId);
  }

  /** Another knowledge base with content. */
  function other(): string {
    const held = upstream.knowledgeBases.find(({ id }) => id !== world.knowledgeBase && id !== world.empty);
    return held?.id ?? "";
  }
});
