/** The JSON body of a tool post. Its size was bounded before it came here. */
import { GatewayError } from "../errors.ts";
import type { WholeRequest } from "../http.ts";

/**
 * The body as an object; nothing, blanks and `null` are no arguments.
 * @throws UNSUPPORTED_MEDIA_TYPE for a body that does not say it is JSON, BAD_REQUEST for one that is not an object
 */
export function readJsonObject({ headers, body }: WholeRequest): object {
  const text = new TextDecoder().decode(body ?? undefined);
  const type = headers["content-type"];
  if (text.trim() === "" && type === undefined) return {};
  if (type === undefined || !isJson(type)) {
    throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", {
      message: "Send the arguments as a JSON object with Content-Type: application/json.",
      details: { field: "Content-Type", allowedValues: ["application/json"] }
    });
  }
  if (text.trim() === "") return {};
  const value = parse(text);
  if (value === null) return {};
  if (typeof value === "object" && !Array.isArray(value)) return value;
  throw notAnObject();
}

function isJson(type: string): boolean {
  return type.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notAnObject();
  }
}

function notAnObject(): GatewayError {
  return new GatewayError("BAD_REQUEST", { message: "The body must be one JSON object.", details: { field: "body" } });
}
