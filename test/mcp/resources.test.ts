/** Knowledge files as MCP resources. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { UriTemplate } from "@modelcontextprotocol/sdk/shared/uriTemplate.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { GatewayConfigInput } from "../../src/config/schema.ts";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { type McpOver, mcpOver } from "./listening.ts";

const [HANDBOOK, WIKI] = [
  "knowledge-base-00000000-0000-4000-8000-000000000001",
  "knowledge-base-00000000-0000-4000-8000-000000000002"
];
const ODD = "pages/[draft] (v1)/100% 缓存?.md";
const MANY = Array.from({ length: 120 }, (_, index) => `pages/many/${String(index).padStart(3, "0")}.md`);
const DEEP = [
  "pages/a/b/c/d/e/f/deep.md",
  "pages/z/last.md",
  ...Array.from({ length: 12 }, (_, n) => `pages/dirs/${n}/x.md`)
];
const SECRET = ["pages/secret/plan.md", "pages/many/secret.md"];

let fake: FakeUpstream;
let mcp: McpOver;

const tenants: NonNullable<GatewayConfigInput["tenants"]> = {
  all: { grants: [{ knowledgeBases: ["handbook", "wiki"] }] },
  public: {
    grants: [
      { knowledgeBases: ["handbook"], paths: { allow: ["pages/**"], deny: ["pages/**/secret*", "pages/secret/**"] } }
    ]
  },
  blind: { grants: [{ knowledgeBases: ["handbook"], operations: ["search_files"] }] },
  frugal: { grants: [{ knowledgeBases: ["handbook"] }], limits: { upstreamCallsPerRequest: 4, mcpContentBytes: 40 } }
};

beforeAll(async () => {
  const pages = [ODD, ...MANY, ...DEEP, ...SECRET].map((path) => ({ path }));
  fake = await fakeUpstream({
    knowledgeBases: [
      { id: HANDBOOK, pages: [...pages, { path: "pages/long.md", content: `${"x".repeat(60)}end` }] },
      { id: WIKI, pages: [{ path: "pages/wiki.md" }] }
    ]
  });
  const knowledgeBases = { handbook: { upstream: "main", id: HANDBOOK }, wiki: { upstream: "main", id: WIKI } };
  mcp = await mcpOver(fake, { knowledgeBases, tenants });
});
afterAll(async () => {
  expect(mcp.unexpected).toEqual([]);
  await mcp[Symbol.asyncDispose]();
  await fake.close();
});

/** Every URI of every page, and how many pages it took. */
async function walk(client: Client): Promise<{ uris: string[]; pages: number }> {
  const uris: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined, more = true; more; ) {
    const page = await client.listResources(cursor === undefined ? {} : { cursor });
    uris.push(...page.resources.map((resource) => resource.uri));
    cursor = page.nextCursor;
    more = cursor !== undefined;
    pages += 1;
  }
  return { uris, pages };
}

const uriOf = (path: string, key = "handbook") =>
  `focowiki://${key}/${path.split("/").map(encodeURIComponent).join("/")}`;

describe("resources/list", () => {
  it("names each file once over all pages, generated ones included", async () => {
    const { uris, pages } = await walk(await mcp.client("/mcp/handbook", "all"));
    expect(pages).toBeGreaterThan(2);
    expect(new Set(uris).size).toBe(uris.length);
    for (const path of [ODD, ...MANY, ...DEEP, ...SECRET, "index.md"]) expect(uris).toContain(uriOf(path));
  });

  it("goes on from knowledge base to knowledge base at /mcp", async () => {
    const { uris } = await walk(await mcp.client("/mcp", "all"));
    expect(uris).toContain(uriOf("pages/wiki.md", "wiki"));
    expect(uris).toContain(uriOf(ODD));
    expect(new Set(uris).size).toBe(uris.length);
  });

  it("invariant 2: names nothing that the caller may not see, in URIs or cursors", async () => {
    const client = await mcp.client("/mcp/handbook", "public");
    let read = "";
    for (let cursor: string | undefined, more = true; more; ) {
      const page = await client.listResources(cursor === undefined ? {} : { cursor });
      cursor = page.nextCursor;
      more = cursor !== undefined;
      read += JSON.stringify(page) + Buffer.from(cursor ?? "", "base64url").toString("latin1");
    }
    expect(read).toContain(uriOf("pages/many/119.md"));
    expect(read).not.toMatch(/secret|plan|index\.md/);
  });

  it("invariant 10: stops where a request's upstream calls are spent, and goes on in the next", async () => {
    const { uris } = await walk(await mcp.client("/mcp/handbook", "frugal"));
    for (const path of [ODD, ...MANY, ...DEEP]) expect(uris).toContain(uriOf(path));
  });

  it("needs list_tree", async () => {
    const client = await mcp.client("/mcp/handbook", "blind");
    await expect(client.listResources()).rejects.toMatchObject({ data: { code: "FORBIDDEN", httpStatus: 403 } });
  });

  it.each(["null", "AAAA", "x".repeat(5_000)])(
    "invariant 5: refuses a foreign cursor, and says to start again (%#)",
    async (cursor) => {
      const client = await mcp.client("/mcp/handbook", "all");
      await expect(client.listResources({ cursor })).rejects.toMatchObject({
        code: -32602,
        data: { code: "VALIDATION_ERROR", details: { field: "cursor", restart: true } }
      });
    }
  );

  it("invariant 5: gives no data for a cursor with any byte changed, or another tenant's", async () => {
    const client = await mcp.client("/mcp/handbook", "all");
    const { nextCursor = "" } = await client.listResources();
    const other = await mcp.client("/mcp/handbook", "public");
    await expect(other.listResources({ cursor: nextCursor })).rejects.toMatchObject({ code: -32602 });
    const sealed = /"after":"([^"]+)"/.exec(Buffer.from(nextCursor, "base64url").toString())?.[1] ?? "";
    expect(sealed.length).toBeGreaterThan(100);
    const flipped = sealed.replace(/.$/, (last) => (last === "A" ? "B" : "A"));
    const cursor = Buffer.from(Buffer.from(nextCursor, "base64url").toString().replace(sealed, flipped)).toString(
      "base64url"
    );
    const walked = await walkFrom(client, cursor);
    expect(walked).toMatchObject({ data: { code: "VALIDATION_ERROR" } });
  });

  it("invariant 6: a walk that a publication overtakes ends in the cursor error", async () => {
    await using moving = await fakeUpstream({
      knowledgeBases: [{ id: HANDBOOK, pages: MANY.map((path) => ({ path })) }]
    });
    await using over = await mcpOver(moving, { revisionCheckMs: 0 });
    const client = await over.client(`/mcp/${HANDBOOK}`);
    const { nextCursor = "" } = await client.listResources();
    moving.knowledgeBase().publish();
    const error = await walkFrom(client, nextCursor);
    expect(error).toMatchObject({ data: { details: { reason: "REVISION_CHANGED", restart: true } } });
  });
});

