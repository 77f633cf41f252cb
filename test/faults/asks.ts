/** Every read operation of the upstream, as each surface that offers it asks for it. */
import type { Operation } from "../../src/upstream/operations.ts";
import { type Arguments, type Ask, connection, get, graphql, mcp, mcpTool, rows, SLUG, tool, WORD } from "./ask.ts";

const INFO = "pageInfo { hasNextPage endCursor }";
const PAGED = "(first: $n, after: $c)";
const byFileId: Arguments = ({ fileId }) => ({ fileId });
const byPath: Arguments = ({ path }) => ({ path });
const inDirectory: Arguments = ({ parentPath }) => ({ parentPath });
const forWord: Arguments = () => ({ query: WORD });
const inHandbook =
  (own: Arguments): Arguments =>
  (subject) => ({ knowledgeBase: SLUG, ...own(subject) });

interface Surfaces {
  /** The selection of the knowledge base. */
  readonly graphql?: string;
  /** Below `/agent/{kb}`. */
  readonly agent?: string;
  /** Below `/openapi/v2`. */
  readonly mirror: string;
  /** Parameters of both GET routes. */
  readonly query?: Arguments;
  readonly tool?: readonly [name: string, own: Arguments];
  /** Of lists: where GraphQL has the connection. */
  readonly connection?: readonly string[];
}

/** One operation on the surfaces that have it; the tool is one as a post and one over MCP. */
function reads(operation: Operation, on: Surfaces): Ask[] {
  const inRows = on.connection === undefined ? {} : { list: rows };
  const inEdges = on.connection === undefined ? {} : { list: connection(on.connection) };
  const asks: Ask[] = [
    {
      operation,
      surface: "mirror",
      as: "mirror",
      question: get("mirror", `/openapi/v2${on.mirror}`, on.query),
      ...inRows
    }
  ];
  if (on.graphql !== undefined) {
    const question = graphql(`{ knowledgeBase(key: $k) { ${on.graphql} } }`);
    asks.push({ operation, surface: "graphql", as: "graphql", question, ...inEdges });
  }
  if (on.agent !== undefined) {
    const question = get("agent", `/agent/{kb}${on.agent}`, on.query);
    asks.push({ operation, surface: "agent", as: "agent", question, ...inRows });
  }
  if (on.tool !== undefined) {
    const [name, own] = on.tool;
    asks.push({ operation, surface: "tool", as: "tool", question: tool(name, own), ...inRows });
    asks.push({ operation, surface: "mcp", as: "mcp", question: mcpTool(name, inHandbook(own)), ...inRows });
  }
  return asks;
}

