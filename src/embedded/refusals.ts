/** How requests are refused: the codes and details of the Developer OpenAPI, in words of our own. */
import { GatewayError, invalid } from "../errors.ts";

export { GatewayError, notFound } from "../errors.ts";

export function invalidLimit(max: number): GatewayError {
  return invalid("limit", `limit must be a whole number from 1 to ${max}.`);
}

/** One answer for every cursor that cannot be used: not ours, of another question, of another revision, expired. */
export function invalidCursor(): GatewayError {
  return invalid("cursor", "cursor does not belong to this request. Start again without it.");
}

/** A refused search or expansion, which names its reason in `details.code`. */
export function invalidCode(code: string, message: string): GatewayError {
  return new GatewayError("VALIDATION_ERROR", { message, details: { code } });
}

/** A page whose file changed on disk and was not read again yet. */
export function withdrawn(): GatewayError {
  return new GatewayError("NOT_FOUND", { message: "The file is being replaced or was removed." });
}

export function tooLarge(limit: number): GatewayError {
  return new GatewayError("PAYLOAD_TOO_LARGE", {
    message: `The file is larger than the ${limit} bytes that are served.`
  });
}
