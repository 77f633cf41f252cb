/** What is hidden, what does not exist and what is another's answer alike, byte for byte but for the request id. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer, type TestGateway } from "../harness/gateway.ts";
import type { Operation } from "./caller.ts";
import { rpc, SURFACE_NAMES, SURFACES, type SurfaceName } from "./surfaces.ts";

const HANDBOOK = "knowledge-base-11111111-1111-4111-8111-111111111111";
const LEDGER = "knowledge-base-22222222-2222-4222-8222-222222222222";
const STUDIES = "knowledge-base-33333333-3333-4333-8333-333333333333";
const UNKNOWN = "knowledge-base-99999999-9999-4999-8999-999999999999";
const HIDDEN = "pages/hr/pay.md";
const ABSENT = "pages/open/none.md";
const ABSENT_ID = "source-file-00000000-0000-4000-8000-000000000000";

const pages = [
  { path: "pages/open/a.md", content: "shared words" },
  { path: "pages/open/b.md", content: "shared words" },
  { path: HIDDEN, content: "shared words of the pay" }
];
const limits = { requestsPerMinute: 100_000 };
const relations = [{ from: "pages/open/a.md", to: HIDDEN }];

let main: FakeUpstream;
let second: FakeUpstream;
let gateway: TestGateway;
let token: string;

beforeAll(async () => {
  main = await fakeUpstream({
    knowledgeBases: [
      { id: HANDBOOK, pages, relations },
      { id: LEDGER, pages, relations }
    ]
  });
  second = await fakeUpstream({ knowledgeBases: [{ id: STUDIES, pages }] });
  gateway = await startGateway({
    upstreams: { main, second },
    knowledgeBases: {
      handbook: { upstream: "main", id: HANDBOOK },
      ledger: { upstream: "main", id: LEDGER },
      studies: { upstream: "second", id: STUDIES }
    },
    config: { cache: { revisionCheckMs: 0 } },
    tenants: {
      acme: { grants: [{ knowledgeBases: ["handbook"], paths: { deny: ["pages/hr/**"] } }], limits },
      lister: {
        grants: [{ knowledgeBases: ["handbook"], operations: ["list_tree"], paths: { deny: ["pages/hr/**"] } }]
      },
      narrow: { grants: [{ knowledgeBases: ["handbook"], paths: { allow: ["pages/open/**"] } }], limits },
      spotty: { grants: [{ knowledgeBases: ["handbook"], paths: { deny: ["pages/open/b.md"] } }], limits },
      globex: { grants: [{ knowledgeBases: ["ledger"] }, { upstream: "second" }] }
    }
  });
  token = gateway.token("acme");
});

afterAll(async () => {
  await gateway.close();
  await main.close();
  await second.close();
});

/** All that a caller gets, in one text: status, headers but for the date, body; request ids are one's own. */
function whole({ status, headers, text }: TestAnswer): string {
  const told = [...headers].filter(([name]) => name !== "date").map(([name, value]) => `${name}: ${value}`);
  return [status, ...told, "", text].join("\n").replace(/req-[0-9a-f-]{36}/g, "req-…");
}

async function all(asks: readonly (() => Promise<TestAnswer>)[]): Promise<Set<string>> {
  return new Set((await Promise.all(asks.map((ask) => ask()))).map(whole));
}

const files: Operation[] = ["get_file", "read_file", "read_related", "expand_graph"];
const operations: Operation[] = [...files, "list_tree", "search_files"];
const everywhere = SURFACE_NAMES.flatMap((surface) => operations.map((operation) => [surface, operation] as const));
const ofFiles = SURFACE_NAMES.flatMap((surface) => files.map((operation) => [surface, operation] as const));

interface Asked {
  readonly key?: string;
  readonly id?: string;
  readonly args?: Readonly<Record<string, string>>;
  readonly as?: string;
}

