/**
 * Hostile paths: names of a hidden page that a careless reader takes for another's, through every surface, against an
 * upstream that is careful and one that resolves whatever it is asked.
 */
import { posix } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeUpstream, fakeUpstream, type KnowledgeBaseModel } from "../harness/fake-upstream.ts";
import { startGateway, type TestAnswer, type TestGateway } from "../harness/gateway.ts";
import type { Operation } from "./caller.ts";
import { NESTED_TREE, NODES } from "./graphql-questions.ts";
import { marksIn } from "./marks.ts";
import { scan } from "./scan.ts";
import { rpc, SURFACE_NAMES, SURFACES } from "./surfaces.ts";

const ID = "knowledge-base-11111111-1111-4111-8111-111111111111";
/** Every name and text of what is hidden holds this mark. */
const SECRET = "mkc0666z";
const HIDDEN = [
  `pages/secret/plan-${SECRET}.md`,
  `pages/secret/.${SECRET}.md`,
  `pages/secret/.git/config-${SECRET}.md`,
  `pages/secret/[draft] (v1) ${SECRET}.md`,
  `pages/secret/{a,b} ${SECRET}.md`,
  `pages/secret/caf\u00e9 ${SECRET}.md`,
  `pages/secret/%2e%2e ${SECRET}.md`,
  `pages/secret/two\u2028lines ${SECRET}.md`,
  `pages/secret/a?b#c ${SECRET}.md`,
  `pages/secret/deep/er-${SECRET}/\u202e${SECRET}.md`,
  `pages/Secret/${SECRET}.md`,
  `pages/SECRET/${SECRET}.md`,
  `pages/open/shut-${SECRET}/x.md`,
  `pages/caf\u00e9-${SECRET}/shut.md`
];
const OPEN = ["pages/open/a.md", "pages/secrets/b.md", "pages/%73ecret/c.md", "pages/open/secret/d.md"];
const PLAN = HIDDEN[0] ?? "";

const pages = [
  ...HIDDEN.map((path) => ({ path, title: `Title ${SECRET}`, content: `shared ${SECRET}`, description: SECRET })),
  ...OPEN.map((path) => ({ path, content: "shared words" }))
];
const relations = OPEN.flatMap((from) => HIDDEN.map((to) => ({ from, to, reason: `because of ${SECRET}` })));

let upstream: FakeUpstream;
let gateway: TestGateway;
let model: KnowledgeBaseModel;

beforeAll(async () => {
  upstream = await fakeUpstream({ knowledgeBases: [{ id: ID, pages, relations }] });
  model = upstream.knowledgeBase();
  const limits = { requestsPerMinute: 100_000, queryComplexity: 1_000_000, directoryProbeCalls: 50 };
  const deny = ["pages/secret/**", "pages/open/shut-*/**", "pages/cafe\u0301-*/**"];
  gateway = await startGateway({
    upstreams: { main: upstream },
    upstreamSettings: { rateLimit: { requests: 1_000_000 } },
    knowledgeBases: { handbook: { upstream: "main", id: ID } },
    // What is published counts at once, so that no test is answered with another's answers.
    config: { cache: { revisionCheckMs: 0 } },
    tenants: {
      plain: { grants: [{ knowledgeBases: ["handbook"], paths: { deny } }], limits },
      // What may be seen is named as widely as it can be.
      wide: {
        grants: [
          {
            knowledgeBases: ["handbook"],
            paths: {
              allow: ["**", "pages/**", "*.md", "index.md", "**/index*", "log.md", "_graph/**", "_index/**"],
              deny
            }
          }
        ],
        limits
      }
    }
  });
});

beforeEach(() => upstream.reset());

afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

/** One of each kind. */
const SURFACES_BY_PATH = ["mirror", "agent", "tool", "graphql", "mcp"] as const;
const TENANTS = ["plain", "wide"] as const;

