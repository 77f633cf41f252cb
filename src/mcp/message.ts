/** The one JSON-RPC message of a POST. Its size was bounded before it came here. */
import { isJsonContentType } from "@modelcontextprotocol/sdk/shared/mediaType.js";
import { GatewayError } from "../errors.ts";
import { PARSE_ERROR, RpcError } from "./failure.ts";

/**
 * The body, parsed; whether it is a JSON-RPC message, the SDK judges.
 *
 * Batches are refused in every protocol version, so that one POST is one request to every limit. The versions since
 * 2025-06-18 have none.
 * @throws GatewayError UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST for an array; RpcError for what is not JSON
 */
export async function readMessage(request: Request, requestId: string): Promise<unknown> {
  if (!isJsonContentType(request.headers.get("content-type"))) {
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", {
      message: "Send one JSON-RPC message with Content-Type: application/json.",
      details: { field: "Content-Type", allowedValues: ["application/json"] }
    });
  }
  const message = parse(await request.text(), requestId);
  if (!Array.isArray(message)) return message;
  throw unreadable("Batches are not supported. Send each JSON-RPC message in a POST of its own.");
}

/** The method that a message asks; null for what is neither a request nor a notification. */
export function methodOf(message: unknown): string | null {
  if (typeof message !== "object" || message === null || !("method" in message)) return null;
  return typeof message.method === "string" ? message.method : null;
}

function parse(text: string, requestId: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RpcError(unreadable("The body is not JSON."), requestId, PARSE_ERROR);
  }
}

function unreadable(message: string): GatewayError {
  return new GatewayError("BAD_REQUEST", { message, details: { field: "body" } });
}
