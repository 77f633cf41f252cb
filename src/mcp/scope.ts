/** What one MCP request may speak of: everything its caller is granted, or the one knowledge base in its URL. */
import * as z from "zod";
import { GatewayError, invalid } from "../errors.ts";
import type { KnowledgeBaseReader, OperationName, Reader } from "../knowledge/types.ts";
import { parseArguments } from "../tools/arguments.ts";
import { optional, text } from "../tools/fields.ts";

export interface Scope {
  readonly reader: Reader;
  /** The knowledge base that `/mcp/{kb}` names, as the URL spells it; null at `/mcp`. */
  readonly boundTo: string | null;
  /** Anything thrown, as an error that may be shown; what no table foresees is masked, and handed to the log. */
  expected(thrown: unknown): GatewayError;
}

/** The argument that calls at `/mcp` have and calls at `/mcp/{kb}` do not need. */
export const KNOWLEDGE_BASE_ARGUMENT = {
  knowledgeBase: optional(text, "A key, or a hit's knowledgeBaseId; needed if there are several.")
};
/** The same for a search, which goes through all of them without it. */
export const SEARCHED_ARGUMENT = {
  knowledgeBase: optional(text, "A key from list_knowledge_bases. Left out: all are searched.")
};
const chosen = z.object(KNOWLEDGE_BASE_ARGUMENT);

/**
 * The knowledge base that a call is about.
 * @param given the call's arguments as they came
 * @throws NOT_FOUND for one that is not granted, like for one that does not exist; VALIDATION_ERROR naming the choices
 */
export async function knowledgeBaseOf({ reader, boundTo }: Scope, given: unknown): Promise<KnowledgeBaseReader> {
  const key = boundTo ?? parseArguments(chosen, given).knowledgeBase;
  if (key !== undefined) return reader.knowledgeBase(key);
  try {
    return await reader.onlyKnowledgeBase();
  } catch (error) {
    throw error instanceof GatewayError ? asArgument(error) : error;
  }
}

/** Whether a search is about several knowledge bases: where none is named and more than one is granted. */
export async function isAboutAll({ reader, boundTo }: Scope, given: unknown): Promise<boolean> {
  if (boundTo !== null || parseArguments(chosen, given).knowledgeBase !== undefined) return false;
  return (await reader.soleKnowledgeBase()) === null;
}

/** Whether the caller has the operation in a knowledge base of the scope. */
export async function mayUse(scope: Scope, operation: OperationName): Promise<boolean> {
  if (scope.boundTo !== null) return (await scope.reader.knowledgeBase(scope.boundTo)).may(operation);
  return scope.reader.viewer.grants.some((grant) => grant.operations.includes(operation));
}

/** The reader speaks of paths, where REST has the key; here it is an argument. */
function asArgument(error: GatewayError): GatewayError {
  const choices = error.details?.allowedValues;
  if (error.code !== "VALIDATION_ERROR" || !Array.isArray(choices)) return error;
  return invalid("knowledgeBase", `Send knowledgeBase, one of ${choices.join(", ")}.`, error.details);
}
