/** The schema in SDL, as it is checked in under `schema/`: each text with a line end at its end. */
import {
  type DefinitionNode,
  isIntrospectionType,
  isSpecifiedScalarType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema
} from "graphql";
import { schema } from "./schema.ts";

/** The oldest version of federation that has every directive used here, so that old routers compose it too. */
const LINK = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.0"
  import: ["@inaccessible", "@key", "@shareable"]
)`;

/** Sorted by names: what front ends build against. */
export function printSdl(): string {
  return `${printSchema(schema)}\n`;
}

/**
 * As a subgraph, with the directives of federation: what composition takes. The types of federation's own are left out,
 * as composition knows them. Source: Apollo Federation 2, "Subgraph specification".
 */
export function printSubgraphSdl(): string {
  const types = Object.values(schema.getTypeMap()).filter(
    (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type)
  );
  // printSchema leaves out which directives are applied; the builder's nodes have them.
  const nodes: DefinitionNode[] = types.map((type) => type.astNode ?? missing(type.name));
  const definitions = nodes.map((node) => (node === schema.getQueryType()?.astNode ? inOrder(node) : node));
  return `${print({ kind: Kind.DOCUMENT, definitions: [...parse(LINK).definitions, ...definitions] })}\n`;
}

/** The fields of the query type stand in many files; in the order of their names, no import's place shows. */
function inOrder(node: ObjectTypeDefinitionNode): ObjectTypeDefinitionNode {
  return { ...node, fields: node.fields?.toSorted((a, b) => (a.name.value < b.name.value ? -1 : 1)) ?? [] };
}

function missing(type: string): never {
  throw new Error(`The type ${type} has no node to print.`);
}
