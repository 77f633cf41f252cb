import { ApolloClient, gql, HttpLink, InMemoryCache, type ObservableQuery } from "@apollo/client";
import { relayStylePagination } from "@apollo/client/utilities";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedSample, serveSample, WALKS } from "./sample.ts";

interface Tree {
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly path: string } }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

interface Data {
  readonly knowledgeBase: { readonly tree: Tree };
}

const query = (cursor: string) => gql`
  query Directory($key: String!, $parentPath: String!, $first: Int!, $after: String) {
    knowledgeBase(key: $key) {
      id
      tree(parentPath: $parentPath, first: $first, after: $after) {
        edges { ${cursor} node { path ... on Node { id } } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`;

let sample: ServedSample;
beforeAll(async () => {
  sample = await serveSample();
});
afterAll(() => sample[Symbol.asyncDispose]());

/** A view's query as it stands after its first page. */
async function open(first: number, cursor: string): Promise<ObservableQuery<Data>> {
  const client = new ApolloClient({
    link: new HttpLink({ uri: sample.endpoint }),
    cache: new InMemoryCache({
      possibleTypes: { Node: ["KnowledgeBase", "File", "Directory"], TreeEntry: ["File", "Directory"] },
      typePolicies: { KnowledgeBase: { fields: { tree: relayStylePagination(["parentPath", "entryType"]) } } }
    })
  });
  const options = { query: query(cursor), variables: { key: sample.key, parentPath: sample.directory, first } };
  await client.query<Data>(options);
  return client.watchQuery<Data>(options);
}

/** What the view shows: everything that was fetched, merged. */
function shown(observed: ObservableQuery<Data>): Tree {
  const { data, dataState } = observed.getCurrentResult();
  if (dataState !== "complete") throw new Error(`the result is ${dataState}`);
  return (data as Data).knowledgeBase.tree;
}

const pathsOf = (tree: Tree) => tree.edges.map(({ node }) => node.path);

describe("invariant 5: Apollo Client's relayStylePagination", () => {
  describe.each([
    ["every edge's cursor", "cursor"],
    ["the cursors of pageInfo alone", ""]
  ])("with %s", (_, cursor) => {
    test.each(WALKS)("gives each entry once, first: %i and then %i", async (first, then) => {
      const { paths } = sample;
      const observed = await open(first, cursor);
      expect(pathsOf(shown(observed))).toEqual(paths.slice(0, first));
      while (shown(observed).pageInfo.hasNextPage) {
        const { edges, pageInfo } = shown(observed);
        expect(edges.length).toBeLessThan(paths.length);
        await observed.fetchMore({ variables: { first: then, after: pageInfo.endCursor } });
        expect(pathsOf(shown(observed))).toEqual(paths.slice(0, edges.length + then));
      }
      expect(pathsOf(shown(observed))).toEqual(paths);
    });
  });

  test("goes on behind any edge with any size", async () => {
    const { paths } = sample;
    const observed = await open(7, "cursor");
    await observed.fetchMore({ variables: { first: 2, after: shown(observed).edges[2]?.cursor } });
    expect(pathsOf(shown(observed))).toEqual(paths.slice(0, 5));
  });
});
