/** Validation, without hints at names where the schema is not to be learned. */
import {
  GraphQLError,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
  type ValidationContext,
  type ValidationRule,
  validate
} from "graphql";
import type { Plugin } from "graphql-yoga";
import type { GraphQLContext } from "../context.ts";
import { SERVICE_FIELD } from "../subgraph.ts";

/** More than that helps nobody to put a query right. */
const MAX_ERRORS = 20;

/** `_service` tells a router what introspection tells others. */
const NoSubgraphSchema: ValidationRule = (context: ValidationContext) => ({
  Field(node) {
    if (node.name.value !== SERVICE_FIELD || context.getParentType() !== context.getSchema().getQueryType()) return;
    const message = `The schema is not told here, but the query contained ${SERVICE_FIELD}.`;
    context.reportError(new GraphQLError(message, { nodes: node }));
  }
});

/** @param introspection false refuses `__schema`, `__type` and `_service`, and leaves "Did you mean" out of messages */
export function validateQueries(introspection: boolean): Plugin<GraphQLContext, GraphQLContext> {
  const own = introspection ? [] : [NoSchemaIntrospectionCustomRule, NoSubgraphSchema];
  const options = { maxErrors: MAX_ERRORS, hideSuggestions: !introspection };
  return {
    onValidate({ setValidationFn }) {
      setValidationFn((schema, document, rules: readonly ValidationRule[] = specifiedRules) =>
        validate(schema, document, [...rules, ...own], options)
      );
    }
  };
}
