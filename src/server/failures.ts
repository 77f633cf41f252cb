/** A refusal in the form of the surface it happened on, so that a client need not know how far its request came. */
import { errorEnvelope, type GatewayError } from "../errors.ts";
import { graphqlFailure } from "../graphql/failure.ts";
import type { Surface } from "../knowledge/types.ts";
import { mcpFailure } from "../mcp/failure.ts";

export interface FailureContext {
  readonly surface: Surface;
  readonly requestId: string;
  readonly accept: string | undefined;
}

/** Renders an error. Source: docs/invariants.md 4. */
export function renderFailure(error: GatewayError, { surface, requestId, accept }: FailureContext): Response {
  const response = render(error, surface, requestId, accept);
  if (error.retryAfterSeconds !== undefined) response.headers.set("retry-after", String(error.retryAfterSeconds));
  const { allowedValues } = error.details ?? {};
  // RFC 9110, section 15.5.6: a 405 names what is allowed.
  if (error.httpStatus === 405 && Array.isArray(allowedValues)) response.headers.set("allow", allowedValues.join(", "));
  if (error.httpStatus === 401) response.headers.set("www-authenticate", 'Bearer realm="focowiki-gateway"');
  return response;
}

function render(error: GatewayError, surface: Surface, requestId: string, accept: string | undefined): Response {
  if (surface === "graphql") return graphqlFailure(error, requestId, accept);
  if (surface === "mcp") return mcpFailure(error, requestId);
  return Response.json(errorEnvelope(error, requestId), { status: error.httpStatus });
}
