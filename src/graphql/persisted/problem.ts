/** Whether a persisted operation fits the schema, for whoever wants to know before it is served. */
import { GraphQLError, parse, specifiedRules, validate } from "graphql";
import { schema } from "../schema.ts";

/** @returns the first thing that is wrong with the text, null where nothing is */
export function problemOfOperation(text: string): string | null {
  try {
    return validate(schema, parse(text), specifiedRules, { maxErrors: 1 })[0]?.message ?? null;
  } catch (error) {
    if (error instanceof GraphQLError) return error.message;
    throw error;
  }
}