/** The plan's path, written so that some reader or other arrives at it. */
const WAYS: readonly (readonly [name: string, path: string])[] = [
  ["as it is", PLAN],
  ["in another case", PLAN.replace("secret", "Secret")],
  ["in upper case", PLAN.toUpperCase()],
  ["in NFD", `pages/secret/cafe\u0301 ${SECRET}.md`],
  ["in full-width letters", PLAN.replace("secret", "\uff53ecret")],
  ["with a long s", PLAN.replace("secret", "\u017fecret")],
  ["with two slashes", PLAN.replace("/", "//")],
  ["with a dot segment", PLAN.replace("pages/", "pages/./")],
  ["with a parent segment", PLAN.replace("pages/", "pages/open/../")],
  ["with a parent segment at the start", `../${PLAN}`],
  ["with a parent segment of an open page", `pages/open/a.md/../../secret/plan-${SECRET}.md`],
  ["with a slash at the start", `/${PLAN}`],
  ["with a slash at the end", `${PLAN}/`],
  ["with backslashes", PLAN.replaceAll("/", "\\")],
  ["percent-encoded", PLAN.replace("s/s", "s/%73")],
  ["percent-encoded twice", PLAN.replace("s/s", "s/%2573")],
  ["with an encoded slash", PLAN.replace("s/s", "s%2Fs")],
  ["with a query", `${PLAN}?x=.md`],
  ["with a fragment", `${PLAN}#.md`],
  ["with a semicolon", PLAN.replace("secret", "secret;x=1")],
  ["with a NUL", `${PLAN}\0.md`],
  ["with a newline", PLAN.replace("secret/", "secret\n/")],
  ["with a carriage return", `${PLAN}\r\n`],
  ["with a blank at the end", `${PLAN} `],
  ["with a dot at the end", `${PLAN}.`],
  ["with a zero-width space", PLAN.replace("secret", "sec\u200bret")],
  ["with a byte order mark", `\ufeff${PLAN}`],
  ["with a lone surrogate", PLAN.replace("secret", "secret\ud800")],
  ["as a glob", "pages/secret/*"],
  ["as a file URL", `file:///${PLAN}`],
  ["its graph file", `_graph/by-file/secret/plan-${SECRET}.json`],
  ["its graph file, around a corner", `_graph/by-file/open/../secret/plan-${SECRET}.json`],
  ["its graph directory", "_graph/by-directory/secret/index.json"],
  ["an open page's graph file", "_graph/by-file/open/a.json"],
  ["its index", "_index/pages/secret/index.json"],
  ["the index of all pages", "_index/pages/index.json"],
  ["its navigation", "pages/secret/index.md"],
  ["the navigation above it", "pages/index.md"],
  ["the log", "log.md"],
  ["the list of graph files", "_graph/by-file/index.md"]
];

/** Resolves what it is asked as a careless server would, and answers with the plan's own path. */
function makeCareless(): void {
  const resolve = (asked: string | undefined): string | undefined => {
    if (asked === undefined) return undefined;
    const decoded = asked.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
    const path = posix.normalize(
      `/${decoded
        .normalize("NFKC")
        .replaceAll("\\", "/")
        .replace(/[?#;\0\r\n].*$/s, "")}`
    );
    const wanted = path
      .slice(1)
      .replace(/[\s./\u200b\ufeff]+$/, "")
      .replaceAll("\u200b", "")
      .toLowerCase();
    return [...model.files().keys()].find((known) => known.toLowerCase() === wanted);
  };
  upstream.on("getFileContentByPath", (request, honest) => {
    const path = resolve(request.query.path);
    if (path === undefined) return honest();
    Object.assign(request.query, { path });
    return honest();
  });
  upstream.on("listKnowledgeBaseTree", (request, honest) => {
    const { parentPath } = request.query;
    if (parentPath !== undefined && /secret/i.test(parentPath))
      Object.assign(request.query, { parentPath: "pages/secret" });
    return honest();
  });
}

function expectNothing(answer: TestAnswer, asked: string, ownWords: readonly string[] = []): void {
  expect(answer.status, asked).toBeLessThan(500);
  const found = [...scan(answer.body, []), ...scan(Object.fromEntries(answer.headers), [])]
    .map((finding) => finding.found)
    .filter((one) => one === SECRET && !ownWords.includes(one));
  expect(found, `${asked}: ${answer.text.slice(0, 2000)}`).toEqual([]);
}

