/**
 * Errors beside data: what failed within a field that still has something to say. GraphQL knows a field's error only in
 * place of its value, so these are added to the result once it is there. Source: docs/invariants.md 3.
 */
import { GraphQLError, type GraphQLResolveInfo, responsePathAsArray } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { GatewayError } from "../../errors.ts";
import type { GraphQLContext } from "../context.ts";
import { mapPayloads, type Payload } from "./payloads.ts";

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
        const context = args.contextValue as GraphQLContext;
        setResult(mapPayloads(result, (payload) => withErrors(payload, context)));
      }
    })
  };
}

/** Each error comes with the part of the answer that holds what it is about; what is left, with the last. */
function withErrors(payload: Payload, context: GraphQLContext): Payload {
  const errors = added.get(context);
  if (errors === undefined || errors.length === 0) return payload;
  const pieces = [payload, ...(payload.incremental ?? [])];
  const placed = errors.map((error) => pieces.find((piece) => holds(piece, error.path ?? [])));
  const isLast = payload.hasNext !== true;
  const show = <P extends Payload>(piece: P, takesRest: boolean): P => {
    const own = errors.filter((_, index) => placed[index] === piece || (takesRest && placed[index] === undefined));
    return own.length === 0 ? piece : { ...piece, errors: [...(piece.errors ?? []), ...own] };
  };
  added.set(context, isLast ? [] : errors.filter((_, index) => placed[index] === undefined));
  const whole = show(payload, isLast);
  return payload.incremental === undefined
    ? whole
    : { ...whole, incremental: payload.incremental.map((piece) => show(piece, false)) };
}

/** Whether the path leads somewhere in a part, or in one of its pieces. */
function holds({ data, path: start = [] }: Payload, path: readonly (string | number)[]): boolean {
  if (data === undefined || start.some((key, index) => path[index] !== key)) return false;
  let value: unknown = data;
  for (const key of path.slice(start.length)) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
    value = (value as Readonly<Record<string | number, unknown>>)[key];
  }
  return true;
}
