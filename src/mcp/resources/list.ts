/** resources/list: every file that the caller may list, directory by directory, in bounded pages. */
import type { ListResourcesResult, Resource } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { GatewayError } from "../../errors.ts";
import type { KnowledgeBaseReader, TreeEntry } from "../../knowledge/types.ts";
import { parseArguments } from "../../tools/arguments.ts";
import { cursor, PAGE_NAMES } from "../../tools/fields.ts";
import type { Scope } from "../scope.ts";
import { type Directory, decodePlace, encodePlace, type Place, ROOT } from "./place.ts";
import { mediaTypeOf, resourceUri } from "./uri.ts";

const parameters = z.object({ cursor });

/** Rows of one listing. */
const ROWS = 50;
/** A page ends with the listing that makes it this long, */
const RESOURCES = 100;
/** or with the last of so many listings. */
const LISTINGS = 20;

/** A page may be empty and have a next one. @throws what the reader throws; the cursor error for a foreign cursor */
export async function listResources(scope: Scope, params: unknown): Promise<ListResourcesResult> {
  const { cursor } = parseArguments(parameters, params);
  let place = cursor === undefined ? await start(scope) : decodePlace(cursor);
  const resources: Resource[] = [];
  for (let listings = 0; listings < LISTINGS && resources.length < RESOURCES; listings += 1) {
    const step = await take(scope, place).catch((error: unknown): "spent" => {
      // What this request may cost is spent; the next one goes on from here.
      if (listings > 0 && error instanceof GatewayError && error.code === "QUERY_TOO_COMPLEX") return "spent";
      throw error;
    });
    if (step === "end") return { resources };
    if (step === "spent") break;
    resources.push(...step.resources);
    place = step.place;
  }
  return { resources, nextCursor: encodePlace(place) };
}

interface Step {
  readonly resources: readonly Resource[];
  readonly place: Place;
}

async function start({ reader, boundTo }: Scope): Promise<Place> {
  if (boundTo === null) return { knowledgeBase: null, directories: [] };
  (await reader.knowledgeBase(boundTo)).require("list_tree");
  return { knowledgeBase: null, directories: [ROOT] };
}

/** One listing: of the innermost unfinished directory, or of knowledge bases where all directories are finished. */
async function take(scope: Scope, place: Place): Promise<Step | "end"> {
  const { reader, boundTo } = scope;
  const key = boundTo ?? place.knowledgeBase?.key;
  if (key !== undefined && place.directories.length > 0) {
    const knowledgeBase = await reader.knowledgeBase(key);
    const { files, directories } = await listDirectory(knowledgeBase, place.directories);
    return { resources: files.map((file) => resourceOf(knowledgeBase.key, file)), place: { ...place, directories } };
  }
  return boundTo === null ? await nextKnowledgeBase(scope, place) : "end";
}

async function nextKnowledgeBase({ reader }: Scope, { knowledgeBase }: Place): Promise<Step | "end"> {
  const page = await reader.knowledgeBases({ first: 1, after: knowledgeBase?.cursor, names: PAGE_NAMES });
  const [row] = page.rows;
  if (row === undefined) return "end";
  const listed = (await reader.knowledgeBase(row.key)).may("list_tree");
  const next = { key: row.key, cursor: page.cursor(0) };
  return { resources: [], place: { knowledgeBase: next, directories: listed ? [ROOT] : [] } };
}

/** Rows up to the first directory, which is walked before those after it: the place is then no more than a path down. */
async function listDirectory(
  knowledgeBase: KnowledgeBaseReader,
  directories: readonly Directory[]
): Promise<{ files: readonly TreeEntry[]; directories: Directory[] }> {
  const outer = directories.slice(0, -1);
  const { path, after } = directories.at(-1) ?? ROOT;
  const page = await knowledgeBase.tree(path === "" ? {} : { parentPath: path }, {
    first: ROWS,
    after,
    names: PAGE_NAMES
  });
  const index = page.rows.findIndex((row) => row.entryType === "directory");
  const inner = page.rows[index];
  if (inner === undefined) {
    const reached = page.hasNextPage ? page.endCursor() : null;
    return { files: page.rows, directories: reached === null ? outer : [...outer, { path, after: reached }] };
  }
  const more = page.hasNextPage || index < page.rows.length - 1;
  return {
    files: page.rows.slice(0, index),
    directories: [
      ...outer,
      ...(more ? [{ path, after: page.cursor(index) }] : []),
      { path: inner.path.normalize("NFC"), after: null }
    ]
  };
}

function resourceOf(key: string, { path, name }: TreeEntry): Resource {
  return { uri: resourceUri({ key, path }), name, mimeType: mediaTypeOf(path) };
}
