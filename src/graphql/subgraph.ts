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
  lexicographicSortSchema,
  specifiedDirectives
} from "graphql";
import type { GraphQLContext } from "./context.ts";
import { COST } from "./cost.ts";
import { ENTITIES, resolveReferences } from "./entities.ts";
import { schema } from "./schema.ts";
import { printSubgraphSdl } from "./sdl.ts";

/** Tells the whole schema, as introspection does. */
export const SERVICE_FIELD = "_service";

/** What a representation is; `resolveReferences` reads it. */
const Any = new GraphQLScalarType({ name: "_Any" });

const Service = new GraphQLObjectType({
  name: "_Service",
  fields: {
    sdl: { type: GraphQLString, description: "The SDL with its federation directives.", resolve: printSubgraphSdl }
  }
});

export const subgraph: GraphQLSchema = asSubgraph();

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
      directives: specifiedDirectives
    })
  );
}

/** The plain schema's query type, and the two fields that routers ask for. */
function queryWith(plain: GraphQLObjectType, Entity: GraphQLUnionType): GraphQLObjectType {
  const { fields, ...query } = plain.toConfig();
  return new GraphQLObjectType<unknown, GraphQLContext>({
    ...query,
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
