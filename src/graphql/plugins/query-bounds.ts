/** The caller's limits on queries, each checked at the first moment at which it can be. Source: docs/invariants.md 10. */
import { type DocumentNode, getOperationAST, getVariableValues, parse } from "graphql";
import type { Plugin } from "graphql-yoga";
import { GatewayError } from "../../errors.ts";
import type { Reader } from "../../knowledge/types.ts";
import type { GraphQLContext } from "../context.ts";
import { checkCost, checkShape, hasMoreTokens, tooComplex } from "../limits.ts";

/** More than that helps nobody to put a request right. */
const VARIABLE_ERRORS = 20;

/**
 * Tokens, while the query is parsed: a text that is too long is not read to its end, and is not validated. The parser's
 * cache serves every tenant, so what it holds is measured again.
 */
export function boundTokens(): Plugin<GraphQLContext, GraphQLContext> {
  return {
    onParse({ context, setParseFn }) {
      const maximum = context.reader.viewer.limits.queryTokens;
      setParseFn((text: string, options?: object): DocumentNode => {
        if (hasMoreTokens(text, maximum)) {
          throw tooComplex("queryTokens", maximum);
        }
        return parse(text, options);
      });
      return ({ result, replaceParseResult }) => {
        if (!(result instanceof Error) && (result?.tokenCount ?? 0) > maximum) {
          replaceParseResult(tooComplex("queryTokens", maximum));
        }
      };
    }
  };
}

/** Depth and aliases, before validation, whose own work grows with both. */
export function boundShape(): Plugin<GraphQLContext, GraphQLContext> {
  return {
    onValidate({ context, params }) {
      checkShape(params.documentAST, context.reader.viewer.limits);
    }
  };
}

/**
 * Cost, once the query is valid and its variables are known, and before the first resolver. Operations of a batch share
 * one bound.
 */
export function boundCost(hideSuggestions: boolean): Plugin<GraphQLContext, GraphQLContext> {
  const spent = new WeakMap<Reader, number>();
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const { schema, document, operationName, variableValues = {} } = args;
      const operation = getOperationAST(document, operationName);
      if (operation == null) {
        return;
      }
      if (operation.operation !== "query") {
        throw new GatewayError("BAD_REQUEST", { message: "This gateway answers queries only." });
      }
      const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variableValues, {
        maxErrors: VARIABLE_ERRORS,
        hideSuggestions
      });
      if (errors !== undefined) {
        setResultAndStopExecution({ errors });
        return;
      }
      const context: GraphQLContext = args.contextValue;
      const query = { schema, document, operation, variables: variableValues, context };
      spent.set(context.reader, checkCost(query, spent.get(context.reader) ?? 0));
    }
  };
}
