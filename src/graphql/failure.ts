/** A refusal before GraphQL was reached, in the form that a GraphQL client reads. */
import { errorHeaders, GatewayError, methodNotAllowed } from "../errors.ts";
import type { Reader } from "../knowledge/types.ts";
import { gatewayExtensions } from "./errors.ts";

const JSON_TYPE = "application/json";
const GRAPHQL_TYPE = "application/graphql-response+json";

/**
 * An answer without `data`, with the error's own HTTP status whatever the client accepts: no GraphQL server has seen the
 * request. Source: docs/invariants.md 4; GraphQL over HTTP, "Processing a request".
 * @param requestId the request's own; the upstream's is shown instead where it brought the error
 * @param accept the request's Accept header
 */
export function graphqlFailure(error: GatewayError, requestId: string, accept?: string | null): Response {
  const type = accept?.includes(GRAPHQL_TYPE) ? GRAPHQL_TYPE : JSON_TYPE;
  const headers = { "content-type": `${type}; charset=utf-8`, ...errorHeaders(error) };
  const body = { errors: [{ message: error.message, extensions: gatewayExtensions(error, requestId) }] };
  return new Response(JSON.stringify(body), { status: error.httpStatus, headers });
}

/** Yoga's own refusal has a code outside the table. */
export function refuseMethod(reader: Reader, accept: string | null): Response {
  return noted(methodNotAllowed("GraphQL takes GET and POST only.", ["GET", "POST"]), reader, accept);
}

/** Yoga's own refusal has no body. JSON says what to accept, since nothing that was asked for can. */
export function refuseMediaTypes(reader: Reader): Response {
  const allowedValues = [GRAPHQL_TYPE, JSON_TYPE];
  const message = `Accept names no media type that GraphQL answers with. Accept ${allowedValues.join(" or ")}.`;
  return noted(new GatewayError("NOT_ACCEPTABLE", { message, details: { field: "Accept", allowedValues } }), reader);
}

function noted(error: GatewayError, { requestId, noteError }: Reader, accept?: string | null): Response {
  noteError(error.code);
  return graphqlFailure(error, requestId, accept);
}