async function ask(surface: SurfaceName, operation: Operation, { key, id, args = {}, as }: Asked): Promise<TestAnswer> {
  const question = { operation, key: key ?? HANDBOOK, id: id ?? key ?? HANDBOOK, args };
  return (await SURFACES[surface](gateway, as === undefined ? token : gateway.token(as), question)).answer;
}

describe("invariant 2: a file", () => {
  it.each(ofFiles)("%s %s by id: hidden, absent and another's are alike", async (surface, operation) => {
    const ids = [main.fileId(HIDDEN, HANDBOOK), ABSENT_ID, main.fileId("pages/open/a.md", LEDGER), "made-up"];
    const answers = await all(ids.map((fileId) => () => ask(surface, operation, { args: { fileId } })));
    expect(answers.size).toBe(1);
    const visible = await ask(surface, operation, { args: { fileId: main.fileId("pages/open/a.md", HANDBOOK) } });
    expect([...answers]).not.toContain(whole(visible));
    expect(visible.status).toBe(200);
  });

  it.each(SURFACE_NAMES)(
    "%s by path: hidden, absent and generated are alike, and hidden ones are not asked for",
    async (surface) => {
      main.knowledgeBase(HANDBOOK).publish();
      main.reset();
      await ask(surface, "read_file", { args: { path: HIDDEN } });
      expect(main.countReads()).toBe(0);
      const paths = [HIDDEN, ABSENT, "pages/hr/none.md", "index.md", "_graph/by-file/hr/pay.json", "pages/hr/index.md"];
      const answers = await all(paths.map((path) => () => ask(surface, "read_file", { args: { path } })));
      expect(answers.size).toBe(1);
    }
  );

  it.each(SURFACE_NAMES)(
    "%s: that is too large, or cannot be read, says so only to who may see it",
    async (surface) => {
      main.knowledgeBase(HANDBOOK).publish();
      const refusal = { code: "PAYLOAD_TOO_LARGE", message: "x", httpStatus: 413 };
      const takeBack = main.on("getFileContentById", { status: 413, body: { error: refusal, requestId: "req-1" } });
      const read = (fileId: string) => ask(surface, "read_file", { args: { fileId } });
      const answers = await all([main.fileId(HIDDEN, HANDBOOK), ABSENT_ID].map((fileId) => () => read(fileId)));
      const visible = await read(main.fileId("pages/open/a.md", HANDBOOK));
      takeBack();
      expect(answers.size).toBe(1);
      expect(visible.text).toContain("PAYLOAD_TOO_LARGE");
    }
  );

  it.each([413, 409, 500, 503])(
    "whose detail is answered with %d is hidden, if it is and if it is not",
    async (status) => {
      const code =
        { 413: "PAYLOAD_TOO_LARGE", 409: "CONFLICT", 500: "INTERNAL_ERROR" }[status] ??
        "DATABASE_REPOSITORY_UNAVAILABLE";
      const broken = { status, body: { error: { code, message: "x", httpStatus: status }, requestId: "req-1" } };
      const hidden = await all([() => ask("agent", "get_file", { args: { fileId: ABSENT_ID } })]);
      main.knowledgeBase(HANDBOOK).publish();
      const takeBack = main.on("getFileById", broken);
      const answers = await all(
        ["pages/open/a.md", HIDDEN].map(
          (path) => () => ask("agent", "get_file", { args: { fileId: main.fileId(path, HANDBOOK) } })
        )
      );
      takeBack();
      expect(answers).toEqual(hidden);
    }
  );

  it("as a resource of MCP: hidden, absent, another's and in no knowledge base are alike", async () => {
    const uris = [
      "handbook/pages/hr/pay.md",
      "handbook/pages/open/none.md",
      "ledger/pages/open/a.md",
      "nothing/pages/a.md"
    ];
    for (const path of ["/mcp", "/mcp/handbook"]) {
      const asks = uris.map((uri) => () => rpc(gateway, token, path, "resources/read", { uri: `focowiki://${uri}` }));
      expect((await all(asks)).size).toBe(1);
    }
  });
});

