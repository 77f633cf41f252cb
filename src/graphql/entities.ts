/**
 * Objects that a supergraph reads by their keys, to join them with what other subgraphs know of them. They are read as
 * `node` reads them, with the same operations and the same null for what is hidden. Source: Apollo Federation 2, "Subgraph
 * specification", `_entities`; docs/invariants.md 2.
 */
import type { GraphQLResolveInfo } from "graphql";
import { invalid } from "../errors.ts";
import type { GraphQLContext } from "./context.ts";
import { decodeNodeId, type NodeKey } from "./global-id.ts";
import { type AnyNode, readNode } from "./node.ts";

const FIELD = "representations";
/** The types with `@key`. */
export const ENTITIES = ["File", "KnowledgeBase"] as const;

/** `{__typename, id}`; a router may send more. */
interface Reference {
  readonly __typename: (typeof ENTITIES)[number];
  readonly id: string;
}

/**
 * All representations of one request, side by side; each has its own outcome, in its place. Equal ones are one read.
 * @throws GatewayError VALIDATION_ERROR for what is not a reference to an entity of this subgraph
 */
export function resolveReferences(
  representations: readonly unknown[],
  context: GraphQLContext,
  info: GraphQLResolveInfo
): Promise<AnyNode | null>[] {
  return representations.map(async (given) => readNode(context.reader, toNodeKey(given), info));
}

function toNodeKey(given: unknown): NodeKey {
  const { __typename, id } = (typeof given === "object" && given !== null ? given : {}) as Partial<Reference>;
  if (!ENTITIES.some((entity) => entity === __typename) || typeof id !== "string") {
    throw invalid(FIELD, `A representation is an object with __typename, one of ${ENTITIES.join(", ")}, and id.`, {
      allowedValues: ENTITIES
    });
  }
  const node = decodeNodeId(id, FIELD);
  if (node.type !== __typename) throw invalid(FIELD, `A representation's id is not the id of a ${__typename}.`);
  return node;
}
