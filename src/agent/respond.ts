/** Answers and refusals as the upstream writes them. Headers that all surfaces share are the server's. */
import { errorEnvelope, errorHeaders, type GatewayError } from "../errors.ts";
import type { WholeAnswer } from "../http.ts";
import { printed } from "../knowledge/print.ts";

const JSON_TYPE = { "content-type": "application/json" };

/** Printed once where many callers are given the same object. */
export function json(value: object): WholeAnswer {
  return { status: 200, headers: JSON_TYPE, body: printed(value) };
}

/** The error's envelope, with `x-request-id` and the headers that every surface has. Source: docs/invariants.md 4. */
export function refuse(error: GatewayError, requestId: string): WholeAnswer {
  const envelope = errorEnvelope(error, requestId);
  const headers = { ...JSON_TYPE, "x-request-id": envelope.requestId, ...errorHeaders(error) };
  return { status: error.httpStatus, headers, body: JSON.stringify(envelope) };
}
