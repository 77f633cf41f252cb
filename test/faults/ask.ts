/** What an ask is: one read operation of the upstream, in the words of one surface; and the makers of each surface's. */
import type { Operation } from "../../src/upstream/operations.ts";
import type { FakeUpstream } from "../harness/fake-upstream.ts";
import type { TestAnswer } from "../harness/gateway.ts";
import type { Question, SurfaceName } from "./surfaces.ts";

/** The slug of the knowledge base that is asked. */
export const SLUG = "handbook";
/** A word that every page holds. */
export const WORD = "cache";

/** What is asked about. */
export interface Subject {
  readonly knowledgeBaseId: string;
  /** One page, by id and by path. */
  readonly fileId: string;
  readonly path: string;
  /** A directory. */
  readonly parentPath: string;
}

/** Which page of a list; both left out are the first, of the default size. */
export interface Page {
  readonly limit?: number;
  readonly cursor?: string | null;
}

export interface ListAnswer {
  readonly names: readonly string[];
  readonly next: string | null;
}

export interface Ask {
  readonly operation: Operation;
  readonly surface: SurfaceName;
  /** The surface, and what tells two asks of one operation on it apart. */
  readonly as: string;
  readonly question: (subject: Subject, page: Page) => Question;
  /** It reads several knowledge bases side by side. */
  readonly wide?: true;
  /** Of lists: what a healthy answer holds. */
  readonly list?: (answer: TestAnswer) => ListAnswer;
}

/** A page of the upstream's first knowledge base, and its directory. */
export function subjectIn(upstream: FakeUpstream, path: string): Subject {
  const { id } = upstream.knowledgeBase();
  return { knowledgeBaseId: id, fileId: upstream.fileId(path), path, parentPath: path.replace(/\/[^/]*$/, "") };
}

/** Arguments of a tool, or parameters of a route. */
export type Arguments = (subject: Subject) => Readonly<Record<string, string>>;
type Ways = Ask["question"];

const VARIABLES = { k: "String!", f: "String!", p: "String!", d: "String!", n: "Int", c: "String" } as const;

/** @param query without its head; `$k`, `$f`, `$p` and `$d` are the subject, `$n` and `$c` the page */
export function graphql(query: string): Ways {
  const declared = Object.entries(VARIABLES).filter(([name]) => query.includes(`$${name}`));
  const head = declared.length === 0 ? "" : `(${declared.map(([name, type]) => `$${name}: ${type}`).join(", ")})`;
  return ({ fileId, path, parentPath }, { limit, cursor }) => ({
    surface: "graphql",
    query: `query ${head} ${query}`,
    variables: { k: SLUG, f: fileId, p: path, d: parentPath, n: limit ?? null, c: cursor ?? null }
  });
}

/** @param path with `{kb}` and `{fileId}` */
export function get(surface: "agent" | "mirror", path: string, own: Arguments = () => ({})): Ways {
  return (subject, { limit, cursor }) => {
    const kb = surface === "agent" ? SLUG : subject.knowledgeBaseId;
    const filled = path.replace("{kb}", kb).replace("{fileId}", subject.fileId);
    const query = new URLSearchParams({
      ...own(subject),
      ...(limit === undefined ? {} : { limit: String(limit) }),
      ...(cursor ? { cursor } : {})
    });
    return { surface, path: query.size === 0 ? filled : `${filled}?${query}` };
  };
}

export function tool(name: string, own: Arguments): Ways {
  return (subject, page) => ({
    surface: "tool",
    path: `/agent/${SLUG}/tools/${name}`,
    args: { ...own(subject), ...page }
  });
}

export function mcpTool(name: string, own: Arguments): Ways {
  return (subject, page) => mcp("tools/call", { name, arguments: { ...own(subject), ...page } });
}

export function mcp(method: string, params: Readonly<Record<string, unknown>>): Question {
  return { surface: "mcp", method, params };
}

type Row = { readonly path?: string; readonly knowledgeBaseId?: string; readonly file?: { readonly path: string } };

const nameOf = (row: Row): string => row.file?.path ?? row.path ?? row.knowledgeBaseId ?? "";

/** A list as GraphQL has it. @param at where its connection is in the data */
export function connection(at: readonly string[]) {
  return ({ body }: TestAnswer): ListAnswer => {
    const { edges, pageInfo } = at.reduce((data, name) => data[name], body.data);
    return {
      names: edges.map(({ node }: { node: Row }) => nameOf(node)),
      next: pageInfo.hasNextPage ? pageInfo.endCursor : null
    };
  };
}

/** A list as REST and the tools have it. */
export function rows({ body }: TestAnswer): ListAnswer {
  const list = body.result?.structuredContent ?? body;
  return { names: (list.items ?? list.relationships).map(nameOf), next: list.nextCursor };
}
