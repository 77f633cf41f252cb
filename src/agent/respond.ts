/** Answers and refusals as the upstream writes them. Headers that all surfaces share are the server's. */
import { errorEnvelope, GatewayError } from "../errors.ts";

const JSON_TYPE = { "content-type": "application/json" };

export function json(value: unknown): Response {
  return new Response(JSON.stringify(value), { headers: JSON_TYPE });
}

/** The error's envelope, with `x-request-id`, and `Retry-After` where a wait is known. Source: docs/invariants.md 4. */
export function refuse(error: GatewayError, requestId: string): Response {
  const envelope = errorEnvelope(error, requestId);
  const headers = new Headers({ ...JSON_TYPE, "x-request-id": envelope.requestId });
  if (error.retryAfterSeconds !== undefined) headers.set("retry-after", String(error.retryAfterSeconds));
  return new Response(JSON.stringify(envelope), { status: error.httpStatus, headers });
}

/** @param allow methods as the `Allow` header lists them. Source: RFC 9110 section 15.5.6. */
export function refuseMethod(allow: string, requestId: string): Response {
  const message = `The method is not supported by this route. Use ${allow}.`;
  const response = refuse(new GatewayError("METHOD_NOT_ALLOWED", { message }), requestId);
  response.headers.set("allow", allow);
  return response;
}