describe("invariant 2: a directory", () => {
  it.each(SURFACE_NAMES)(
    "%s lists a hidden one like one that is not there, and asks nothing for it",
    async (surface) => {
      await ask(surface, "list_tree", {});
      main.reset();
      const paths = ["pages/hr", "pages/hr/none", "pages/HR"];
      const answers = await all(paths.map((parentPath) => () => ask(surface, "list_tree", { args: { parentPath } })));
      expect(answers.size).toBe(1);
      expect(main.countReads()).toBe(0);
      const [absent] = await all([() => ask(surface, "list_tree", { args: { parentPath: "pages/open/none" } })]);
      expect([...answers][0]).toBe(absent);
      main.reset();
      const asNarrow = (parentPath: string) => ask(surface, "list_tree", { args: { parentPath }, as: "narrow" });
      const narrow = await all(paths.map((path) => () => asNarrow(path)));
      expect(main.countReads()).toBe(0);
      expect(await all([() => asNarrow("pages/open/none")])).toEqual(narrow);
    }
  );

  it.each(SURFACE_NAMES)("%s: a hidden file's path is no more of one than a path of nothing", async (surface) => {
    const { revision } = main.knowledgeBase(HANDBOOK).publish();
    const takeBack = main.on("listKnowledgeBaseTree", (request, model) => {
      const isFile = main
        .knowledgeBase(HANDBOOK)
        .files()
        .has(request.query.parentPath ?? "");
      return isFile ? model() : { status: 200, body: { activeContentRevision: revision, items: [], nextCursor: null } };
    });
    const list = (parentPath: string) => ask(surface, "list_tree", { args: { parentPath }, as: "spotty" });
    const answers = await all(["pages/open/b.md", "pages/open/none.md"].map((path) => () => list(path)));
    const visible = await list("pages/open/a.md");
    takeBack();
    expect(answers.size).toBe(1);
    expect(visible.text).toContain("VALIDATION_ERROR");
  });
});

describe("invariant 2: a knowledge base", () => {
  const keys = ["ledger", LEDGER, "studies", STUDIES, UNKNOWN, "nothing", "HANDBOOK"];

  it.each(everywhere)(
    "%s %s: another tenant's, of either upstream, is like none, and costs no request",
    async (surface, operation) => {
      main.reset();
      second.reset();
      const args = {
        ...(files.includes(operation) ? { fileId: main.fileId("pages/open/a.md", LEDGER) } : {}),
        ...(operation === "search_files" ? { query: "shared" } : {})
      };
      const answers = await all(keys.map((key) => () => ask(surface, operation, { key, args })));
      expect(answers.size).toBe(1);
      expect([...answers][0]).toMatch(surface === "graphql" ? /"knowledgeBase":null/ : /NOT_FOUND/);
      expect([main.count(), second.count()]).toEqual([0, 0]);
    }
  );

  it("is as absent in its overview, its detail, its tools, its Skill and in MCP's methods", async () => {
    main.reset();
    second.reset();
    const places: ((key: string) => Promise<TestAnswer>)[] = [
      (key) => gateway.get(`/openapi/v2/knowledge-bases/${key}`, { token }),
      (key) => gateway.get(`/openapi/v2/knowledge-bases/${key}/graph/overview`, { token }),
      (key) => gateway.get(`/agent/${key}/graph/overview`, { token }),
      (key) => gateway.get(`/agent/${key}/tools`, { token }),
      (key) => gateway.get(`/agent/${key}/skill.zip`, { token }),
      (key) => rpc(gateway, token, `/mcp/${key}`, "initialize", {}),
      (key) => rpc(gateway, token, `/mcp/${key}`, "tools/list"),
      (key) => rpc(gateway, token, `/mcp/${key}`, "resources/list"),
      (key) => rpc(gateway, token, `/mcp/${key}`, "prompts/get", { name: "explore_knowledge" }),
      (key) =>
        rpc(gateway, token, "/mcp", "prompts/get", { name: "explore_knowledge", arguments: { knowledgeBase: key } }),
      (key) =>
        gateway.graphql(
          "query ($key: String!) { knowledgeBase(key: $key) { name graphOverview { availability } } }",
          { key },
          { token }
        )
    ];
    for (const place of places) expect((await all(keys.map((key) => () => place(key)))).size).toBe(1);
    expect([main.count(), second.count()]).toEqual([0, 0]);
  });
});

