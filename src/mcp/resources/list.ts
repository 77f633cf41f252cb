/** resources/list: every file that the caller may list, in bounded pages. */
import type { ListResourcesResult, Resource } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { GatewayError } from "../../errors.ts";
import type { TreeEntry } from "../../knowledge/types.ts";
import { parseArguments } from "../../tools/arguments.ts";
import { cursor, PAGE_NAMES } from "../../tools/fields.ts";
import type { Scope } from "../scope.ts";
import { decodePlace, encodePlace, type Place, ROOT } from "./place.ts";
import { mediaTypeOf, resourceUri } from "./uri.ts";
import { FileWalk } from "./walk.ts";

const parameters = z.object({ cursor });

const RESOURCES = 100;
/** Listings of directories and of knowledge bases that a page may cost. */
const LISTINGS = 20;

/** A page may be empty and have a next one. @throws what the reader throws; the cursor error for a foreign cursor */
export async function listResources(scope: Scope, params: unknown): Promise<ListResourcesResult> {
  const { cursor } = parseArguments(parameters, params);
  const place = cursor === undefined ? await start(scope) : decodePlace(cursor);
  const walk = await resume(scope, place);
  const resources: Resource[] = [];
  let reached: Reached = { row: place.knowledgeBase, walk };
  for (let listings = 0; listings < LISTINGS && resources.length < RESOURCES; listings += 1) {
    try {
      if (reached.walk !== null && !reached.walk.done) {
        const { key } = reached.walk;
        resources.push(...(await reached.walk.take(RESOURCES - resources.length)).map((file) => resourceOf(key, file)));
        continue;
      }
      const next = await nextKnowledgeBase(scope, reached);
      if (next === null) return { resources };
      reached = next;
    } catch (error) {
      // What this request may cost is spent; the next one goes on from here.
      if (listings > 0 && error instanceof GatewayError && error.code === "QUERY_TOO_COMPLEX") break;
      throw error;
    }
  }
  return {
    resources,
    nextCursor: encodePlace({ knowledgeBase: reached.row, directories: reached.walk?.directories() ?? [] })
  };
}

/** How far the page has come: the knowledge base's row in their list, where there is one, and the walk over its files. */
interface Reached {
  readonly row: Place["knowledgeBase"];
  readonly walk: FileWalk | null;
}

async function start({ reader, boundTo }: Scope): Promise<Place> {
  if (boundTo === null) return { knowledgeBase: null, directories: [] };
  (await reader.knowledgeBase(boundTo)).require("list_tree");
  return { knowledgeBase: null, directories: [ROOT] };
}

async function resume({ reader, boundTo }: Scope, { knowledgeBase, directories }: Place): Promise<FileWalk | null> {
  const key = boundTo ?? knowledgeBase?.key;
  if (key === undefined) return null;
  return new FileWalk(await reader.knowledgeBase(key), directories, reader.viewer.limits.pageSize);
}

/** The walk over the next knowledge base whose files may be listed; null after the last. */
async function nextKnowledgeBase({ reader, boundTo }: Scope, { row }: Reached): Promise<Reached | null> {
  if (boundTo !== null) return null;
  const page = await reader.knowledgeBases({ first: 1, after: row?.cursor, names: PAGE_NAMES });
  const [next] = page.rows;
  if (next === undefined) return null;
  const knowledgeBase = await reader.knowledgeBase(next.key);
  const directories = knowledgeBase.may("list_tree") ? [ROOT] : [];
  return {
    row: { key: next.key, cursor: page.cursor(0) },
    walk: new FileWalk(knowledgeBase, directories, reader.viewer.limits.pageSize)
  };
}

function resourceOf(key: string, { path, name }: TreeEntry): Resource {
  return { uri: resourceUri({ key, path }), name, mimeType: mediaTypeOf(path) };
}
