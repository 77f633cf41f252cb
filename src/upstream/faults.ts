/**
 * From what an upstream refuses or breaks to the closed table of errors. Messages are the gateway's own; of the refusal
 * only its code, known details and its request id get through. Source: docs/invariants.md 3 and 4.
 */
import { errors } from "undici";
import { type ErrorCode, GatewayError, notFound } from "../errors.ts";
import type { Call, Exchange } from "./call.ts";
import { UnknownEncoding } from "./content-encoding.ts";
import { Refusal } from "./contract.ts";
import { shownDetails, shownRequestId, waitOf } from "./fault-details.ts";
import { explainRefusal } from "./fault-messages.ts";
import { BodyTooLarge } from "./response-collector.ts";
import { WireFailure } from "./wire-failure.ts";

/** The upstream's codes that pass as they are. */
const PASSING = new Set<string>([
  "NOT_FOUND",
  "INVALID_PATH",
  "VALIDATION_ERROR",
  "RATE_LIMITED",
  "CONFLICT",
  "PAYLOAD_TOO_LARGE",
  "SEARCH_TIMEOUT",
  "SEARCH_UNAVAILABLE",
  "SEARCH_OVERLOADED",
  "DATABASE_REPOSITORY_UNAVAILABLE",
  "INTERNAL_ERROR"
] satisfies ErrorCode[]);

/** What a status means where the body says nothing that is known. Any other is an answer that cannot be understood. */
const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  409: "CONFLICT",
  413: "PAYLOAD_TOO_LARGE",
  422: "VALIDATION_ERROR",
  429: "RATE_LIMITED",
  500: "INTERNAL_ERROR",
  502: "UPSTREAM_UNAVAILABLE",
  503: "UPSTREAM_UNAVAILABLE",
  504: "UPSTREAM_TIMEOUT"
};

/** URI Too Long and Request Header Fields Too Large: the upstream's answers to a request line beyond its buffers. */
const TOO_LONG: readonly number[] = [414, 431];

const MESSAGES: Partial<Record<ErrorCode, string>> = {
  CONFLICT: "This file cannot answer the operation: only pages made from uploaded Markdown have relations.",
  PAYLOAD_TOO_LARGE: "The file is larger than the knowledge service's limit for reading content."
};

/** The error that an answer with a status other than 200 stands for. */
export function refusalFault(call: Call, exchange: Exchange, now: number): GatewayError {
  const { status, headers } = exchange;
  const cause = WireFailure.ofStatus(status);
  const refusal = status >= 400 ? parseRefusal(exchange.bytes) : undefined;
  const code = codeOf(status, refusal?.error.code);
  if (code === "NOT_FOUND") return notFound();
  const details = refusal?.error.details ?? {};
  const shown = shownDetails(details);
  const explained = code === "VALIDATION_ERROR" ? explanation(call, status, shown) : undefined;
  const message = explained?.message ?? MESSAGES[code];
  const wait = waitOf(details, headers["retry-after"], now);
  const requestId = shownRequestId(refusal?.requestId, headers["x-request-id"]);
  const allDetails = explained === undefined ? shown : { ...shown, field: explained.field };
  return new GatewayError(code, {
    cause,
    answered: true,
    ...(Object.keys(allDetails).length === 0 ? {} : { details: allDetails }),
    ...(message === undefined ? {} : { message }),
    ...(wait === undefined ? {} : { retryAfterSeconds: wait }),
    ...(requestId === undefined ? {} : { requestId })
  });
}

/** The error that a failed exchange stands for. */
export function wireFault(error: unknown): GatewayError {
  const cause = isCutOff(error) ? WireFailure.ofCutOff() : WireFailure.ofError(error);
  if (error instanceof BodyTooLarge || cause.code === "ERR_BUFFER_TOO_LARGE") {
    return unreadable("answer larger than the limit");
  }
  if (error instanceof UnknownEncoding) return unreadable("unknown content encoding");
  if (cause.code === "UND_ERR_HEADERS_OVERFLOW") return unreadable("headers larger than the limit");
  if (isUnreadable(cause.code)) return unreadable(cause.message);
  if (error instanceof errors.HTTPParserError && !isCutOff(error)) return unreadable("not HTTP");
  return new GatewayError(cause.code === "UND_ERR_CONNECT_TIMEOUT" ? "UPSTREAM_TIMEOUT" : "UPSTREAM_UNAVAILABLE", {
    cause
  });
}

/**
 * An answer that came and cannot be used.
 * @param reason for the log; says what was wrong and nothing of what was received
 */
export function unreadable(reason: string): GatewayError {
  return new GatewayError("UPSTREAM_INVALID_RESPONSE", { cause: new WireFailure(reason), answered: true });
}

function codeOf(status: number, code: string | undefined): ErrorCode {
  if (status === 401 || status === 403) return "UPSTREAM_AUTHENTICATION_FAILED";
  if (TOO_LONG.includes(status)) return "VALIDATION_ERROR";
  if (code !== undefined && isPassing(code)) return code;
  return BY_STATUS[status] ?? "UPSTREAM_INVALID_RESPONSE";
}

function isPassing(code: string): code is ErrorCode {
  return PASSING.has(code);
}

function explanation(call: Call, status: number, details: Readonly<Record<string, unknown>>) {
  if (!TOO_LONG.includes(status)) return explainRefusal(call.operation, details);
  const [field = "fileId"] = Object.entries(call.query).sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  return { field, message: `${field} is too long for one request. Shorten it.` };
}

function parseRefusal(bytes: Buffer): Refusal | undefined {
  try {
    return Refusal.parse(JSON.parse(bytes.toString("utf8")));
  } catch {
    return undefined;
  }
}

/** Errors of the decoders of a content encoding. */
function isUnreadable(code: string | null): boolean {
  return code !== null && /^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_ZLIB|ERR_PADDING)/.test(code);
}

/**
 * A connection that was to end with the answer, and ended before it. undici leaves that to its parser, whose errors have
 * no code: what it says of the end of the input is all there is to tell this from an answer that is not HTTP.
 */
function isCutOff(error: unknown): boolean {
  if (error instanceof errors.ResponseContentLengthMismatchError) return true;
  return error instanceof errors.HTTPParserError && error.message.includes("EOF");
}
