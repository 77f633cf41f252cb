/** One question, asked through any of the gateway's surfaces, and what its answer says in each of their forms. */
import type { TestAnswer, TestGateway } from "../harness/gateway.ts";
import type { Operation } from "./caller.ts";
import { GRAPHQL } from "./graphql-questions.ts";

export interface Question {
  readonly operation: Operation;
  /** A slug or an upstream id. */
  readonly key: string;
  /** The upstream id, which is what the mirror's paths have. */
  readonly id: string;
  /** The operation's own arguments. */
  readonly args: Readonly<Record<string, string | number | undefined>>;
  readonly limit?: number | undefined;
}

export interface Reply {
  readonly answer: TestAnswer;
  /** The error's code; `NOT_FOUND` where GraphQL says null. Null where all is well. */
  readonly code: string | null;
  /** Of the next page. */
  readonly cursor: string | null;
}

export type Ask = (gateway: TestGateway, token: string, question: Question, cursor?: string) => Promise<Reply>;

const surfaces = {
  mirror: (gateway, token, question, cursor) => get(gateway, token, mirrorPath(question), parameters(question, cursor)),
  agent: (gateway, token, question, cursor) => get(gateway, token, agentPath(question), parameters(question, cursor)),
  compact: (gateway, token, question, cursor) =>
    get(gateway, token, agentPath(question), { ...parameters(question, cursor), view: "compact" }),
  tool: async (gateway, token, question, cursor) => {
    const path = `/agent/${encodeURIComponent(question.key)}/tools/${question.operation}`;
    return restReply(await gateway.post(path, toolArguments(question, cursor), { token }));
  },
  graphql: async (gateway, token, question, cursor) => {
    const { query, list } = GRAPHQL[question.operation];
    const { limit, args, key } = question;
    const by = args.path === undefined ? { fileId: args.fileId } : { path: args.path };
    const fileKind = args.fileKind === undefined ? undefined : "ALL";
    const variables = { ...args, fileKind, key, by, first: limit, after: cursor };
    const answer = await gateway.graphql(query, variables, { token });
    return graphqlReply(answer, list);
  },
  mcp: (gateway, token, question, cursor) =>
    callMcpTool(gateway, token, "/mcp", question, { ...toolArguments(question, cursor), knowledgeBase: question.key }),
  boundMcp: (gateway, token, question, cursor) =>
    callMcpTool(gateway, token, `/mcp/${encodeURIComponent(question.key)}`, question, toolArguments(question, cursor))
} as const satisfies Record<string, Ask>;

export type SurfaceName = keyof typeof surfaces;
export const SURFACES: Readonly<Record<SurfaceName, Ask>> = surfaces;
export const SURFACE_NAMES = Object.keys(SURFACES) as SurfaceName[];

type Parameters_ = Readonly<Record<string, string | number | undefined>>;

function parameters({ args, limit, operation }: Question, cursor: string | undefined): Parameters_ {
  const { fileId, ...others } = args;
  // Elsewhere the file's id is in the path.
  return { ...(operation === "expand_graph" ? args : others), limit, cursor };
}

function toolArguments({ args, limit }: Question, cursor: string | undefined): Parameters_ {
  return { ...args, limit, cursor };
}

function mirrorPath(question: Question): string {
  const base = `/openapi/v2/knowledge-bases/${encodeURIComponent(question.id)}`;
  return question.operation === "search_files" ? `${base}/files/search` : base + restPath(question);
}

function agentPath(question: Question): string {
  return `/agent/${encodeURIComponent(question.key)}${restPath(question)}`;
}

function restPath({ operation, args }: Question): string {
  const file = `/files/${encodeURIComponent(String(args.fileId))}`;
  switch (operation) {
    case "list_tree":
      return "/tree";
    case "get_file":
      return file;
    case "read_file":
      return args.path === undefined ? `${file}/content` : "/files/content";
    case "search_files":
      return "/search";
    case "read_related":
      return `${file}/related`;
    case "expand_graph":
      return "/graph/expand";
  }
}

async function get(gateway: TestGateway, token: string, path: string, query: Parameters_): Promise<Reply> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return restReply(await gateway.get(search.size === 0 ? path : `${path}?${search}`, { token }));
}

function restReply(answer: TestAnswer): Reply {
  return { answer, code: answer.body?.error?.code ?? null, cursor: answer.body?.nextCursor ?? null };
}

function graphqlReply(answer: TestAnswer, list: string | null): Reply {
  const { data, errors } = answer.body;
  const knowledgeBase = data?.knowledgeBase ?? null;
  const place = list === "related" || list === "expand" || list === null ? knowledgeBase?.file : knowledgeBase;
  const connection = list === null ? null : place?.[list];
  const { hasNextPage, endCursor } = connection?.pageInfo ?? {};
  const absent = place === null || place === undefined ? "NOT_FOUND" : null;
  return {
    answer,
    code: errors?.[0]?.extensions?.code ?? absent,
    cursor: hasNextPage === true ? endCursor : null
  };
}

export const MCP_HEADERS = { accept: "application/json, text/event-stream" };

/** One JSON-RPC call. */
export function rpc(gateway: TestGateway, token: string, path: string, method: string, params: unknown = {}) {
  return gateway.post(path, { jsonrpc: "2.0", id: 1, method, params }, { token, headers: MCP_HEADERS });
}

async function callMcpTool(
  gateway: TestGateway,
  token: string,
  path: string,
  { operation }: Question,
  args: Parameters_
): Promise<Reply> {
  const answer = await rpc(gateway, token, path, "tools/call", { name: operation, arguments: args });
  return { answer, code: mcpCode(answer), cursor: answer.body.result?.structuredContent?.nextCursor ?? null };
}

export function mcpCode({ body }: TestAnswer): string | null {
  if (body.error !== undefined) return body.error.data.code;
  return body.result.isError === true ? JSON.parse(body.result.content[0].text).error.code : null;
}
