/**
 * The closed table of errors, and the one error class that may cross a room's border.
 *
 * Every surface renders the same object: REST as the upstream's envelope, GraphQL as `extensions`, MCP as JSON text.
 * Source: docs/invariants.md 3 and 4; docs/errors.md lists the table for readers.
 */
import { randomUUID } from "node:crypto";

/** What a code means on the wire: the HTTP status, and whether the same request may succeed later. */
interface ErrorKind {
  readonly httpStatus: number;
  readonly retryable: boolean;
  /** Shown where the thrower has nothing more precise to say. Never holds upstream text. */
  readonly message: string;
}

export const ERRORS = {
  // The gateway's own.
  UNAUTHORIZED: kind(401, false, "A valid bearer API key or token is required."),
  FORBIDDEN: kind(403, false, "This operation is not granted to the caller."),
  QUERY_TOO_COMPLEX: kind(400, false, "The query costs more than the limit allows."),
  BAD_REQUEST: kind(400, false, "The request could not be understood."),
  METHOD_NOT_ALLOWED: kind(405, false, "The method is not supported by this route."),
  NOT_ACCEPTABLE: kind(406, false, "None of the media types that the request accepts can be answered with."),
  UNSUPPORTED_MEDIA_TYPE: kind(415, false, "The body's content type is not supported by this route."),
  UNSUPPORTED_ROUTE: kind(404, false, "Route is not supported."),
  OVERLOADED: kind(503, true, "The gateway is busy. Retry after a short delay."),
  UPSTREAM_TIMEOUT: kind(504, true, "The knowledge service did not answer in time."),
  UPSTREAM_UNAVAILABLE: kind(503, true, "The knowledge service cannot be reached."),
  UPSTREAM_INVALID_RESPONSE: kind(502, true, "The knowledge service gave an answer that could not be understood."),
  UPSTREAM_AUTHENTICATION_FAILED: kind(502, false, "The knowledge service refused the gateway's credentials."),
  // The upstream's, which pass as they are.
  NOT_FOUND: kind(404, false, "Resource was not found."),
  INVALID_PATH: kind(400, false, "The request path is not valid."),
  VALIDATION_ERROR: kind(422, false, "The request is not valid."),
  RATE_LIMITED: kind(429, true, "Too many requests. Wait and retry."),
  CONFLICT: kind(409, false, "The resource cannot answer this operation."),
  PAYLOAD_TOO_LARGE: kind(413, false, "The content is larger than the limit."),
  SEARCH_TIMEOUT: kind(504, true, "Search did not answer in time."),
  SEARCH_UNAVAILABLE: kind(503, true, "Search is temporarily unavailable."),
  SEARCH_OVERLOADED: kind(503, true, "Search is busy. Retry after a short delay."),
  DATABASE_REPOSITORY_UNAVAILABLE: kind(503, true, "The knowledge service's storage is temporarily unavailable."),
  INTERNAL_ERROR: kind(500, true, "Internal server error.")
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERRORS;

/** Machine-readable particulars: `field`, `reason`, `limit`, `allowedValues`, `restart`, `code`, `retryAfterSeconds`. */
export type ErrorDetails = Readonly<Record<string, unknown>>;

export interface ErrorOptions {
  readonly message?: string;
  readonly details?: ErrorDetails;
  /** Whole seconds after which a retry may succeed; only where a wait is known. */
  readonly retryAfterSeconds?: number;
  /** The upstream's request id, where an upstream answer is the cause. */
  readonly requestId?: string;
  /** For the log only; never rendered. */
  readonly cause?: unknown;
  /**
   * True where the upstream *answered* with this error. An answer can tell that a hidden file exists; a refused
   * connection cannot. Source: docs/invariants.md 2.
   */
  readonly answered?: boolean;
}

/** The object all surfaces render. `requestId` is the upstream's where it brought the error, else the request's own. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly httpStatus: number;
  readonly details?: ErrorDetails;
}

export class GatewayError extends Error {
  override readonly name = "GatewayError";
  readonly code: ErrorCode;
  readonly httpStatus: number;
  readonly retryable: boolean;
  readonly details: ErrorDetails | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly requestId: string | undefined;
  readonly answered: boolean;

  constructor(code: ErrorCode, options: ErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.httpStatus = ERRORS[code].httpStatus;
    this.retryable = ERRORS[code].retryable;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.requestId = options.requestId;
    this.answered = options.answered ?? false;
    this.details =
      options.retryAfterSeconds === undefined
        ? options.details
        : { ...options.details, retryAfterSeconds: options.retryAfterSeconds };
  }

  /** The error object without its envelope. */
  body(): ErrorBody {
    const { code, message, httpStatus, details } = this;
    return details === undefined ? { code, message, httpStatus } : { code, message, httpStatus, details };
  }
}

/** The one NOT_FOUND: what is hidden, not granted or absent is the same object. Source: docs/invariants.md 2. */
export function notFound(): GatewayError {
  return new GatewayError("NOT_FOUND");
}

/**
 * A refused argument.
 * @param field the argument's name as the caller wrote it
 * @param message a sentence that names the field, the limit and the way out
 */
export function invalid(field: string, message: string, details: ErrorDetails = {}): GatewayError {
  return new GatewayError("VALIDATION_ERROR", { message, details: { field, ...details } });
}

/** @param allowedValues methods that the route has */
export function methodNotAllowed(message: string, allowedValues: readonly string[]): GatewayError {
  return new GatewayError("METHOD_NOT_ALLOWED", { message, details: { allowedValues } });
}

/**
 * Headers that an error brings on every surface, by their names in lower case: `retry-after` where a wait is known,
 * `allow` with a 405, `www-authenticate` with a 401. Source: docs/invariants.md 4; RFC 9110 sections 15.5.2 and 15.5.6.
 */
export function errorHeaders({ httpStatus, details, retryAfterSeconds }: GatewayError): Record<string, string> {
  const methods = httpStatus === 405 && Array.isArray(details?.allowedValues) ? details.allowedValues : null;
  return {
    ...(retryAfterSeconds === undefined ? {} : { "retry-after": String(retryAfterSeconds) }),
    ...(methods === null ? {} : { allow: methods.join(", ") }),
    ...(httpStatus === 401 ? { "www-authenticate": 'Bearer realm="focowiki-gateway"' } : {})
  };
}

/** A request id of the gateway's own, in the form that the upstream uses. */
export function newRequestId(): string {
  return `req-${randomUUID()}`;
}

/** Anything thrown, as a GatewayError; what is not one is masked as INTERNAL_ERROR with the original as `cause`. */
export function toGatewayError(thrown: unknown): GatewayError {
  return thrown instanceof GatewayError ? thrown : new GatewayError("INTERNAL_ERROR", { cause: thrown });
}

/** The REST envelope, as the upstream writes it. */
export function errorEnvelope(error: GatewayError, requestId: string): { error: ErrorBody; requestId: string } {
  return { error: error.body(), requestId: error.requestId ?? requestId };
}

function kind(httpStatus: number, retryable: boolean, message: string): ErrorKind {
  return { httpStatus, retryable, message };
}