describe("invariant 2: one id in two upstreams", () => {
  it("means to each tenant the one that it is granted", async () => {
    const both = { id: HANDBOOK, pages: [{ path: "pages/own.md", content: "of the second" }] };
    await using other = await fakeUpstream({ knowledgeBases: [both] });
    await using at = await startGateway({
      upstreams: { main, other },
      knowledgeBases: { here: { upstream: "main", id: HANDBOOK }, there: { upstream: "other", id: HANDBOOK } },
      tenants: {
        first: { grants: [{ knowledgeBases: ["here"] }] },
        second: { grants: [{ knowledgeBases: ["there"] }] }
      }
    });
    const paths = async (tenant: string, key: string) => {
      const { body } = await at.get(`/agent/${key}/tree?parentPath=pages`, { token: at.token(tenant) });
      return body.error?.code ?? body.items.map(({ path }: { path: string }) => path);
    };
    for (const key of ["there", HANDBOOK]) expect(await paths("second", key)).toContain("pages/own.md");
    for (const key of ["here", HANDBOOK]) expect(await paths("first", key)).toContain("pages/hr");
    expect([await paths("first", "there"), await paths("second", "here")]).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  });
});

describe("invariant 2: an MCP endpoint of one knowledge base", () => {
  it("has no resources of another, also where the caller is granted it", async () => {
    const as = gateway.token("globex");
    const read = (path: string, uri: string) => rpc(gateway, as, path, "resources/read", { uri });
    expect((await read("/mcp", "focowiki://studies/pages/open/a.md")).body.result.contents).toHaveLength(1);
    const answers = await all(
      ["studies/pages/open/a.md", "nothing/pages/open/a.md", "ledger/pages/none.md"].map(
        (uri) => () => read("/mcp/ledger", `focowiki://${uri}`)
      )
    );
    expect(answers.size).toBe(1);
  });
});

describe("invariant 2: a node id", () => {
  const idOf = (...parts: string[]) => Buffer.from(JSON.stringify(parts)).toString("base64url");
  const node = (id: string) =>
    gateway.graphql(
      "query ($id: ID!) { node(id: $id) { id ... on File { path content } ... on Directory { path children { edges { node { path } } } } } }",
      { id },
      { token }
    );

  it("of what is hidden, absent or another's is null, and of what is visible is not", async () => {
    const ids = [
      idOf("File", "handbook", main.fileId(HIDDEN, HANDBOOK)),
      idOf("File", HANDBOOK, main.fileId(HIDDEN, HANDBOOK)),
      idOf("File", "handbook", ABSENT_ID),
      idOf("File", "ledger", main.fileId("pages/open/a.md", LEDGER)),
      idOf("File", "nothing", ABSENT_ID),
      idOf("Directory", "handbook", "pages/hr"),
      idOf("Directory", "handbook", "pages/none"),
      idOf("Directory", "handbook", "pages/open/none"),
      idOf("Directory", "ledger", "pages/open"),
      idOf("KnowledgeBase", "ledger"),
      idOf("KnowledgeBase", STUDIES),
      idOf("KnowledgeBase", UNKNOWN)
    ];
    expect([...(await all(ids.map((id) => () => node(id))))]).toEqual([
      expect.stringMatching(/\n\{"data":\{"node":null\}\}$/)
    ]);
    const entities = ids.slice(0, 5).map((id) => () => {
      const query =
        "query ($representations: [_Any!]!) { _entities(representations: $representations) { __typename } }";
      return gateway.graphql(query, { representations: [{ __typename: "File", id }] }, { token });
    });
    expect([...(await all(entities))]).toEqual([expect.stringMatching(/\n\{"data":\{"_entities":\[null\]\}\}$/)]);
    const visible = await node(idOf("Directory", "handbook", "pages/open"));
    expect(visible.body.data.node.children.edges).toHaveLength(2);
  });
});

