/** Errors in JSON-RPC's form. Source: docs/invariants.md 4, JSON-RPC 2.0 section 5.1. */
import { type ErrorCode, errorHeaders, type GatewayError } from "../errors.ts";

export const PARSE_ERROR = -32700;
export const METHOD_NOT_FOUND = -32601;
/** JSON-RPC leaves -32000 to -32099 to servers; which error it is, `data` says. */
const SERVER_ERROR = -32000;

/** JSON-RPC's own codes, and MCP's -32002 for a resource that does not exist. */
const RPC_CODES: Partial<Readonly<Record<ErrorCode, number>>> = {
  BAD_REQUEST: -32600,
  VALIDATION_ERROR: -32602,
  INTERNAL_ERROR: -32603,
  NOT_FOUND: -32002
};

/** The code, from the closed table, of an error in JSON-RPC's form; one without data is the SDK's own. */
export function codeOf({ data }: { readonly data?: unknown }): string {
  if (typeof data !== "object" || data === null || !("code" in data)) return "BAD_REQUEST";
  return String(data.code);
}

/** What fails a method: the SDK sends `code`, `message` and `data` of what a handler throws, whatever they are. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  /** The error as every surface has it, with its request id. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly error: GatewayError;

  /** @param code where it does not follow from the error's own */
  constructor(error: GatewayError, requestId: string, code?: number) {
    super(error.message);
    this.error = error;
    this.code = code ?? RPC_CODES[error.code] ?? SERVER_ERROR;
    this.data = { ...error.body(), requestId: error.requestId ?? requestId };
  }
}

/** The answer to a request that reached no method: refused before dispatch (401, 403, 413, 429, 503), or unreadable. */
export function mcpFailure(error: GatewayError, requestId: string): Response {
  return failureResponse(new RpcError(error, requestId));
}

export function failureResponse({ code, message, data, error }: RpcError): Response {
  const headers = { "content-type": "application/json", ...errorHeaders(error) };
  const body = { jsonrpc: "2.0", id: null, error: { code, message, data } };
  return new Response(JSON.stringify(body), { status: error.httpStatus, headers });
}
