/** A refusal in the form of the surface it happened on, so that a client need not know how far its request came. */
import { errorEnvelope, errorHeaders, type GatewayError } from "../errors.ts";
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
  if (surface === "graphql") return graphqlFailure(error, requestId, accept);
  if (surface === "mcp") return mcpFailure(error, requestId);
  return Response.json(errorEnvelope(error, requestId), { status: error.httpStatus, headers: errorHeaders(error) });
}
