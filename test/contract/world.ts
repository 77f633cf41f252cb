/**
 * An implementation of the Developer OpenAPI under test, and the names in it that the contract's requests need: which
 * knowledge base, which page, which word finds something.
 */
import { OPERATIONS, type Operation, type OperationInput } from "../../src/upstream/operations.ts";

export interface World {
  readonly name: string;
  readonly url: string;
  readonly key: string;
  /** A knowledge base with pages in directories, links between them, and a root index. */
  readonly knowledgeBase: string;
  /** One that never held a page; null where the implementation has none. */
  readonly empty: string | null;
  /** A page with at least three relations, whose relations have relations. */
  readonly seed: { readonly id: string; readonly path: string };
  /** Another page. */
  readonly page: { readonly id: string; readonly path: string };
  /** The root's `index.md`. */
  readonly indexId: string;
  /** A word that finds at least three pages. */
  readonly word: string;
}

export const MISSING_KNOWLEDGE_BASE = "knowledge-base-00000000-0000-4000-8000-000000000000";
export const MISSING_FILE = "source-file-00000000-0000-4000-8000-000000000000";

/** JSON, as deep as a test looks into it. */
export type Json = ReturnType<typeof JSON.parse>;

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Json;
  /** False where a replay has no recording of this request. */
  readonly known: boolean;
}

export async function fetchReply(
  world: Pick<World, "url" | "key">,
  path: string,
  init: RequestInit = {}
): Promise<Reply> {
  const headers = { authorization: `Bearer ${world.key}`, ...(init.headers as Record<string, string>) };
  const response = await fetch(world.url + path, { ...init, headers });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text === "" ? null : JSON.parse(text),
    known: response.headers.get("x-replay") !== "miss"
  };
}

/** The address of an operation, as a client of it would build it. */
export function addressOf(operation: Operation, input: OperationInput): string {
  const path = OPERATIONS[operation].path.replace(/\{(\w+)\}/g, (_, name: "knowledgeBaseId" | "fileId") =>
    encodeURIComponent(input.ids?.[name] ?? "")
  );
  const query = new URLSearchParams(input.query);
  return query.size === 0 ? path : `${path}?${query}`;
}

export function ask(world: World, operation: Operation, input: OperationInput = {}): Promise<Reply> {
  return fetchReply(world, addressOf(operation, input));
}

/**
 * Finds a world's names by asking, for an implementation whose content is not known.
 * @throws Error where it holds nothing that the contract could be tried on
 */
export async function discoverWorld(name: string, url: string, key: string): Promise<World> {
  const at = { url, key };
  const { body } = await fetchReply(at, "/openapi/v2/knowledge-bases");
  const held: Json[] = body.items;
  const empty = held.find((item) => item.activeContentRevision === 0)?.knowledgeBaseId ?? null;
  for (const { knowledgeBaseId } of held.filter((item) => item.activeContentRevision > 0)) {
    const base = `/openapi/v2/knowledge-bases/${knowledgeBaseId}`;
    const pages = await pagesBelow(at, base, "pages");
    const seed = await firstThat(pages, async (page) => {
      const { body: expansion } = await fetchReply(at, `${base}/graph/expand?fileId=${page.id}&depth=2`);
      return expansion.relationships.filter((row: Json) => row.relationshipDepth === 1).length >= 3;
    });
    const page = pages.find((other) => other.id !== seed?.id);
    const index = await fetchReply(at, `${base}/files/content?path=index.md`);
    if (seed === undefined || page === undefined) continue;
    const word = await findingWord(at, base, seed.id);
    return { name, ...at, knowledgeBase: knowledgeBaseId, empty, seed, page, indexId: index.body.file.fileId, word };
  }
  throw new Error(`${name} holds no knowledge base with pages that relate`);
}

async function pagesBelow(at: Pick<World, "url" | "key">, base: string, parentPath: string): Promise<World["page"][]> {
  const { body } = await fetchReply(at, `${base}/tree?limit=500&parentPath=${encodeURIComponent(parentPath)}`);
  const found: World["page"][] = [];
  for (const row of body.items) {
    if (row.entryType === "directory") found.push(...(await pagesBelow(at, base, row.path)));
    else if (row.fileKind === "page") found.push({ id: row.fileId, path: row.path });
  }
  return found;
}

/** The first word of a page that finds three pages or more. */
async function findingWord(at: Pick<World, "url" | "key">, base: string, fileId: string): Promise<string> {
  const { body } = await fetchReply(at, `${base}/files/${fileId}/content`);
  const words: string[] = [...new Set<string>(body.content.match(/\b[a-z]{5,}\b/g) ?? [])].slice(0, 50);
  const word = await firstThat(words, async (candidate) => {
    const found = await fetchReply(at, `${base}/files/search?query=${candidate}`);
    return found.body.items.length >= 3;
  });
  if (word === undefined) throw new Error("no word finds three pages");
  return word;
}

async function firstThat<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<T | undefined> {
  for (const item of items) if (await holds(item)) return item;
  return undefined;
}
