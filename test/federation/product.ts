/** A product's own Relay subgraph: what a shop knows, and the manuals of its products, which are files at the gateway. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buildSubgraphSchema } from "@apollo/subgraph";
import { parse } from "graphql";
import { createYoga } from "graphql-yoga";

export const PRODUCT_SDL = /* GraphQL */ `
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable", "@inaccessible"])

  interface Node {
    id: ID!
  }

  type PageInfo @shareable {
    hasNextPage: Boolean!
    hasPreviousPage: Boolean!
    startCursor: String
    endCursor: String
  }

  type Query {
    product(sku: String!): Product
    products(first: Int, after: String): ProductConnection!
    node(id: ID!): Node @inaccessible @shareable
  }

  type ProductConnection {
    edges: [ProductEdge!]!
    pageInfo: PageInfo!
  }

  type ProductEdge {
    cursor: String!
    node: Product!
  }

  type Product implements Node @key(fields: "id") {
    id: ID!
    sku: String!
    name: String!
    manual: File
    shelf: KnowledgeBase
  }

  type File @key(fields: "id") {
    id: ID!
    "The products that it is the manual of."
    products: [Product!]!
  }

  type KnowledgeBase @key(fields: "id") {
    id: ID!
    owner: String!
  }
`;

export interface Product {
  readonly sku: string;
  readonly name: string;
  /** A File's id at the gateway. */
  readonly manual: string;
  /** A KnowledgeBase's. */
  readonly shelf: string;
}

export interface ProductSubgraph extends AsyncDisposable {
  readonly url: string;
}

export async function productSubgraph(products: readonly Product[]): Promise<ProductSubgraph> {
  const show = ({ sku, name, manual, shelf }: Product) => ({
    id: `product-${sku}`,
    sku,
    name,
    manual: { __typename: "File", id: manual },
    shelf: { __typename: "KnowledgeBase", id: shelf }
  });
  const schema = buildSubgraphSchema({
    typeDefs: parse(PRODUCT_SDL),
    resolvers: {
      Query: {
        product: (_: unknown, { sku }: { sku: string }) =>
          products.filter((one) => one.sku === sku).map(show)[0] ?? null,
        products: () => ({
          edges: products.map((one) => ({ cursor: one.sku, node: show(one) })),
          pageInfo: { hasNextPage: false, hasPreviousPage: false, startCursor: null, endCursor: null }
        })
      },
      File: { products: ({ id }: { id: string }) => products.filter(({ manual }) => manual === id).map(show) },
      KnowledgeBase: { owner: () => "the shop" }
    }
  });
  const server = createServer(createYoga({ schema, logging: false, landingPage: false }));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    }
  };
}
