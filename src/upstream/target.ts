/** Turns an operation and its arguments into a request target, so that ids and parameters stay data. */
import { invalid } from "../errors.ts";
import { OPERATIONS, type Operation, type OperationInput } from "./operations.ts";

/** Longer than any id the upstream gives out by far; keeps a request line within what servers accept. */
const MAX_ID_LENGTH = 512;
/** Path separators, query and fragment marks, escapes, and everything that a terminal or a log would act on. */
const UNSAFE_ID = /[/\\?#%\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u;
/** Segments that are routes where a file's id stands. */
const RESERVED_FILE_IDS: readonly string[] = ["content", "search"];

/**
 * The path and query of a call, below the upstream's base URL. Everything is percent-encoded exactly once.
 * @param prefix the base URL's own path, without a trailing slash
 * @throws GatewayError VALIDATION_ERROR for an id that could name another route, and for text that is not well-formed
 *   Unicode. Source: docs/invariants.md 9.
 */
export function requestTarget(prefix: string, operation: Operation, input: OperationInput): string {
  const path = OPERATIONS[operation].path.replace(/\{(\w+)\}/g, (_, name: string) =>
    name === "fileId"
      ? encodeId("fileId", input.ids?.fileId, RESERVED_FILE_IDS)
      : encodeId(name, input.ids?.knowledgeBaseId, [])
  );
  const query = [...Object.entries(input.query ?? {}), ...(input.extra ?? [])]
    .map(([name, value]) => `${encode(name, name)}=${encode(name, value)}`)
    .join("&");
  return query === "" ? `${prefix}${path}` : `${prefix}${path}?${query}`;
}

function encodeId(field: string, id: string | undefined, reserved: readonly string[]): string {
  if (id === undefined || id === "" || id === "." || id === ".." || id.length > MAX_ID_LENGTH) throw malformed(field);
  if (UNSAFE_ID.test(id) || reserved.includes(id)) throw malformed(field);
  return encode(field, id);
}

function encode(field: string, text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    throw invalid(field, `${field} must be well-formed Unicode text.`, { reason: "MALFORMED_TEXT" });
  }
}

function malformed(field: string) {
  return invalid(field, `${field} is not an id. Use one from a listing, a search or a relation.`, {
    reason: "MALFORMED_ID"
  });
}
