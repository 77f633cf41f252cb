/** A listening gateway over the packaged sample, and the sample's largest directory as the upstream itself lists it. */
import { OPERATIONS } from "../../../src/upstream/operations.ts";
import { startEmbeddedSample } from "../../contract/sample.ts";
import { fetchReply, type Json } from "../../contract/world.ts";
import { startGateway } from "../../harness/gateway.ts";

export interface ServedSample extends AsyncDisposable {
  /** Of the GraphQL endpoint. */
  readonly endpoint: string;
  /** The key of the knowledge base that the directory is in. */
  readonly key: string;
  readonly directory: string;
  /** What the directory holds, in the upstream's order. */
  readonly paths: readonly string[];
}

export async function serveSample(): Promise<ServedSample> {
  const upstream = await startEmbeddedSample();
  const slugs = upstream.knowledgeBases.map(({ slug, id }) => [slug, { upstream: "main", id }] as const);
  const gateway = await startGateway({ upstreams: { main: upstream }, knowledgeBases: Object.fromEntries(slugs) });
  const listings = await Promise.all(
    upstream.knowledgeBases.map(({ slug, id }) => listBelow({ url: upstream.url, key: upstream.apiKey }, slug, id, ""))
  );
  const [largest] = listings.flat().sort((a, b) => b.paths.length - a.paths.length);
  if (largest === undefined) throw new Error("the sample holds no directory");
  return {
    ...largest,
    endpoint: `${gateway.url}/graphql`,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await upstream.close();
    }
  };
}

type Listing = Pick<ServedSample, "key" | "directory" | "paths">;

async function listBelow(
  at: { readonly url: string; readonly key: string },
  key: string,
  id: string,
  directory: string
): Promise<Listing[]> {
  const query = new URLSearchParams({ limit: "500", ...(directory === "" ? {} : { parentPath: directory }) });
  const path = OPERATIONS.listKnowledgeBaseTree.path.replace("{knowledgeBaseId}", id);
  const { body } = await fetchReply(at, `${path}?${query}`);
  if (body.nextCursor !== null) throw new Error(`${directory} does not fit into one page`);
  const entries: Json[] = body.items;
  const below = entries.filter(({ entryType }) => entryType === "directory");
  const listings = await Promise.all(below.map((entry) => listBelow(at, key, id, entry.path)));
  return [{ key, directory, paths: entries.map((entry) => entry.path) }, ...listings.flat()];
}

/** Page sizes of walks: always three, always seven, and three before seven. */
export const WALKS: readonly (readonly [first: number, then: number])[] = [
  [3, 3],
  [7, 7],
  [3, 7]
];
