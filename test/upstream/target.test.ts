import { expect, test } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import { requestTarget } from "../../src/upstream/target.ts";
import { clientOf } from "../harness/fake-client.ts";
import { fakeUpstream } from "../harness/fake-upstream.ts";

const HOSTILE_IDS = [
  "",
  ".",
  "..",
  "../../other/files/x",
  "%2e%2e",
  "%2E%2E%2Fother",
  "a/b",
  "a\\b",
  "x?limit=1",
  "x#y",
  "a\r\nx-injected: 1",
  "a\u0000b",
  "a\u0085b",
  "a\u2028b",
  "\ud800",
  "x".repeat(5000)
];

test.each(HOSTILE_IDS)("invariant 9: the id %j is refused before anything is sent", async (id) => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  for (const ids of [
    { knowledgeBaseId: id, fileId: "file" },
    { knowledgeBaseId: "kb", fileId: id }
  ]) {
    await expect(client.read("getFileById", { ids })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  }
  expect(upstream.count()).toBe(0);
});

test.each(["content", "search"])("invariant 9: the route word %s is no file id", (fileId) => {
  const ids = { knowledgeBaseId: "kb", fileId };
  expect(() => requestTarget("", "getFileById", { ids })).toThrow(GatewayError);
  expect(() => requestTarget("", "getFileContentById", { ids })).toThrow(GatewayError);
});

test.each(["with space", "缓存", "a+b&c=d;e", "é", "👩‍👩‍👧", "~!*'()"])("the id %j arrives as it is", async (id) => {
  await using upstream = await fakeUpstream();
  await using client = clientOf(upstream);
  await expect(client.read("getFileById", { ids: { knowledgeBaseId: id, fileId: id } })).rejects.toMatchObject({
    code: "NOT_FOUND"
  });
  expect(upstream.requests[0]).toMatchObject({ operation: "getFileById", knowledgeBaseId: id, fileId: id });
});

test.each(["a b", "a+b", "%2e%2e/../x", "pages/a&limit=1#y?z.md", "缓存", "", "a\u0001\r\nb"])(
  "the query value %j arrives as it is",
  async (value) => {
    await using upstream = await fakeUpstream();
    await using client = clientOf(upstream);
    const query = { path: value, other: value };
    await client.read("getFileContentByPath", { ids: { knowledgeBaseId: "kb" }, query }).catch(() => undefined);
    expect(upstream.requests[0]).toMatchObject({ operation: "getFileContentByPath", knowledgeBaseId: "kb", query });
  }
);

test("text that is no Unicode is refused by the parameter's name", () => {
  const ask = () =>
    requestTarget("", "searchGeneratedFiles", { ids: { knowledgeBaseId: "kb" }, query: { query: "a\ud800" } });
  expect(ask).toThrow(
    expect.objectContaining({ code: "VALIDATION_ERROR", details: expect.objectContaining({ field: "query" }) })
  );
});

test.each(["/focowiki", "/a/b/", "/"])("a base URL may end in the path %s", async (suffix) => {
  await using upstream = await fakeUpstream({ prefix: suffix.replace(/\/+$/, "") });
  const origin = new URL(upstream.url).origin;
  await using client = clientOf({ url: `${origin}${suffix}`, key: upstream.key });
  const { body } = await client.read("getHealth", {});
  expect([body.status, upstream.requests[0]?.path]).toEqual(["ok", `${suffix.replace(/\/+$/, "")}/openapi/v2/health`]);
});
