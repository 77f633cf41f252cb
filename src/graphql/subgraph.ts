/**
 * The schema that is served: the plain one, and what makes it a subgraph of an Apollo Federation 2 supergraph.
 *
 * The plain one is what front ends build against; it is left as it is. Source: Apollo Federation 2, "Subgraph
 * specification".
 */
import {
  GraphQLError,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isObjectType,
  Kind,
  lexicographicSortSchema,
  type ObjectTypeDefinitionNode,
  parse,
  specifiedDirectives
} from "graphql";
import type { GraphQLContext } from "./context.ts";
import { COST } from "./cost.ts";
import { ENTITIES, resolveReferences } from "./entities.ts";
import { schema } from "./schema.ts";

/** The oldest version that has every directive used here, so that old routers compose it too. */
const LINK = `extend schema @link(
  url: "https://specs.apollo.dev/federation/v2.0"
  import: ["@inaccessible", "@key", "@shareable"]
)`;

/** Tells the whole schema, as introspection does. */
export const SERVICE_FIELD = "_service";

/** What a representation is; `resolveReferences` reads it. */
const Any = new GraphQLScalarType({ name: "_Any" });

const Service = new GraphQLObjectType({
  name: "_Service",
  fields: {
    sdl: { type: GraphQLString, description: "The SDL with its federation directives.", resolve: () => subgraphSdl() }
  }
});

export const subgraph: GraphQLSchema = asSubgraph();

let sdl: Promise<string> | undefined;

/** The subgraph's SDL, with the directives of federation: what composition takes. */
export function subgraphSdl(): Promise<string> {
  sdl ??= print();
  return sdl;
}

async function print(): Promise<string> {
  // It holds all of federation, which only who composes a supergraph asks for.
  const { printSubgraphSchema } = await import("@apollo/subgraph");
  return `${printSubgraphSchema(subgraph).trimEnd()}\n`;
}

function asSubgraph(): GraphQLSchema {
  const config = schema.toConfig();
  const { query } = config;
  if (query === null || query === undefined) throw new GraphQLError("The schema has no query type.");
  const others = config.types.filter((type) => type !== query);
  const Entity = new GraphQLUnionType({
    name: "_Entity",
    types: others.filter(isObjectType).filter(({ name }) => ENTITIES.some((entity) => entity === name))
  });
  return lexicographicSortSchema(
    new GraphQLSchema({
      ...config,
      query: queryWith(query, Entity),
      types: others,
      directives: specifiedDirectives,
      extensionASTNodes: parse(LINK).definitions.filter((node) => node.kind === Kind.SCHEMA_EXTENSION)
    })
  );
}

/** The plain schema's query type, and the two fields that routers ask for. */
function queryWith(plain: GraphQLObjectType, Entity: GraphQLUnionType): GraphQLObjectType {
  const { fields, ...query } = plain.toConfig();
  return new GraphQLObjectType<unknown, GraphQLContext>({
    ...query,
    astNode: inOrder(plain.astNode),
    fields: {
      ...fields,
      [SERVICE_FIELD]: {
        type: new GraphQLNonNull(Service),
        description: "This schema as a subgraph, for composition.",
        resolve: () => ({})
      },
      _entities: {
        type: new GraphQLNonNull(new GraphQLList(Entity)),
        description: "Reads objects again by their keys, for a supergraph's router. Follows `node`.",
        args: { representations: { type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(Any))) } },
        resolve: (_root, { representations }: { representations: readonly unknown[] }, context, info) =>
          resolveReferences(representations, context, info),
        extensions: {
          complexity: ({ representations }: { representations: readonly unknown[] }) => ({
            field: representations.length * COST.read,
            multiplier: representations.length
          })
        }
      }
    }
  });
}

/** Fields of the query type stand in many files; printed in the order of their names, no import's place shows. */
function inOrder(node: ObjectTypeDefinitionNode | null | undefined): ObjectTypeDefinitionNode | null {
  if (node === null || node === undefined) return null;
  return { ...node, fields: [...(node.fields ?? [])].sort((a, b) => (a.name.value < b.name.value ? -1 : 1)) };
}
