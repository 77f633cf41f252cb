/**
 * Errors as GraphQL shows them: `extensions {code, httpStatus, requestId, retryAfterSeconds, details}`. The gateway's own
 * pass, GraphQL's own refusals of a query pass, everything else is masked. Source: docs/invariants.md 4.
 */
import { GraphQLError, Kind } from "graphql";
import { errorHeaders, type GatewayError, toGatewayError } from "../errors.ts";
import type { Reader } from "../knowledge/types.ts";

/** Tells of what was masked, for the log. */
export type OnUnexpected = (error: unknown, requestId: string) => void;

/** Of GraphQL's own refusals, beside the closed table: its parser's, its validator's, and those of persisted operations. */
export const GRAPHQL_CODES = [
  "BAD_USER_INPUT",
  "GRAPHQL_PARSE_FAILED",
  "GRAPHQL_VALIDATION_FAILED",
  "OPERATION_RESOLUTION_FAILURE",
  "PERSISTED_QUERY_NOT_FOUND",
  "PERSISTED_QUERY_NOT_SUPPORTED"
] as const;

export interface ErrorExtensions {
  readonly code: string;
  readonly httpStatus: number;
  readonly requestId: string;
  readonly retryAfterSeconds?: number;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Read by Yoga, and taken out before the answer is written. `spec`: 200 for clients that accept only application/json. */
interface HttpHint {
  readonly status?: number;
  readonly spec?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

export function gatewayExtensions(error: GatewayError, requestId: string): ErrorExtensions {
  const { code, httpStatus, retryAfterSeconds, details } = error;
  return {
    code,
    httpStatus,
    requestId: error.requestId ?? requestId,
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    ...(details === undefined ? {} : { details })
  };
}

/** What was made here: it may come by twice, and is shown as it is. */
const rendered = new WeakSet<GraphQLError>();

/** An error of an execution result, as it is shown. The reader is told of it the first time. */
export function renderError(
  error: GraphQLError,
  { requestId, noteError }: Pick<Reader, "requestId" | "noteError">,
  onUnexpected: OnUnexpected
): GraphQLError {
  if (rendered.has(error)) {
    return error;
  }
  const cause = causeOf(error);
  const refused = cause === null && !isServerFault(error);
  const shown = refused ? ownRefusal(error, requestId) : failure(error, cause ?? error, requestId, onUnexpected);
  rendered.add(shown);
  noteError(String(shown.extensions.code));
  return shown;
}

/** What a resolver or a plugin threw, below GraphQL's own wrappers; null where GraphQL itself refuses. */
function causeOf(error: GraphQLError): unknown {
  let cause: unknown = error;
  while (cause instanceof GraphQLError) {
    cause = cause.originalError ?? null;
  }
  return cause;
}

/** A value that an answer's type cannot show is the server's fault; an argument that its type refuses is the caller's. */
function isServerFault(error: GraphQLError): boolean {
  return error.path !== undefined && (error.nodes ?? []).every((node) => node.kind === Kind.FIELD);
}

function failure(located: GraphQLError, thrown: unknown, requestId: string, onUnexpected: OnUnexpected): GraphQLError {
  const error = toGatewayError(thrown);
  if (error !== thrown) {
    onUnexpected(thrown, requestId);
  }
  return copy(located, error.message, {
    ...gatewayExtensions(error, requestId),
    // A field's error leaves the answer its 200; one without a path is the whole answer.
    ...(located.path === undefined ? { http: { status: error.httpStatus, headers: errorHeaders(error) } } : {})
  });
}

/** GraphQL's own words, for a request that it cannot read, validate or coerce. */
function ownRefusal(error: GraphQLError, requestId: string): GraphQLError {
  const {
    originalError: _,
    http: hint,
    code,
    ...rest
  } = error.extensions as {
    originalError?: unknown;
    http?: HttpHint;
    code?: string;
  };
  const http = hint ?? { status: 400, spec: true };
  return copy(error, error.message, {
    ...rest,
    code: code ?? "BAD_USER_INPUT",
    httpStatus: http.status ?? 400,
    requestId,
    ...(error.path === undefined ? { http } : {})
  });
}

/** The same error with other words and without the error behind it. */
function copy(error: GraphQLError, message: string, extensions: Readonly<Record<string, unknown>>): GraphQLError {
  const { nodes = null, source = null, positions = null, path = null } = error;
  return new GraphQLError(message, { nodes, source, positions, path, extensions });
}
