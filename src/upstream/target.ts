/** Turns an operation and its arguments into a request target, so that ids and parameters stay data. */
import { invalid } from "../errors.ts";
import { checkId } from "./ids.ts";
import { OPERATIONS, type Operation, type OperationInput } from "./operations.ts";

/**
 * The path and query of a call, below the upstream's base URL. Everything is percent-encoded exactly once.
 * @param prefix the base URL's own path, without a trailing slash
 * @throws GatewayError VALIDATION_ERROR for an id that could name another route, and for text that is not well-formed
 *   Unicode. Source: docs/invariants.md 9.
 */
export function requestTarget(prefix: string, operation: Operation, input: OperationInput): string {
  const path = OPERATIONS[operation].path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encode(name, checkId(name, (name === "fileId" ? input.ids?.fileId : input.ids?.knowledgeBaseId) ?? ""))
  );
  const query = [...Object.entries(input.query ?? {}), ...(input.extra ?? [])]
    .map(([name, value]) => `${encode(name, name)}=${encode(name, value)}`)
    .join("&");
  return query === "" ? `${prefix}${path}` : `${prefix}${path}?${query}`;
}

function encode(field: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw invalid(field, `${field} must be well-formed Unicode text.`, { reason: "MALFORMED_TEXT" });
  }
}
