import { readFileSync } from "node:fs";
import { Client, fetchExchange, gql } from "@urql/core";
import { cacheExchange } from "@urql/exchange-graphcache";
import { relayPagination } from "@urql/exchange-graphcache/extras";
import { buildSchema, introspectionFromSchema } from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ServedSample, serveSample, WALKS } from "./sample.ts";

interface Data {
  readonly knowledgeBase: {
    readonly tree: {
      readonly edges: readonly { readonly cursor: string; readonly node: { readonly path: string } }[];
      readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    };
  };
}

const QUERY = gql`
  query Directory($key: String!, $parentPath: String!, $first: Int!, $after: String) {
    knowledgeBase(key: $key) {
      id
      tree(parentPath: $parentPath, first: $first, after: $after) {
        edges { cursor node { path ... on Node { id } } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
      }
    }
  }
`;

const schema = introspectionFromSchema(
  buildSchema(readFileSync(new URL("../../../schema/schema.graphql", import.meta.url), "utf8"))
);

let sample: ServedSample;
beforeAll(async () => {
  sample = await serveSample();
});
afterAll(() => sample[Symbol.asyncDispose]());

function connect(): Client {
  const resolvers = { KnowledgeBase: { tree: relayPagination() } };
  return new Client({
    url: sample.endpoint,
    exchanges: [cacheExchange({ schema, resolvers }), fetchExchange],
    preferGetMethod: false
  });
}

/** Fetches a page; what comes back is everything that was fetched, merged. */
async function more(client: Client, first: number, after: string | null) {
  const variables = { key: sample.key, parentPath: sample.directory, first, after };
  const { data, error } = await client.query<Data>(QUERY, variables).toPromise();
  if (data === undefined) throw error ?? new Error("no data");
  return data.knowledgeBase.tree;
}

describe("invariant 5: urql's relayPagination", () => {
  test.each(WALKS)("gives each entry once, first: %i and then %i", async (first, then) => {
    const { paths } = sample;
    const client = connect();
    let tree = await more(client, first, null);
    expect(tree.edges.map(({ node }) => node.path)).toEqual(paths.slice(0, first));
    while (tree.pageInfo.hasNextPage) {
      const shown = tree.edges.length;
      expect(shown).toBeLessThan(paths.length);
      tree = await more(client, then, tree.pageInfo.endCursor);
      expect(tree.edges.map(({ node }) => node.path)).toEqual(paths.slice(0, shown + then));
    }
    expect(tree.edges.map(({ node }) => node.path)).toEqual(paths);
  });

  test("goes on behind any edge with any size", async () => {
    const { paths } = sample;
    const first = await more(connect(), 7, null);
    const second = await more(connect(), 2, first.edges[2]?.cursor ?? null);
    expect(second.edges.map(({ node }) => node.path)).toEqual(paths.slice(3, 5));
  });
});
