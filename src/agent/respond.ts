/** Answers and refusals as the upstream writes them. Headers that all surfaces share are the server's. */
import { errorEnvelope, GatewayError } from "../errors.ts";
import type { WholeAnswer } from "../http.ts";
import { printed } from "../knowledge/print.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Printed once where many callers are given the same object. */
export function json(value: object): WholeAnswer {
  return { status: 200, headers: JSON_TYPE, body: printed(value) };
}

/** The error's envelope, with `x-request-id`, and `Retry-After` where a wait is known. Source: docs/invariants.md 4. */
export function refuse(error: GatewayError, requestId: string): WholeAnswer {
  const envelope = errorEnvelope(error, requestId);
  const wait = error.retryAfterSeconds;
  const headers = {
    ...JSON_TYPE,
    "x-request-id": envelope.requestId,
    ...(wait === undefined ? {} : { "retry-after": String(wait) })
  };
  return { status: error.httpStatus, headers, body: JSON.stringify(envelope) };
}

/** @param allow methods as the `Allow` header lists them. Source: RFC 9110 section 15.5.6. */
export function refuseMethod(allow: string, requestId: string): WholeAnswer {
  const message = `The method is not supported by this route. Use ${allow}.`;
  const refusal = refuse(new GatewayError("METHOD_NOT_ALLOWED", { message }), requestId);
  return { ...refusal, headers: { ...refusal.headers, allow } };
}
