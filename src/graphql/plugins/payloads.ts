/** Changes a result, or each part of one that comes in parts. */
import type { GraphQLError } from "graphql";
import { isAsyncIterable, mapAsyncIterator } from "graphql-yoga";

/** A result, a part of one, or a piece of such a part. */
export interface Payload {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[];
  /** Pieces of a later part, each with its place in the answer. */
  readonly incremental?: readonly Payload[];
  readonly path?: readonly (string | number)[];
  /** Whether another part follows; left out of a result that comes at once. */
  readonly hasNext?: boolean;
}

export function mapPayloads<Result>(result: Result, change: (payload: Payload) => Payload): Result {
  return (
    isAsyncIterable(result) ? mapAsyncIterator(result as AsyncIterable<Payload>, change) : change(result as Payload)
  ) as Result;
}
