/**
 * Errors beside data: what failed within a field that still has something to say. GraphQL knows a field's error only in
 * place of its value, so these are added to the result once it is there. Source: docs/invariants.md 3.
 */
import { GraphQLError, type GraphQLResolveInfo, responsePathAsArray } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { GatewayError } from "../../errors.ts";
import type { GraphQLContext } from "../context.ts";

/** By the context of the operation. */
const added = new WeakMap<GraphQLContext, GraphQLError[]>();

/** @param below where in the field's value, as the answer will have it */
export function addErrors(
  context: GraphQLContext,
  info: GraphQLResolveInfo,
  below: readonly (string | number)[],
  error: GatewayError
): void {
  const path = [...responsePathAsArray(info.path), ...below];
  const located = new GraphQLError(error.message, { nodes: info.fieldNodes, path, originalError: error });
  added.set(context, [...(added.get(context) ?? []), located]);
}

export function showErrorsBesideData(): Plugin<GraphQLContext, GraphQLContext> {
  return {
    onExecute: () => ({
      onExecuteDone({ args, result, setResult }) {
        const errors = added.get(args.contextValue as GraphQLContext);
        if (errors === undefined || Symbol.asyncIterator in result) return;
        setResult({ ...result, errors: [...(result.errors ?? []), ...errors] });
      }
    })
  };
}
