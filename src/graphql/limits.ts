/** Bounds on a query, each named in its refusal. Source: docs/invariants.md 8 and 10. */
import { complexityFromQuery } from "@pothos/plugin-complexity";
import {
  type DocumentNode,
  type GraphQLSchema,
  Kind,
  Lexer,
  type OperationDefinitionNode,
  Source,
  TokenKind
} from "graphql";
import { GatewayError } from "../errors.ts";
import type { Limits } from "../knowledge/types.ts";
import type { GraphQLContext } from "./context.ts";
import { measureShape } from "./shape.ts";

const REFUSALS = {
  queryTokens: (maximum: number) =>
    `The query has more than ${maximum} lexical tokens, the limit queryTokens. Send a shorter query.`,
  queryDepth: (maximum: number, actual: number | undefined) =>
    `The query nests fields ${actual === undefined ? "without end" : `${actual} deep`}; the limit queryDepth is ` +
    `${maximum}. Read the rest by node ids.`,
  aliases: (maximum: number, actual: number | undefined) =>
    `The operation has ${actual} aliased fields; the limit aliases is ${maximum}. Send several requests.`,
  queryComplexity: (maximum: number, actual: number | undefined) =>
    `The request costs ${actual}; the limit queryComplexity is ${maximum}. Ask for fewer items or fewer fields.`,
  batchSize: (maximum: number, actual: number | undefined) =>
    `The batch has ${actual} operations; the limit batchSize is ${maximum}. Send several requests.`
} as const;

/**
 * QUERY_TOO_COMPLEX with `details {limit, maximum, actual}`.
 * @param actual left out where it is not known or has no end
 */
export function tooComplex(limit: keyof typeof REFUSALS, maximum: number, actual?: number): GatewayError {
  const counted = actual === undefined ? undefined : Math.min(actual, Number.MAX_SAFE_INTEGER);
  return new GatewayError("QUERY_TOO_COMPLEX", {
    message: REFUSALS[limit](maximum, counted),
    details: { limit, maximum, ...(counted === undefined ? {} : { actual: counted }) }
  });
}

/** Whether the text has more tokens than that; false where it stops being GraphQL first. Reads no further than it must. */
export function hasMoreTokens(text: string, maximum: number): boolean {
  const lexer = new Lexer(new Source(text));
  try {
    for (let count = 0; lexer.advance().kind !== TokenKind.EOF; count += 1) {
      if (count === maximum) {
        return true;
      }
    }
  } catch {
    // What is wrong with it, the parser says.
  }
  return false;
}

/** @throws GatewayError QUERY_TOO_COMPLEX for a document, valid or not, that is too deep or has too many aliases */
export function checkShape(document: DocumentNode, limits: Limits): void {
  const { depth, aliases } = measureShape(document);
  if (depth > limits.queryDepth) {
    throw tooComplex("queryDepth", limits.queryDepth, Number.isFinite(depth) ? depth : undefined);
  }
  if (aliases > limits.aliases) {
    throw tooComplex("aliases", limits.aliases, aliases);
  }
}

export interface Query {
  readonly schema: GraphQLSchema;
  /** Valid. */
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly context: GraphQLContext;
}

/**
 * @param spent what other operations of the same request cost
 * @returns what the request costs with this one
 * @throws GatewayError QUERY_TOO_COMPLEX where that is too much
 */
export function checkCost({ schema, document, operation, variables, context }: Query, spent: number): number {
  const { complexity } = complexityFromQuery(
    { kind: Kind.DOCUMENT, definitions: [operation, ...document.definitions.filter(isFragment)] },
    { schema, variables: { ...variables }, ctx: context }
  );
  const cost = Math.ceil(spent + complexity);
  const maximum = context.reader.viewer.limits.queryComplexity;
  if (cost > maximum) {
    throw tooComplex("queryComplexity", maximum, cost);
  }
  return cost;
}

function isFragment(definition: DocumentNode["definitions"][number]): boolean {
  return definition.kind === Kind.FRAGMENT_DEFINITION;
}