/** One of each read, in the surfaces' usual ways. */
export const USUAL_ASKS: readonly Ask[] = [
  ...reads("getHealth", { mirror: "/health" }),
  ...reads("getVersion", { mirror: "/version" }),
  ...reads("listKnowledgeBases", { mirror: "/knowledge-bases", connection: [] }),
  {
    operation: "listKnowledgeBases",
    surface: "graphql",
    as: "graphql",
    question: graphql(`{ knowledgeBases${PAGED} { edges { node { knowledgeBaseId } } ${INFO} } }`),
    list: connection(["knowledgeBases"])
  },
  {
    operation: "listKnowledgeBases",
    surface: "mcp",
    as: "mcp",
    question: mcpTool("list_knowledge_bases", () => ({})),
    list: rows
  },
  ...reads("getKnowledgeBase", { graphql: "name activeContentRevision", mirror: "/knowledge-bases/{kb}" }),
  ...reads("listKnowledgeBaseTree", {
    graphql: `tree(parentPath: $d, first: $n, after: $c) { activeContentRevision edges { node { path } } ${INFO} }`,
    connection: ["knowledgeBase", "tree"],
    agent: "/tree",
    mirror: "/knowledge-bases/{kb}/tree",
    query: inDirectory,
    tool: ["list_tree", inDirectory]
  }),
  ...reads("getFileById", {
    graphql: "file(by: { fileId: $f }) { path title }",
    agent: "/files/{fileId}",
    mirror: "/knowledge-bases/{kb}/files/{fileId}",
    tool: ["get_file", byFileId]
  }),
  ...reads("getFileContentById", {
    graphql: "file(by: { fileId: $f }) { content }",
    agent: "/files/{fileId}/content",
    mirror: "/knowledge-bases/{kb}/files/{fileId}/content",
    tool: ["read_file", byFileId]
  }),
  ...reads("getFileContentByPath", {
    graphql: "file(by: { path: $p }) { path content }",
    agent: "/files/content",
    mirror: "/knowledge-bases/{kb}/files/content",
    query: byPath,
    tool: ["read_file", byPath]
  }),
  ...reads("searchGeneratedFiles", {
    graphql: `search(query: "${WORD}", first: $n, after: $c) {
      activeContentRevision searchStatus edges { node { file { path } sourceExcerpt } } ${INFO} }`,
    connection: ["knowledgeBase", "search"],
    agent: "/search",
    mirror: "/knowledge-bases/{kb}/files/search",
    query: forWord,
    tool: ["search_files", forWord]
  }),
  ...reads("listRelatedFiles", {
    graphql: `file(by: { fileId: $f }) { related${PAGED} { activeContentRevision edges { node { file { path } } } ${INFO} } }`,
    connection: ["knowledgeBase", "file", "related"],
    agent: "/files/{fileId}/related",
    mirror: "/knowledge-bases/{kb}/files/{fileId}/related",
    tool: ["read_related", byFileId]
  }),
  ...reads("expandGraph", {
    graphql: `file(by: { fileId: $f }) { expand${PAGED} { activeContentRevision edges { node { file { path } } } ${INFO} } }`,
    connection: ["knowledgeBase", "file", "expand"],
    agent: "/graph/expand",
    mirror: "/knowledge-bases/{kb}/graph/expand",
    query: byFileId,
    tool: ["expand_graph", byFileId]
  }),
  ...reads("getGraphOverview", {
    graphql: "graphOverview { activeContentRevision availability summary { readableFileCount } }",
    agent: "/graph/overview",
    mirror: "/knowledge-bases/{kb}/graph/overview"
  })
];

/** Other ways to the same operations. */
const OTHER_ASKS: readonly Ask[] = [
  // What every read of content begins with.
  {
    operation: "getKnowledgeBase",
    surface: "agent",
    as: "agent, the revision of a tree",
    question: get("agent", "/agent/{kb}/tree")
  },
  {
    operation: "getKnowledgeBase",
    surface: "tool",
    as: "tool, the revision of a content",
    question: tool("read_file", byFileId)
  },
  {
    operation: "getKnowledgeBase",
    surface: "mcp",
    as: "mcp, the revision of a search",
    question: mcpTool("search_files", inHandbook(forWord))
  },
  {
    operation: "listKnowledgeBaseTree",
    surface: "mcp",
    as: "mcp, resources/list",
    question: () => mcp("resources/list", {})
  },
  {
    operation: "getFileContentByPath",
    surface: "mcp",
    as: "mcp, resources/read",
    question: ({ path }) => mcp("resources/read", { uri: `focowiki://${SLUG}/${path}` })
  },
  ...searchesOverAll("searchGeneratedFiles", "of all"),
  ...searchesOverAll("listKnowledgeBases", "the list of all")
];

/** One search over all knowledge bases, which are listed first. */
function searchesOverAll(operation: Operation, part: string): Ask[] {
  const query = `{ search(query: "${WORD}") {
    edges { node { file { path } } } sources { searchStatus knowledgeBase { key } error { code } } } }`;
  const asks: Pick<Ask, "surface" | "question">[] = [
    { surface: "graphql", question: graphql(query) },
    { surface: "agent", question: get("agent", "/agent/search", forWord) },
    { surface: "mcp", question: mcpTool("search_files", forWord) }
  ];
  return asks.map(({ surface, question }) => ({ operation, surface, as: `${surface}, ${part}`, question, wide: true }));
}

export const ASKS: readonly Ask[] = [...USUAL_ASKS, ...OTHER_ASKS];
