/**
 * Whether an answer fits its operation's contract. The contract is zod's; what checks answers is compiled from its JSON
 * Schema, because it checks in place: zod makes a copy of every object, which of a search's answer costs as much as
 * parsing it.
 */
import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import * as z from "zod";
import { OPERATIONS, type Operation } from "./operations.ts";

const ajv = new Ajv({ strict: false, validateSchema: false, messages: false });
/** Compiled when an operation's first answer comes: a start waits for none of them. */
const checks = new Map<Operation, ValidateFunction>();

/** @returns null where the body fits, else where it leaves the contract: field names and keywords only, no values */
export function misfit(operation: Operation, body: unknown): string | null {
  const check = checks.get(operation) ?? compile(operation);
  if (check(body)) return null;
  return `body does not fit the contract: ${placeOf(check.errors?.[0])}`;
}

function compile(operation: Operation): ValidateFunction {
  const check = ajv.compile(z.toJSONSchema(OPERATIONS[operation].answer, { io: "input" }));
  checks.set(operation, check);
  return check;
}

/** Names that an upstream could have chosen freely, such as those of a frontmatter, are left out. */
function placeOf(error: ErrorObject | undefined): string {
  if (error === undefined) return "unknown at its root";
  const missing: unknown = error.params.missingProperty;
  const path = [...error.instancePath.split("/").slice(1), ...(typeof missing === "string" ? [missing] : [])];
  const names = path.map((part) => (/^\d+$/.test(part) ? "[]" : part));
  const known = names.filter((part) => part === "[]" || /^[a-z][A-Za-z]{0,39}$/.test(part));
  return `${error.keyword} at ${known.join(".") || "its root"}`;
}
