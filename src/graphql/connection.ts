/**
 * Relay connections over the reader's pages. A cursor is sealed when a query selects it, and only for the edge it is
 * selected of. Source: docs/invariants.md 5, and Relay's "GraphQL Cursor Connections Specification", forward paging.
 */
import type { OutputRef } from "@pothos/core";
import type { Page } from "../knowledge/types.ts";
import { builder, type SchemaTypes } from "./builder.ts";
import { COST } from "./cost.ts";

/** Reading `cursor` seals it. */
export interface Edge<Node> {
  readonly node: Node;
  readonly cursor: string;
}

class PageEdge<Node> implements Edge<Node> {
  readonly node: Node;
  readonly #page: Page<unknown, unknown>;
  readonly #index: number;

  constructor(page: Page<unknown, unknown>, node: Node, index: number) {
    this.node = node;
    this.#page = page;
    this.#index = index;
  }

  get cursor(): string {
    return this.#page.cursor(this.#index);
  }
}

export class Connection<Node, Body> {
  /** What the upstream says of the page; null where nothing was asked (`first: 0`). */
  readonly body: Body | null;
  readonly revision: number | null;
  readonly edges: readonly Edge<Node>[];
  readonly pageInfo;

  constructor(page: Page<unknown, Body>, nodes: readonly Node[]) {
    this.body = page.body;
    this.revision = page.revision;
    this.edges = nodes.map((node, index) => new PageEdge(page, node, index));
    this.pageInfo = {
      hasNextPage: page.hasNextPage,
      hasPreviousPage: false,
      get startCursor() {
        return nodes.length === 0 ? null : page.cursor(0);
      },
      get endCursor() {
        return page.endCursor();
      }
    };
  }
}

type Ref<Shape> = ReturnType<typeof builder.objectRef<Shape>>;

/** @param rows what the list holds, in the plural, for descriptions */
export function addEdge<Node>(ref: Ref<Edge<Node>>, node: OutputRef<Node>, rows: string): void {
  ref.implement({
    description: `One of the ${rows} of a page.`,
    fields: (t) => ({
      cursor: t.exposeString("cursor", {
        nullable: false,
        description: "Opaque; as `after` it starts the next page behind this edge. Made only where it is selected."
      }),
      node: t.field({
        type: node,
        complexity: COST.row,
        description: "The item. Null only where a field that cannot be null failed; `errors` says which and why.",
        // The builder cannot see that a ref of the node's shape takes the node.
        resolve: (edge) => edge.node as never
      })
    })
  });
}

/** The fields that every connection has. */
export function connectionFields<Node, Body>(
  t: PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Connection<Node, Body>>,
  edge: Ref<Edge<Node>>
) {
  return {
    edges: t.field({
      type: [edge],
      nullable: false,
      description: "The page's items, in the knowledge service's order.",
      resolve: (connection) => connection.edges
    }),
    pageInfo: t.field({
      type: builder.pageInfoRef(),
      nullable: false,
      description: "Where this page lies in the list.",
      resolve: (connection) => connection.pageInfo
    })
  };
}

/** For lists of a knowledge base's content, all items of which are of one revision. */
export function revisionField<Node, Body>(
  t: PothosSchemaTypes.ObjectFieldBuilder<SchemaTypes, Connection<Node, Body>>
) {
  return t.field({
    type: "SafeInt",
    description: "The content revision that the whole page is of; null for a knowledge base without content.",
    resolve: (connection) => connection.revision
  });
}