describe("invariant 5: a cursor", () => {
  it.each(SURFACE_NAMES)(
    "%s: of another tenant, knowledge base or question, or made up, is refused alike",
    async (surface) => {
      const cursorOf = async (as: string, key: string, id: string) => {
        const question = { operation: "search_files" as const, key, id, args: { query: "shared" }, limit: 1 };
        const { cursor } = await SURFACES[surface](gateway, gateway.token(as), question);
        return cursor ?? "";
      };
      const question = {
        operation: "search_files" as const,
        key: "handbook",
        id: HANDBOOK,
        args: { query: "shared" },
        limit: 1
      };
      const other = await SURFACES[surface](gateway, token, { ...question, args: { query: "words" } });
      const cursors = [
        await cursorOf("globex", "ledger", LEDGER),
        await cursorOf("globex", "studies", STUDIES),
        other.cursor ?? "",
        "AAAA".repeat(40),
        "junk"
      ];
      expect(cursors.every((cursor) => cursor.length > 0)).toBe(true);
      const answers = await all(
        cursors.map((cursor) => async () => (await SURFACES[surface](gateway, token, question, cursor)).answer)
      );
      expect(answers.size).toBe(1);
      expect([...answers][0]).toMatch(/VALIDATION_ERROR/);
      const own = await cursorOf("acme", "handbook", HANDBOOK);
      expect((await SURFACES[surface](gateway, token, question, own)).code).toBeNull();
    }
  );

  it("of the same question is another tenant's, and another knowledge base's, all the same", async () => {
    const question = { operation: "search_files" as const, args: { query: "shared" }, limit: 1 };
    const ask = (as: string, slug: string, id: string, cursor?: string) =>
      SURFACES.mirror(gateway, gateway.token(as), { ...question, key: slug, id }, cursor);
    const spotty = await ask("spotty", "handbook", HANDBOOK);
    const ledger = await ask("globex", "ledger", LEDGER);
    expect([spotty.code, ledger.code]).toEqual([null, null]);
    // Not opened at all: one that is opened and then found to be old would say so.
    const refused = { field: "cursor", reason: "INVALID", restart: true };
    const taken = await ask("acme", "handbook", HANDBOOK, spotty.cursor ?? "");
    const moved = await ask("globex", "studies", STUDIES, ledger.cursor ?? "");
    for (const { answer } of [taken, moved]) expect(answer.body.error.details).toEqual(refused);
    expect((await ask("globex", "ledger", LEDGER, ledger.cursor ?? "")).code).toBeNull();
  });
});

describe("an operation that is not granted", () => {
  const lacking = ofFiles.concat(SURFACE_NAMES.map((surface) => [surface, "search_files"] as const));

  it.each(lacking)(
    "%s %s: is FORBIDDEN for what is visible, hidden and absent alike, and asks nothing",
    async (surface, operation) => {
      main.reset();
      const fileIds = [main.fileId("pages/open/a.md", HANDBOOK), main.fileId(HIDDEN, HANDBOOK), ABSENT_ID];
      const asks = fileIds.map((fileId) => () => {
        const args = operation === "search_files" ? { query: "shared" } : { fileId };
        return ask(surface, operation, { args, as: "lister" });
      });
      const answers = await all(asks);
      expect(answers.size).toBe(1);
      expect([...answers][0]).toContain("FORBIDDEN");
      expect(main.countReads()).toBe(0);
    }
  );
});
