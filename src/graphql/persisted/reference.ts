/** How a request names an operation instead of writing it out. */
import { GatewayError } from "../../errors.ts";

export interface OperationReference {
  readonly id: string;
  /** Whether the id is the SHA-256 of the text, so that a text can be checked against it, and remembered under it. */
  readonly isHash: boolean;
}

interface Parameters {
  readonly query?: unknown;
  readonly extensions?: unknown;
}

/** Beside those that GraphQL over HTTP has: its appendix on persisted documents, and Relay's examples. */
export const ID_PARAMETERS = ["documentId", "doc_id", "id"] as const;

const SHA256_PREFIX = "sha256:";

/**
 * `extensions.persistedQuery.sha256Hash`, as Apollo's clients send it, or one of `ID_PARAMETERS`.
 * @returns null where the request names none
 * @throws GatewayError BAD_REQUEST for a name that cannot be read, or for two different ones
 */
export function referenceIn(parameters: Parameters & Readonly<Record<string, unknown>>): OperationReference | null {
  const ids = ID_PARAMETERS.map((name) => parameters[name]).filter((id) => id !== undefined && id !== null);
  const hash = hashIn(parameters.extensions);
  const named = [...ids, ...(hash === null ? [] : [hash])].map((id) => {
    if (typeof id !== "string" || id === "") throw unreadable(ID_PARAMETERS[0], "An operation's id is text.");
    return id.startsWith(SHA256_PREFIX) ? id.slice(SHA256_PREFIX.length) : id;
  });
  const [id, ...others] = named;
  if (id === undefined) return null;
  if (others.some((other) => other !== id)) {
    throw unreadable(ID_PARAMETERS[0], "The request names two operations. Send one id.");
  }
  return { id, isHash: hash !== null };
}

function hashIn(extensions: unknown): unknown {
  if (!isObject(extensions) || extensions.persistedQuery === undefined || extensions.persistedQuery === null)
    return null;
  const { persistedQuery } = extensions;
  if (!isObject(persistedQuery) || persistedQuery.version !== 1 || persistedQuery.sha256Hash === undefined) {
    throw unreadable("extensions.persistedQuery", "extensions.persistedQuery is {version: 1, sha256Hash}.");
  }
  return persistedQuery.sha256Hash;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function unreadable(field: string, message: string): GatewayError {
  return new GatewayError("BAD_REQUEST", { message, details: { field } });
}
