/** Renders every error of every result, wherever it arose. Source: docs/invariants.md 4. */
import type { Plugin } from "graphql-yoga";
import type { GraphQLContext } from "../context.ts";
import { type OnUnexpected, renderError } from "../errors.ts";
import { mapPayloads, type Payload } from "./payloads.ts";

export function renderErrors(onUnexpected: OnUnexpected): Plugin<GraphQLContext, GraphQLContext> {
  const render = (payload: Payload, context: GraphQLContext): Payload => {
    const { errors, incremental } = payload;
    if (errors === undefined && incremental === undefined) return payload;
    return {
      ...payload,
      ...(errors && { errors: errors.map((error) => renderError(error, context.reader, onUnexpected)) }),
      ...(incremental && { incremental: incremental.map((piece) => render(piece, context)) })
    };
  };
  return {
    onExecutionResult({ result, setResult, context }) {
      if (result !== undefined) setResult(mapPayloads(result, (payload) => render(payload, context)));
    },
    // What failed before there was an operation to run: the request itself.
    onResultProcess({ result, setResult, serverContext }) {
      if (Array.isArray(result)) {
        setResult(result.map((one) => mapPayloads(one, (payload) => render(payload, serverContext))));
      } else if (!(Symbol.asyncIterator in result)) {
        setResult(mapPayloads(result, (payload) => render(payload, serverContext)));
      }
    }
  };
}