/** Follows cursors to the end, or to the error. */
async function walkFrom(client: Client, start: string): Promise<unknown> {
  try {
    for (let cursor: string | undefined = start; cursor !== undefined; ) {
      cursor = (await client.listResources({ cursor })).nextCursor;
    }
    return null;
  } catch (error) {
    return error;
  }
}

describe("resources/read", () => {
  it("reads what the list names, whatever its name", async () => {
    const client = await mcp.client("/mcp", "all");
    expect(await client.readResource({ uri: uriOf(ODD) })).toEqual({
      contents: [{ uri: uriOf(ODD), mimeType: "text/markdown", text: expect.stringContaining("缓存") }]
    });
    const json = await client.readResource({ uri: uriOf("_index/catalog.json") });
    expect(json.contents[0]).toMatchObject({ mimeType: "application/json" });
  });

  it("reads the template as clients expand it", async () => {
    const client = await mcp.client("/mcp", "all");
    const { resourceTemplates } = await client.listResourceTemplates();
    const [template] = resourceTemplates;
    expect(template?.uriTemplate).toBe("focowiki://{kb}/{path}");
    const uri = new UriTemplate(template?.uriTemplate ?? "").expand({ kb: "handbook", path: ODD });
    expect((await client.readResource({ uri })).contents).toMatchObject([
      { uri, text: expect.stringContaining("缓存") }
    ]);
    const bound = await (await mcp.client("/mcp/handbook", "all")).listResourceTemplates();
    expect(bound.resourceTemplates[0]?.uriTemplate).toBe("focowiki://handbook/{path}");
  });

  it("invariant 2: hidden, absent and not granted are one answer", async () => {
    const uris = [
      uriOf("pages/secret/plan.md"),
      uriOf("pages/nowhere.md"),
      uriOf("index.md"),
      uriOf("pages/wiki.md", "wiki"),
      uriOf("pages/wiki.md", WIKI),
      uriOf("a.md", "random")
    ];
    for (const path of ["/mcp", "/mcp/handbook"]) {
      const client = await mcp.client(path, "public");
      const errors = await Promise.all(
        uris.map((uri) => client.readResource({ uri }).catch((error: unknown) => error))
      );
      for (const error of errors) expect(error).toEqual(errors[0]);
      expect(errors[0]).toMatchObject({ code: -32002, data: { code: "NOT_FOUND" } });
    }
  });

  it("at /mcp/{kb} reads that knowledge base only, under its slug or id", async () => {
    const client = await mcp.client("/mcp/handbook", "all");
    expect((await client.readResource({ uri: uriOf("index.md", HANDBOOK) })).contents).toHaveLength(1);
    await expect(client.readResource({ uri: uriOf("pages/wiki.md", "wiki") })).rejects.toMatchObject({ code: -32002 });
  });

  it.each([
    "",
    "pages/one.md",
    "https://example.com/x",
    "focowiki://handbook",
    "focowiki://handbook/",
    "focowiki://handbook/%zz",
    "focowiki://handbook/a#b",
    "focowiki://handbook/a?b"
  ])("refuses %j as a URI, naming it", async (uri) => {
    const client = await mcp.client("/mcp", "all");
    await expect(client.readResource({ uri })).rejects.toMatchObject({
      code: -32602,
      data: { details: { field: "uri" } }
    });
  });

  it.each(["pages/../secret.md", "pages/./a.md", "/pages/a.md", "pages//a.md", "pages\\a.md", "pages/%2e%2e/a.md"])(
    "invariant 9: %j moves to no other file",
    async (path) => {
      const client = await mcp.client("/mcp", "all");
      fake.reset();
      await expect(
        client.readResource({ uri: `focowiki://handbook/${encodeURIComponent(path)}` })
      ).rejects.toMatchObject({
        data: { code: expect.stringMatching(/^(?:VALIDATION_ERROR|NOT_FOUND)$/) }
      });
    }
  );

  it("comes in parts past the tenant's limit, each naming the next", async () => {
    const client = await mcp.client("/mcp", "frugal");
    let [uri, read] = [uriOf("pages/long.md"), ""];
    for (let more = true; more; ) {
      const { contents } = (await client.readResource({ uri })) as { contents: { uri: string; text: string }[] };
      read += contents[0]?.text;
      more = contents.length > 1;
      uri = contents[1]?.uri ?? "";
      if (more) expect(contents[1]?.text).toContain(uri);
    }
    expect(read).toBe(`${"x".repeat(60)}end`);
  });
});
