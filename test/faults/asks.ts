/** Every read operation of the upstream, as each surface that offers it asks for it. */
import type { Operation } from "../../src/upstream/operations.ts";
import type { FakeUpstream } from "../harness/fake-upstream.ts";
import type { TestAnswer } from "../harness/gateway.ts";
import type { Question, SurfaceName } from "./surfaces.ts";

/** The slug of the fake's first knowledge base, and a page of it that has relations. */
export const SLUG = "handbook";
export const PAGE = "pages/one.md";
/** A word that every page holds. */
export const WORD = "cache";

/** Which page of a list; both left out are the first, of the default size. */
export interface Page {
  readonly limit?: number;
  readonly cursor?: string | null;
}

export interface Ids {
  readonly knowledgeBaseId: string;
  readonly fileId: string;
}

export interface Ask {
  readonly operation: Operation;
  readonly surface: SurfaceName;
  /** How the surface calls it, to tell two asks of one operation apart. */
  readonly as: string;
  readonly question: (ids: Ids, page: Page) => Question;
  /** Of lists. */
  readonly list?: (answer: TestAnswer) => ListAnswer;
}

export interface ListAnswer {
  readonly names: readonly string[];
  readonly next: string | null;
}

export function idsIn(upstream: FakeUpstream): Ids {
  return { knowledgeBaseId: upstream.knowledgeBase().id, fileId: upstream.fileId(PAGE) };
}

type Row = { readonly path?: string; readonly knowledgeBaseId?: string; readonly file?: { readonly path: string } };

const nameOf = (row: Row): string => row.file?.path ?? row.path ?? row.knowledgeBaseId ?? "";

function restList(body: TestAnswer["body"]): ListAnswer {
  const rows: Row[] = body.items ?? body.relationships;
  return { names: rows.map(nameOf), next: body.nextCursor };
}

const INFO = "pageInfo { hasNextPage endCursor }";

const VARIABLES = { k: "String!", f: "String!", n: "Int", c: "String" } as const;

/** @param inside the selection of the knowledge base; `$f` is the file, `$n` and `$c` are the page */
function graphql(inside: string) {
  const declared = Object.entries(VARIABLES).filter(([name]) => name === "k" || inside.includes(`$${name}`));
  const query =
    `query (${declared.map(([name, type]) => `$${name}: ${type}`).join(", ")}) ` +
    `{ knowledgeBase(key: $k) { ${inside} } }`;
  return ({ fileId }: Ids, { limit, cursor }: Page): Question => ({
    surface: "graphql",
    query,
    variables: { k: SLUG, f: fileId, n: limit ?? null, c: cursor ?? null }
  });
}

function connection(path: readonly string[]) {
  return ({ body }: TestAnswer): ListAnswer => {
    const found = path.reduce((at, name) => at[name], body.data);
    return {
      names: found.edges.map((edge: { node: Row }) => nameOf(edge.node)),
      next: found.pageInfo.hasNextPage ? found.pageInfo.endCursor : null
    };
  };
}

function get(surface: "agent" | "mirror", path: (ids: Ids) => string, own: Readonly<Record<string, string>> = {}) {
  return (ids: Ids, { limit, cursor }: Page): Question => {
    const query = new URLSearchParams({
      ...Object.fromEntries(Object.entries(own).map(([name, value]) => [name, value.replace("{fileId}", ids.fileId)])),
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(cursor ? { cursor } : {})
    });
    return { surface, path: query.size === 0 ? path(ids) : `${path(ids)}?${query}` };
  };
}

const agent = (path: string, own?: Readonly<Record<string, string>>) =>
  get("agent", ({ fileId }) => `/agent/${SLUG}/${path.replace("{fileId}", fileId)}`, own);

const mirror = (path: string, own?: Readonly<Record<string, string>>) =>
  get(
    "mirror",
    (ids) => `/openapi/v2${path.replace("{kb}", ids.knowledgeBaseId).replace("{fileId}", ids.fileId)}`,
    own
  );

type Args = (ids: Ids) => Readonly<Record<string, unknown>>;

const tool =
  (name: string, args: Args) =>
  (ids: Ids, page: Page): Question => ({
    surface: "tool",
    path: `/agent/${SLUG}/tools/${name}`,
    args: { ...args(ids), ...page }
  });

const mcp =
  (name: string, args: Args) =>
  (ids: Ids, page: Page): Question => ({
    surface: "mcp",
    method: "tools/call",
    params: { name, arguments: { knowledgeBase: SLUG, ...args(ids), ...page } }
  });

const mcpList = ({ body }: TestAnswer) => restList(body.result.structuredContent);
const rest = ({ body }: TestAnswer) => restList(body);

/** One operation on the surfaces that have it: GraphQL, both GET surfaces, and the tool as a post and over MCP. */
function reads(
  operation: Operation,
  on: {
    readonly graphql?: string;
    readonly agent?: ReturnType<typeof agent>;
    readonly mirror: ReturnType<typeof mirror>;
    readonly tool?: readonly [name: string, args: Args];
    /** Of lists: where GraphQL has the connection. */
    readonly connection?: readonly string[];
  }
): Ask[] {
  const asks: Ask[] = [];
  const add = (surface: SurfaceName, question: Ask["question"], list: Ask["list"]) =>
    asks.push({ operation, surface, as: surface, question, ...(on.connection && list ? { list } : {}) });
  if (on.graphql !== undefined) add("graphql", graphql(on.graphql), on.connection && connection(on.connection));
  if (on.agent !== undefined) add("agent", on.agent, rest);
  add("mirror", on.mirror, rest);
  if (on.tool !== undefined) {
    add("tool", tool(...on.tool), rest);
    add("mcp", mcp(...on.tool), mcpList);
  }
  return asks;
}

