/**
 * The schema that is served: the plain one, and what makes it a subgraph of an Apollo Federation 2 supergraph.
 *
 * The plain one is what front ends build against; it is left as it is. Source: Apollo Federation 2, "Subgraph
 * specification".
 */
import { GraphQLError, type GraphQLSchema } from "graphql";
import { builder } from "./builder.ts";
import type { GraphQLContext } from "./context.ts";
import { COST } from "./cost.ts";
import { resolveReferences } from "./entities.ts";
import "./schema.ts";

/** The oldest that has every directive used here, so that old routers compose it too. */
const FEDERATION = "https://specs.apollo.dev/federation/v2.0";

const DIRECTIVES = ["@inaccessible", "@key", "@shareable"];

/** Tells the whole schema, as introspection does. */
export const SERVICE_FIELD = "_service";

export const subgraph: GraphQLSchema = asSubgraph();

function asSubgraph(): GraphQLSchema {
  const schema = builder.toSubGraphSchema({ linkUrl: FEDERATION, federationDirectives: DIRECTIVES });
  const { _entities: entities, _service: service } = schema.getQueryType()?.getFields() ?? {};
  if (entities === undefined || service === undefined) throw new GraphQLError("The subgraph has no entities.");
  service.description = "This schema as a subgraph, for composition.";
  entities.description = "Reads objects again by their keys, for a supergraph's router. Follows `node`.";
  // Apollo's own resolver ends the whole field for one reference that it does not know.
  entities.resolve = (
    _root,
    { representations }: { representations: readonly unknown[] },
    context: GraphQLContext,
    info
  ) => resolveReferences(representations, context, info);
  entities.extensions = {
    ...entities.extensions,
    complexity: ({ representations }: { representations: readonly unknown[] }) => ({
      field: representations.length * COST.read,
      multiplier: representations.length
    })
  };
  return schema;
}
