/**
 * Reads arguments as agents and query strings send them: numbers and booleans as text, null or "" for what is left out,
 * fields too many. What cannot be meant is refused with the field, its range and the way out.
 *
 * REST's query parameters and the tools' JSON go through the same function, so that both mean the same.
 */
import * as z from "zod";
import { type GatewayError, invalid } from "../errors.ts";

const INTEGER = /^-?\d{1,15}$/;
const DECIMAL = /^-?\d{1,15}(\.\d{1,15})?$/;

/**
 * Arguments of the schema's shape; fields that are null, absent or "" are left out.
 * @param given a JSON object, a record of query parameters, or nothing
 * @throws VALIDATION_ERROR with `details.field`, and `limit` or `allowedValues` where there is one
 */
export function parseArguments<S extends z.ZodObject>(schema: S, given: unknown): z.output<S> {
  const source = given ?? {};
  if (typeof source !== "object" || Array.isArray(source)) {
    throw invalid("arguments", "arguments must be a JSON object. Leave it out where there is nothing to say.");
  }
  const read: Record<string, unknown> = {};
  for (const [field, type] of Object.entries<z.ZodType>(schema.shape)) {
    const value = Object.hasOwn(source, field) ? (source as Record<string, unknown>)[field] : undefined;
    if (value !== undefined && value !== null && value !== "") read[field] = fromText(innermost(type), value);
  }
  const result = schema.safeParse(read);
  if (result.success) return result.data;
  throw refusal(schema, read, result.error.issues[0]);
}

/** Text that says a number or a boolean, as that; everything else as it is, for the schema to judge. */
function fromText(type: z.ZodType, value: unknown): unknown {
  if (typeof value !== "string") return value;
  if (type instanceof z.ZodNumber) return (type.isInt ? INTEGER : DECIMAL).test(value) ? Number(value) : value;
  if (type instanceof z.ZodBoolean) return value === "true" ? true : value === "false" ? false : value;
  return value;
}

function refusal(schema: z.ZodObject, read: object, issue: z.core.$ZodIssue | undefined): GatewayError {
  const field = String(issue?.path[0] ?? "arguments");
  const type = schema.shape[field];
  if (issue === undefined || issue.code === "custom" || type === undefined) {
    return invalid(field, issue?.message ?? "The arguments are not valid.");
  }
  if (!Object.hasOwn(read, field)) return invalid(field, `${field} is required: ${asClause(type.description)}`);
  const { expected, details } = expectation(innermost(type));
  const wayOut = type.isOptional() ? ` ${leaveOut(type)}` : "";
  return invalid(field, `${field} must be ${expected}.${wayOut}`, details);
}

function expectation(type: z.ZodType): { expected: string; details: Record<string, unknown> } {
  if (type instanceof z.ZodEnum) {
    return { expected: `one of ${type.options.join(", ")}`, details: { allowedValues: type.options } };
  }
  if (type instanceof z.ZodNumber) {
    const { minValue, maxValue, isInt } = type;
    return {
      expected: `a ${isInt ? "whole " : ""}number from ${minValue} to ${maxValue}`,
      details: { limit: maxValue }
    };
  }
  return { expected: type instanceof z.ZodBoolean ? "true or false" : "a string", details: {} };
}

function leaveOut(type: z.ZodType): string {
  const preset = type.meta()?.default;
  return preset === undefined ? "Leave it out if in doubt." : `Left out, it is ${preset}.`;
}

function asClause(description = "see the schema."): string {
  return description.charAt(0).toLowerCase() + description.slice(1);
}

function innermost(type: z.ZodType): z.ZodType {
  return type instanceof z.ZodOptional ? innermost(type.unwrap() as z.ZodType) : type;
}
