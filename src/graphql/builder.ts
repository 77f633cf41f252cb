/**
 * The Pothos builder. It defines no types: each type has a file of its own, and `schema.ts` lists them all. Fields are nullable unless they say otherwise, so that what a release of the upstream lacks is null.
 */
import SchemaBuilder from "@pothos/core";
import ComplexityPlugin from "@pothos/plugin-complexity";
import DirectivesPlugin from "@pothos/plugin-directives";
import RelayPlugin from "@pothos/plugin-relay";
import type { GraphQLContext } from "./context.ts";
import { COST } from "./cost.ts";

interface OwnTypes {
  Context: GraphQLContext;
  Scalars: {
    ID: { Input: string; Output: string };
    DateTime: { Input: never; Output: string };
    JSON: { Input: never; Output: unknown };
    SafeInt: { Input: number; Output: number };
  };
}

export const builder = new SchemaBuilder<OwnTypes>({
  plugins: [RelayPlugin, ComplexityPlugin, DirectivesPlugin],
  // What a field costs is said where it is defined; `limits.ts` adds it up before anything runs.
  complexity: { disabled: true, defaultComplexity: COST.plain, defaultListMultiplier: 1 },
  relay: {
    // `node.ts` has its own, which say null for what is hidden and name the argument that cannot be read.
    nodeQueryOptions: false,
    nodesQueryOptions: false,
    idFieldOptions: { description: "Opaque and stable; `node` and `nodes` read the object again by it." },
    nodeTypeOptions: { description: "An object that can be read again by its id." },
    // Every Relay subgraph has the same one.
    pageInfoTypeOptions: {
      description: "Where a page lies in its list. Lists are walked forward only.",
      directives: { shareable: {} }
    },
    hasNextPageFieldOptions: {
      description:
        "True exactly when another visible item exists or, where finding out would pass the request's bound on calls, " +
        "when the knowledge service has more: the next page may then be empty."
    },
    hasPreviousPageFieldOptions: { description: "Always false: lists are walked forward only." },
    startCursorFieldOptions: { description: "The first edge's cursor; null on a page without edges." },
    endCursorFieldOptions: {
      description:
        "As `after` it starts the next page. On a page without edges it is the position reached, or null where there " +
        "is none."
    }
  }
});

/** The builder's own view of its types, for helpers that take its refs. */
export type SchemaTypes = (typeof builder)["$inferSchemaTypes"];
