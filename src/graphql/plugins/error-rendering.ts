/** Renders every error of every result, wherever it arose. Source: docs/invariants.md 4. */
import type { GraphQLError } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { GraphQLContext } from "../context.ts";
import { type OnUnexpected, renderError } from "../errors.ts";

interface Result {
  readonly errors?: readonly GraphQLError[];
}

export function renderErrors(onUnexpected: OnUnexpected): Plugin<GraphQLContext, GraphQLContext> {
  const render = <R extends Result>(result: R, { reader }: GraphQLContext): R =>
    result.errors === undefined
      ? result
      : { ...result, errors: result.errors.map((error) => renderError(error, reader.requestId, onUnexpected)) };
  return {
    onExecutionResult({ result, setResult, context }) {
      if (result !== undefined && !isStream(result)) {
        setResult(render(result, context));
      }
    },
    // What failed before there was an operation to run: the request itself.
    onResultProcess({ result, setResult, serverContext }) {
      if (!isStream(result)) {
        setResult(
          Array.isArray(result) ? result.map((one) => render(one, serverContext)) : render(result, serverContext)
        );
      }
    }
  };
}

function isStream<T>(result: T | AsyncIterable<unknown>): result is AsyncIterable<unknown> {
  return typeof result === "object" && result !== null && Symbol.asyncIterator in result;
}