const byFileId: Args = ({ fileId }) => ({ fileId });

export const ASKS: readonly Ask[] = [
  ...reads("getHealth", { mirror: mirror("/health") }),
  ...reads("getVersion", { mirror: mirror("/version") }),
  {
    operation: "listKnowledgeBases",
    surface: "graphql",
    as: "graphql",
    question: (_ids, { limit, cursor }) => ({
      surface: "graphql",
      query: `query ($n: Int, $c: String) { knowledgeBases(first: $n, after: $c) { edges { node { knowledgeBaseId } } ${INFO} } }`,
      variables: { n: limit ?? null, c: cursor ?? null }
    }),
    list: connection(["knowledgeBases"])
  },
  ...reads("listKnowledgeBases", { mirror: mirror("/knowledge-bases"), connection: ["knowledgeBases"] }),
  {
    operation: "listKnowledgeBases",
    surface: "mcp",
    as: "mcp",
    question: (_ids, page) => ({
      surface: "mcp",
      method: "tools/call",
      params: { name: "list_knowledge_bases", arguments: page }
    }),
    list: mcpList
  },
  ...reads("getKnowledgeBase", {
    graphql: "name activeContentRevision",
    mirror: mirror("/knowledge-bases/{kb}")
  }),
  // What every read of content begins with: the check of the revision.
  { ...only(agent("tree"), "agent"), operation: "getKnowledgeBase", as: "agent, the revision of a tree" },
  {
    ...only(tool("read_file", byFileId), "tool"),
    operation: "getKnowledgeBase",
    as: "tool, the revision of a content"
  },
  {
    ...only(
      mcp("search_files", () => ({ query: WORD })),
      "mcp"
    ),
    operation: "getKnowledgeBase",
    as: "mcp, the revision of a search"
  },
  ...reads("listKnowledgeBaseTree", {
    graphql: `tree(parentPath: "pages", first: $n, after: $c) { activeContentRevision edges { node { path } } ${INFO} }`,
    connection: ["knowledgeBase", "tree"],
    agent: agent("tree", { parentPath: "pages" }),
    mirror: mirror("/knowledge-bases/{kb}/tree", { parentPath: "pages" }),
    tool: ["list_tree", () => ({ parentPath: "pages" })]
  }),
  {
    ...only(() => ({ surface: "mcp", method: "resources/list", params: {} }), "mcp"),
    operation: "listKnowledgeBaseTree",
    as: "mcp, resources/list"
  },
  ...reads("getFileById", {
    graphql: "file(by: { fileId: $f }) { title path tags }",
    agent: agent("files/{fileId}"),
    mirror: mirror("/knowledge-bases/{kb}/files/{fileId}"),
    tool: ["get_file", byFileId]
  }),
  ...reads("getFileContentById", {
    graphql: "file(by: { fileId: $f }) { content }",
    agent: agent("files/{fileId}/content"),
    mirror: mirror("/knowledge-bases/{kb}/files/{fileId}/content"),
    tool: ["read_file", byFileId]
  }),
  ...reads("getFileContentByPath", {
    graphql: `file(by: { path: "${PAGE}" }) { path content }`,
    agent: agent("files/content", { path: PAGE }),
    mirror: mirror("/knowledge-bases/{kb}/files/content", { path: PAGE }),
    tool: ["read_file", () => ({ path: PAGE })]
  }),
  {
    ...only(() => ({ surface: "mcp", method: "resources/read", params: { uri: `focowiki://${SLUG}/${PAGE}` } }), "mcp"),
    operation: "getFileContentByPath",
    as: "mcp, resources/read"
  },
  ...reads("searchGeneratedFiles", {
    graphql: `search(query: "${WORD}", first: $n, after: $c) { searchStatus edges { node { file { path } } } ${INFO} }`,
    connection: ["knowledgeBase", "search"],
    agent: agent("search", { query: WORD }),
    mirror: mirror("/knowledge-bases/{kb}/files/search", { query: WORD }),
    tool: ["search_files", () => ({ query: WORD })]
  }),
  ...reads("listRelatedFiles", {
    graphql: `file(by: { fileId: $f }) { related(first: $n, after: $c) { edges { node { file { path } } } ${INFO} } }`,
    connection: ["knowledgeBase", "file", "related"],
    agent: agent("files/{fileId}/related"),
    mirror: mirror("/knowledge-bases/{kb}/files/{fileId}/related"),
    tool: ["read_related", byFileId]
  }),
  ...reads("expandGraph", {
    graphql: `file(by: { fileId: $f }) { expand(first: $n, after: $c) { edges { node { file { path } } } ${INFO} } }`,
    connection: ["knowledgeBase", "file", "expand"],
    agent: agent("graph/expand", { fileId: "{fileId}" }),
    mirror: mirror("/knowledge-bases/{kb}/graph/expand", { fileId: "{fileId}" }),
    tool: ["expand_graph", byFileId]
  }),
  ...reads("getGraphOverview", {
    graphql: "graphOverview { availability summary { readableFileCount } }",
    agent: agent("graph/overview"),
    mirror: mirror("/knowledge-bases/{kb}/graph/overview")
  })
];

function only(question: Ask["question"], surface: SurfaceName) {
  return { question, surface } as const;
}
