/** One question of a list through every surface that serves lists, and the answers of all in one form. */
import type { TestAnswer, TestGateway } from "../harness/gateway.ts";
import { CONNECTIONS, connectionOf } from "./graphql-lists.ts";

export const SURFACES = ["graphql", "agent", "mirror", "tools", "mcp"] as const;
export type Surface = (typeof SURFACES)[number];

export const LISTS = ["tree", "search", "related", "expand"] as const;
export type List = (typeof LISTS)[number];

/** A list's arguments, as the tools name and spell them. */
export type Arguments = Readonly<Record<string, string | number | boolean>>;

export interface Question {
  readonly knowledgeBase: string;
  readonly list: List;
  readonly args: Arguments;
  /** `first` or `limit`. Null is sent as null, or as an empty parameter where there is none. */
  readonly size?: number | null | undefined;
  /** `after` or `cursor`; null as above. */
  readonly cursor?: string | null | undefined;
  readonly token?: string | undefined;
}

export interface Refusal {
  readonly code: string;
  readonly httpStatus: number;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export interface Seen {
  /** Paths, in order. */
  readonly rows: readonly string[];
  /** Where the next page starts; null at the end. */
  readonly next: string | null;
  readonly error: Refusal | null;
  /** The whole answer. */
  readonly text: string;
  readonly body: ReturnType<typeof JSON.parse>;
}

/** What GraphQL tells of a page beside its rows. */
export interface ConnectionSeen extends Seen {
  readonly cursors: readonly string[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly startCursor: string | null; readonly endCursor: string };
}

const ASKS: Readonly<Record<Surface, (gateway: TestGateway, question: Question) => Promise<Seen>>> = {
  graphql: askConnection,
  async agent(gateway, { knowledgeBase, list, args, token, ...page }) {
    const { fileId, ...others } = args;
    const path = {
      tree: "tree",
      search: "search",
      related: `files/${fileId}/related`,
      expand: "graph/expand"
    }[list];
    const query = list === "related" ? others : args;
    return seenOf(await gateway.get(`/agent/${knowledgeBase}/${path}?${queryOf(query, page)}`, { token }));
  },
  async mirror(gateway, { knowledgeBase, list, args, token, ...page }) {
    const { fileId, ...others } = args;
    const path = {
      tree: "tree",
      search: "files/search",
      related: `files/${fileId}/related`,
      expand: "graph/expand"
    }[list];
    const query = list === "related" ? others : args;
    const base = `/openapi/v2/knowledge-bases/${knowledgeBase}`;
    return seenOf(await gateway.get(`${base}/${path}?${queryOf(query, page)}`, { token }));
  },
  async tools(gateway, { knowledgeBase, list, args, token, ...page }) {
    return seenOf(
      await gateway.post(`/agent/${knowledgeBase}/tools/${TOOLS[list]}`, argumentsOf(args, page), { token })
    );
  },
  async mcp(gateway, { knowledgeBase, list, args, token, ...page }) {
    const params = { name: TOOLS[list], arguments: argumentsOf(args, page) };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const answer = await gateway.post(`/mcp/${knowledgeBase}`, message, { token });
    const { result } = answer.body;
    const body = result.isError ? JSON.parse(result.content[0].text) : result.structuredContent;
    return seenOf({ ...answer, body, status: result.isError ? body.error.httpStatus : 200 });
  }
};

export function ask(surface: Surface, gateway: TestGateway, question: Question): Promise<Seen> {
  return ASKS[surface](gateway, question);
}

export async function askConnection(gateway: TestGateway, question: Question): Promise<ConnectionSeen> {
  const { knowledgeBase: key, list, args, size, cursor, token } = question;
  const variables = { key, ...CONNECTIONS[list].variables(args), first: size, after: cursor };
  const { body, text } = await gateway.graphql(CONNECTIONS[list].query, variables, { token });
  const [refused] = body.errors ?? [];
  const error = refused === undefined ? null : { ...refused.extensions, message: refused.message };
  const connection = connectionOf(body.data);
  return {
    rows: connection?.edges.map((edge) => edge.node.path ?? edge.node.file?.path ?? "") ?? [],
    cursors: connection?.edges.map((edge) => edge.cursor) ?? [],
    pageInfo: connection?.pageInfo ?? { hasNextPage: false, startCursor: null, endCursor: "" },
    next: connection?.pageInfo.hasNextPage ? connection.pageInfo.endCursor : null,
    error,
    text,
    body
  };
}

/** All pages of a walk, each asked with the next of the sizes, over and over. @throws Error where one is refused */
export async function walk(
  surface: Surface,
  gateway: TestGateway,
  question: Question,
  sizes: readonly (number | undefined)[] = [question.size ?? undefined]
): Promise<readonly Seen[]> {
  const pages: Seen[] = [];
  let cursor = question.cursor;
  for (;;) {
    const page = await ask(surface, gateway, { ...question, size: sizes[pages.length % sizes.length], cursor });
    if (page.error !== null) throw new Error(page.text);
    pages.push(page);
    if (page.next === null) return pages;
    if (pages.length > 200) throw new Error("the walk does not end");
    cursor = page.next;
  }
}

export function rowsOf(pages: readonly Seen[]): string[] {
  return pages.flatMap(({ rows }) => rows);
}

const TOOLS: Readonly<Record<List, string>> = {
  tree: "list_tree",
  search: "search_files",
  related: "read_related",
  expand: "expand_graph"
};

type PageOf = Pick<Question, "size" | "cursor">;

function argumentsOf(args: Arguments, { size, cursor }: PageOf): object {
  return { ...args, limit: size, cursor };
}

function queryOf(args: Arguments, { size, cursor }: PageOf): URLSearchParams {
  const query = new URLSearchParams(Object.entries(args).map(([name, value]) => [name, String(value)]));
  if (size !== undefined) query.set("limit", String(size ?? ""));
  if (cursor !== undefined) query.set("cursor", cursor ?? "");
  return query;
}

function seenOf({ status, body, text }: TestAnswer): Seen {
  if (status !== 200) return { rows: [], next: null, error: body.error, text, body };
  const rows: { readonly path: string }[] = body.items ?? body.relationships;
  return { rows: rows.map(({ path }) => path), next: body.nextCursor, error: null, text, body };
}