describe.each(TENANTS)("invariant 2: to a caller who is denied pages/secret (%s)", { timeout: 60_000 }, (tenant) => {
  const token = () => gateway.token(tenant);
  const question = (operation: Operation, args: Readonly<Record<string, string | number>>) => {
    return { operation, key: "handbook", id: ID, args };
  };

  const manners = tenant === "wide" ? ["careful", "careless"] : ["careless"];
  describe.each(manners)("by path, of a %s upstream", (manner) => {
    beforeEach(() => {
      if (manner === "careless") makeCareless();
    });

    it.each(WAYS)("%s", async (_, path) => {
      const directory = path.slice(0, Math.max(0, path.lastIndexOf("/")));
      for (const surface of SURFACES_BY_PATH) {
        const { answer, code } = await SURFACES[surface](gateway, token(), question("read_file", { path }));
        expectNothing(answer, `${surface} reads ${path}`);
        expect(["NOT_FOUND", "VALIDATION_ERROR", "BAD_USER_INPUT"], answer.text).toContain(code);
        const parentPath = surface === "tool" ? directory : path;
        const listed = await SURFACES[surface](gateway, token(), question("list_tree", { parentPath }));
        expectNothing(listed.answer, `${surface} lists ${parentPath}`);
      }
      const uri = `focowiki://handbook/${/\p{Surrogate}/u.test(path) ? path : path.split("/").map(encodeURIComponent).join("/")}`;
      expectNothing(await rpc(gateway, token(), "/mcp", "resources/read", { uri }), uri);
      const parts = [
        ["Directory", path],
        ["Directory", directory],
        ["File", path]
      ];
      const ids = parts.map(([type, local]) =>
        Buffer.from(JSON.stringify([type, "handbook", local])).toString("base64url")
      );
      expectNothing(await gateway.graphql(NODES, { ids }, { token: token() }), `nodes of ${path}`);
    });
  });

  it.each(HIDDEN)("by id and by search: %s", async (path) => {
    const fileId = model.fileId(path);
    const graphFileId = model.fileId(path.replace(/^pages\//, "_graph/by-file/").replace(/\.md$/, ".json"));
    for (const surface of SURFACES_BY_PATH) {
      for (const operation of ["get_file", "read_file", "read_related", "expand_graph"] as const) {
        for (const id of [fileId, graphFileId]) {
          const { answer, code } = await SURFACES[surface](gateway, token(), question(operation, { fileId: id }));
          expectNothing(answer, `${surface} ${operation} ${path}`);
          expect(code).toBe("NOT_FOUND");
        }
      }
      for (const query of [SECRET, "secret", path.slice(0, 200), `Title ${SECRET}`]) {
        const args = { query, fileKind: "all", graphDepth: 2, graphFanout: 25 };
        const { answer } = await SURFACES[surface](gateway, token(), question("search_files", args));
        expectNothing(withoutQuery(answer), `${surface} searches ${query}`);
      }
    }
  });

  it.each(OPEN)("from a page that is related to all of it: %s", async (path) => {
    const fileId = model.fileId(path);
    for (const surface of SURFACES_BY_PATH) {
      for (const operation of ["get_file", "read_file", "read_related", "expand_graph"] as const) {
        const args = operation === "expand_graph" ? { fileId, depth: 2, fanout: 25 } : { fileId };
        const { answer, code } = await SURFACES[surface](gateway, token(), question(operation, args));
        expectNothing(answer, `${surface} ${operation} ${path}`);
        expect(code).toBeNull();
      }
    }
  });

  it("with graph files of pages that are shown, where a rule names them, and of no other", async () => {
    const own = (path: string) =>
      tenant === "wide" ? [path.replace("pages/", "_graph/by-file/").replace(/\.md$/, ".json")] : [];
    const expansion = question("expand_graph", { fileId: model.fileId("pages/open/a.md"), depth: 2, fanout: 25 });
    const { answer } = await SURFACES.mirror(gateway, token(), expansion);
    // Other open pages are two relations away, through what is hidden.
    expect([answer.body.relationships, answer.body.graphPaths]).toEqual([[], own("pages/open/a.md")]);
    const searched = question("search_files", { query: "words", graphDepth: 2, graphFanout: 25 });
    const { items } = (await SURFACES.mirror(gateway, token(), searched)).answer.body;
    expect(items).toHaveLength(OPEN.length);
    for (const { path, graphContext } of items) {
      expect([path, graphContext.graphPaths, graphContext.relationships]).toEqual([path, own(path), []]);
      expect(graphContext.graphRef).toBe(own(path)[0] ?? null);
    }
  });

  it("in no listing, count, overview or tree", async () => {
    for (const parentPath of [
      "",
      "pages",
      "_graph",
      "_graph/by-file",
      "_graph/by-directory",
      "_index",
      "_index/pages"
    ]) {
      for (const surface of SURFACE_NAMES) {
        const args: Record<string, string> = parentPath === "" ? {} : { parentPath };
        const { answer } = await SURFACES[surface](gateway, token(), question("list_tree", args));
        expectNothing(answer, `${surface} lists ${parentPath}`);
        expect(marksIn(answer.text)).toEqual(marksIn(answer.text).filter((mark) => mark !== SECRET));
        const counts = answer.text.matchAll(/"(?:direct|descendant)\w+Count":(\w+)/g);
        for (const [, count] of counts) expect(["null", "0"]).toContain(count);
      }
    }
    const tree = await gateway.graphql(NESTED_TREE, { key: "handbook", parentPath: "" }, { token: token() });
    expectNothing(tree, "a nested tree");
    const base = `/openapi/v2/knowledge-bases/${ID}`;
    const named = tenant === "wide";
    expect(tree.body.data.knowledgeBase.graphOverview).toEqual({
      availability: null,
      summary: { readableFileCount: null, relationshipCount: null },
      resources: { graphIndexPath: named ? "_graph/index.md" : null, byDirectoryPath: null, byFilePath: null },
      readActions: {
        graphIndexContent: named ? `${base}/files/content?path=_graph%2Findex.md` : null,
        listGraphRoot: named ? `${base}/tree?parentPath=_graph` : null,
        listRelationshipsByDirectory: null,
        listRelationshipsByFile: null
      }
    });
  });
});

/** Writes the two hidden directories, and what is in them, in another way. */
function inPaths(secret: string, shut: string): (text: string) => string {
  return (text) => text.replaceAll("pages/secret", secret).replaceAll("pages/open/shut", shut);
}

/** How an upstream of another make, or of another release, might write what it answers. */
const MANNERS: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ["two slashes in paths", inPaths("pages//secret", "pages/open//shut")],
  ["dot segments in paths", inPaths("pages/./secret", "pages/open/./shut")],
  ["parent segments in paths", inPaths("pages/open/../secret", "pages/open/a/../shut")],
  ["slashes at the start of paths", inPaths("/pages/secret", "/pages/open/shut")],
  ["backslashes in paths", inPaths("pages\\\\secret", "pages\\\\open\\\\shut")],
  ["directories in upper case", inPaths("pages/SECRET", "pages/OPEN/SHUT")],
  ["paths in NFD", (text) => text.normalize("NFD")],
  ["no ids of uploads", (text) => text.replace(/"sourceFileId":(?:null|"[^"]*"),/g, "")]
];

describe.each(MANNERS)("invariant 2: of an upstream that writes %s", { timeout: 60_000 }, (_, write) => {
  beforeEach(() => {
    model.publish();
    upstream.on(
      (request) => request.operation !== "getKnowledgeBase",
      (_request, honest) => {
        const answer = honest();
        return { ...answer, body: JSON.parse(write(JSON.stringify(answer.body))) };
      }
    );
  });

  it.each(TENANTS)("%s is shown nothing that is hidden", async (tenant) => {
    const token = gateway.token(tenant);
    const hidden = [
      ...HIDDEN.slice(0, 4),
      `_graph/by-file/secret/plan-${SECRET}.json`,
      "_index/pages/secret/index.json"
    ];
    const ids = hidden.map((path) => model.fileId(path));
    const asked: (readonly [Operation, Readonly<Record<string, string>>])[] = [
      ["list_tree", { parentPath: "pages" }],
      ["list_tree", { parentPath: "pages/open" }],
      ["list_tree", { parentPath: "pages/secret" }],
      ["list_tree", { parentPath: "_graph/by-file" }],
      ["search_files", { query: "shared", fileKind: "all" }],
      ["read_related", { fileId: model.fileId("pages/open/a.md") }],
      ["expand_graph", { fileId: model.fileId("pages/open/a.md") }],
      ["read_file", { path: PLAN }],
      ["read_file", { path: "log.md" }],
      ["read_file", { fileId: model.fileId("log.md") }],
      ...ids.flatMap((fileId) =>
        (["get_file", "read_file", "read_related"] as const).map((operation) => [operation, { fileId }] as const)
      )
    ];
    for (const surface of ["mirror", "graphql"] as const) {
      for (const [operation, args] of asked) {
        const { answer } = await SURFACES[surface](gateway, token, { operation, key: "handbook", id: ID, args });
        expectNothing(answer, `${surface} ${operation} ${JSON.stringify(args)}`);
      }
    }
  });
});

/** Texts of generated files that the wide rules name, and whether they tell of what is hidden. */
const TEXTS: readonly (readonly [name: string, path: string, text: string, shown: boolean])[] = [
  ["names of visible pages", "_graph/by-file/open/a.json", '{"to":["pages/open/a.md","pages/secrets/b.md"]}', true],
  ["the path of a hidden page", "_graph/by-file/open/a.json", `{"to":["${PLAN}"]}`, false],
  ["a hidden directory", "_graph/by-file/open/a.json", '{"scopePath":"pages/secret"}', false],
  [
    "the graph of a hidden directory",
    "_graph/by-file/open/a.json",
    '{"up":"_graph/by-directory/secret/index.json"}',
    false
  ],
  [
    "a key of joined paths",
    "_graph/by-file/open/a.json",
    `{"key":"pages/open/a.md\\u0000${PLAN}\\u0000related"}`,
    false
  ],
  ["JSON that is cut", "_graph/by-file/open/a.json", '{"to":["pages/open/a.md"', false],
  ["links to what is beside it", "pages/secrets/index.md", "- [b](b.md)\n- [up](../index.md)", true],
  ["a link from the root", "pages/secrets/index.md", `- [plan](/${PLAN})`, false],
  ["a link around a corner", "pages/secrets/index.md", "- [plan](../open/../s%65cret/plan.md)", false],
  ["a link that cannot be read", "pages/secrets/index.md", "- [plan](%ff)", false]
];

describe("invariant 2: a generated file that a rule names", () => {
  it.each(TEXTS)("with %s", async (_, path, text, shown) => {
    model.publish();
    for (const operation of ["getFileContentByPath", "getFileContentById"] as const) {
      upstream.on(operation, (_request, honest) => {
        const answer = honest();
        return { ...answer, body: { ...(answer.body as object), content: text } };
      });
    }
    for (const args of [{ path }, { fileId: model.fileId(path) }]) {
      const question = { operation: "read_file" as const, key: "handbook", id: ID, args };
      const { code } = await SURFACES.mirror(gateway, gateway.token("wide"), question);
      expect(code).toBe(shown ? null : "NOT_FOUND");
    }
  });
});

describe("invariant 2: a number that another release tells of an expansion", () => {
  it("is not told where it may count what is hidden", async () => {
    model.publish();
    upstream.on("expandGraph", (_request, honest) => {
      const answer = honest() as { body: { resultSummary: object } };
      return { ...answer, body: { ...answer.body, resultSummary: { ...answer.body.resultSummary, total: 4711 } } };
    });
    const fileId = model.fileId("pages/open/a.md");
    const question = { operation: "expand_graph" as const, key: "handbook", id: ID, args: { fileId } };
    const { answer } = await SURFACES.mirror(gateway, gateway.token("plain"), question);
    expect(answer.body.resultSummary).toMatchObject({ relationshipCount: 0, hasMore: false });
    expect(answer.text).not.toContain("4711");
  });
});

describe("invariant 2: a hit that another file led to", () => {
  it.each([
    ["a hidden one", PLAN, 0],
    ["a visible one", "pages/secrets/b.md", 1]
  ])("%s", async (_, path, hits) => {
    model.publish();
    upstream.on("searchGeneratedFiles", (_request, honest) => {
      const answer = honest() as { body: { items: { path: string; graphContext: { seedSourceFileId: string } }[] } };
      const items = answer.body.items.filter((hit) => hit.path === "pages/open/a.md");
      for (const { graphContext } of items) graphContext.seedSourceFileId = model.fileId(path);
      return { ...answer, body: { ...answer.body, items } };
    });
    for (const tenant of TENANTS) {
      const question = { operation: "search_files" as const, key: "handbook", id: ID, args: { query: "shared words" } };
      const { answer } = await SURFACES.mirror(gateway, gateway.token(tenant), question);
      expect(answer.body.items).toHaveLength(hits);
    }
  });
});

describe("invariant 2: a file that the upstream says it made", () => {
  it("is closed like its indexes, whatever its name", async () => {
    model.publish();
    upstream.on(
      () => true,
      (_request, honest) => {
        const answer = honest();
        const made = /"sourceFileId":"[^"]*",("path":"pages\/open\/a\.md")/g;
        return { ...answer, body: JSON.parse(JSON.stringify(answer.body).replace(made, '"sourceFileId":null,$1')) };
      }
    );
    const fileId = model.fileId("pages/open/a.md");
    const question = { operation: "read_file" as const, key: "handbook", id: ID, args: { fileId } };
    for (const tenant of TENANTS) {
      expect((await SURFACES.mirror(gateway, gateway.token(tenant), question)).code).toBe("NOT_FOUND");
    }
  });
});

/** Some answers repeat the caller's own question. */
function withoutQuery(answer: TestAnswer): TestAnswer {
  const { query: _asked, ...body } = answer.body;
  return { ...answer, body };
}

it("what is not denied stays open, however it is called", async () => {
  for (const path of OPEN) {
    const { code, answer } = await SURFACES.mirror(gateway, gateway.token("plain"), {
      operation: "read_file",
      key: "handbook",
      id: ID,
      args: { path }
    });
    expect([path, code, answer.body.content]).toEqual([path, null, "shared words"]);
  }
});
