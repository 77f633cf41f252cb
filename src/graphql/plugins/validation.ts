/** Validation, without hints at names where the schema is not to be learned. */
import { NoSchemaIntrospectionCustomRule, specifiedRules, validate } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { GraphQLContext } from "../context.ts";

/** More than that helps nobody to put a query right. */
const MAX_ERRORS = 20;

/** @param introspection false refuses `__schema` and `__type`, and leaves "Did you mean" out of messages */
export function validateQueries(introspection: boolean): Plugin<GraphQLContext, GraphQLContext> {
  const rules = introspection ? specifiedRules : [...specifiedRules, NoSchemaIntrospectionCustomRule];
  const options = { maxErrors: MAX_ERRORS, hideSuggestions: !introspection };
  return {
    onValidate({ setValidationFn }) {
      setValidationFn((schema, document) => validate(schema, document, rules, options));
    }
  };
}
