/** The upstream's refusals in the envelopes that were recorded of it. */
import { randomUUID } from "node:crypto";

/** What a test decides to answer with: a body as JSON, raw bytes, or nothing but a status. */
export interface FakeResponse {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is. */
  readonly raw?: Buffer | string;
  /** Bytes on the connection right behind the answer: what nobody asked for. */
  readonly trailing?: string;
}

/** `{error: {code, message, httpStatus, details?}, requestId}` with the same id as a header. */
export function refusal(
  status: number,
  code: string,
  message: string,
  details?: Readonly<Record<string, unknown>>
): FakeResponse {
  const requestId = `req-${randomUUID()}`;
  return {
    status,
    headers: { "x-request-id": requestId },
    body: { error: { code, message, httpStatus: status, ...(details === undefined ? {} : { details }) }, requestId }
  };
}

export function notFoundAnswer(): FakeResponse {
  return refusal(404, "NOT_FOUND", "Resource was not found.");
}

export function unauthorized(): FakeResponse {
  return refusal(401, "UNAUTHORIZED", "Valid bearer API key is required.");
}

/** 429. With a number the wait is named in details and header, as the upstream does; with `null` it is named nowhere. */
export function rateLimited(seconds: number | null = 30): FakeResponse {
  const answer = refusal(
    429,
    "RATE_LIMITED",
    "Too many requests. Wait briefly and retry.",
    seconds === null
      ? undefined
      : {
          retryHint: "retry_after_short_delay",
          retryAfterSeconds: seconds,
          retryGuidance: "Wait briefly before sending the next Developer OpenAPI request."
        }
  );
  return seconds === null ? answer : { ...answer, headers: { ...answer.headers, "retry-after": String(seconds) } };
}

/** 503, as storage or search give it. */
export function serviceUnavailable(code = "DATABASE_REPOSITORY_UNAVAILABLE"): FakeResponse {
  return refusal(503, code, "The service is temporarily unavailable.");
}

export function searchTimeout(): FakeResponse {
  return refusal(504, "SEARCH_TIMEOUT", "Search exceeded the configured response deadline.");
}

export function internalError(): FakeResponse {
  return refusal(500, "INTERNAL_ERROR", "Internal server error.");
}

export function payloadTooLarge(): FakeResponse {
  return refusal(413, "PAYLOAD_TOO_LARGE", "The requested file exceeds the configured content read limit.");
}

/** A refusal that carries a code and nothing else. */
export function bareCode(status: number, code: string): FakeResponse {
  return { status, body: { error: { code } } };
}

export function invalidField(field: string, message: string): FakeResponse {
  return refusal(422, "VALIDATION_ERROR", message, { field });
}

export function invalidCursor(): FakeResponse {
  return invalidField("cursor", "Pagination cursor is invalid.");
}

/** The refusals of search and expansion name a code, not a field. */
export function invalidCode(code: string): FakeResponse {
  const subject = code.includes("EXPANSION") ? "Relationship exploration" : "File search";
  return refusal(422, "VALIDATION_ERROR", `${subject} query is invalid.`, { code });
}
