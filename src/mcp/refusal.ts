/** What the SDK's transport refuses before a method is reached, in the form that every error here has. */
import * as z from "zod";
import { type ErrorCode, type ErrorDetails, GatewayError } from "../errors.ts";
import type { Reader } from "../knowledge/types.ts";
import { failureResponse, RpcError } from "./failure.ts";

const RpcFailure = z.object({ error: z.object({ code: z.number(), message: z.string() }) });

/** By HTTP status; what a method answers, its errors too, has 200. */
const REFUSALS: Readonly<Record<number, { readonly code: ErrorCode; readonly details?: ErrorDetails }>> = {
  400: { code: "BAD_REQUEST" },
  406: {
    code: "NOT_ACCEPTABLE",
    details: { field: "Accept", allowedValues: ["application/json", "text/event-stream"] }
  }
};

/** The answer, with `data` where it is a refusal. Source: docs/invariants.md 4. */
export async function withData(response: Response, { requestId, noteError }: Reader): Promise<Response> {
  const refusal = REFUSALS[response.status];
  if (refusal === undefined) return response;
  const { error } = RpcFailure.parse(await response.json());
  const { code, ...rest } = refusal;
  noteError(code);
  return failureResponse(
    new RpcError(new GatewayError(code, { message: error.message, ...rest }), requestId, error.code)
  );
}
