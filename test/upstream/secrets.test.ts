import { inspect } from "node:util";
import { expect, test } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { clientOf } from "../harness/fake-client.ts";
import { type FakeAnswer, fakeUpstream, refusal } from "../harness/fake-upstream.ts";

const URL_MARKER = "marker-in-the-url";
const KEY_MARKER = "marker-in-the-key";
const BODY_MARKER = "marker-in-the-body";
const BODY_MARKER_FIELD = "markerInTheBody: 12";

const ANSWERS: [string, FakeAnswer][] = [
  ...(["reset", "reset-in-body", "hang", "drip", "wrong-length", "cut-json", "empty"] as const).map(
    (fault): [string, FakeAnswer] => [fault, { fault, marker: BODY_MARKER, everyMs: 5 }]
  ),
  ...[200, 302, 401, 404, 429, 500, 502, 503, 504].map((status): [string, FakeAnswer] => [
    `html ${status}`,
    { fault: "html", status, marker: BODY_MARKER }
  ]),
  ["redirect", { fault: "redirect", location: `http://${BODY_MARKER}.example/` }],
  ["JSON of another shape", { body: { [BODY_MARKER]: BODY_MARKER, [BODY_MARKER_FIELD]: { a: BODY_MARKER } } }],
  ["a list of numbers", { raw: `[1, "${BODY_MARKER}", ` }],
  ["an odd encoding", { body: {}, headers: { "content-encoding": BODY_MARKER } }],
  ["an odd content type", { body: {}, headers: { "content-type": `text/${BODY_MARKER}` } }],
  ...[400, 403, 409, 413, 422, 429, 500, 503].map((status): [string, FakeAnswer] => [
    `a refusal ${status} full of it`,
    {
      ...refusal(status, `CODE_${BODY_MARKER}`, `${BODY_MARKER} Bearer ${KEY_MARKER}`, {
        field: `<${BODY_MARKER}>`,
        code: BODY_MARKER,
        allowedValues: [`/${BODY_MARKER}`],
        retryHint: BODY_MARKER,
        retryGuidance: `http://${BODY_MARKER}`,
        stack: BODY_MARKER
      }),
      headers: { "x-request-id": `http://${BODY_MARKER}`, "retry-after": BODY_MARKER }
    }
  ]),
  ["known codes with other text", refusal(503, "SEARCH_UNAVAILABLE", BODY_MARKER, { note: BODY_MARKER })],
  ["a parser's error", { body: {}, headers: { "transfer-encoding": "chunked", "content-length": "5" } }]
];

test.each(ANSWERS)("invariant 4: nothing of URL, key or body is in the error of %s", async (_, answer) => {
  await using upstream = await fakeUpstream({ prefix: `/${URL_MARKER}`, key: KEY_MARKER });
  await using client = clientOf(upstream, { timeoutMs: 200 });
  upstream.on("getFileById", answer);
  const ids = { knowledgeBaseId: "kb", fileId: "file" };
  const error: unknown = await client.read("getFileById", { ids }).then(
    () => expect.unreachable(),
    (thrown) => thrown
  );
  expect(error).toBeInstanceOf(GatewayError);
  assertClean(error, upstream.url);
});

test("invariant 4: nor in the error of an upstream that is away", async () => {
  const upstream = await fakeUpstream();
  await upstream.close();
  for (const url of [upstream.url, `http://${URL_MARKER}.invalid`, `https://${new URL(upstream.url).host}`]) {
    await using client = clientOf({ url: `${url}/${URL_MARKER}`, key: KEY_MARKER });
    assertClean(await client.read("getVersion", {}).catch((thrown) => thrown), url);
  }
});

test("invariant 4: nor where the key itself cannot be sent", async () => {
  await using upstream = await fakeUpstream();
  await using client = clientOf({ url: upstream.url, key: `${KEY_MARKER}\r\nx: y` });
  assertClean(await client.read("getVersion", {}).catch((thrown) => thrown), upstream.url);
});

/** Looks through everything that a log could print of an error: message, stack, members, and the chain of causes. */
function assertClean(error: unknown, url: string): void {
  const printed = `${inspect(error, { depth: 20, showHidden: true })} ${JSON.stringify(error)}`;
  expect(printed).toContain("GatewayError");
  for (const marker of [URL_MARKER, KEY_MARKER, BODY_MARKER, "markerInTheBody", new URL(url).host]) {
    expect(printed).not.toContain(marker);
  }
}
