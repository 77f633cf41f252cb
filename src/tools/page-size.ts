/** A tenant's page size in what tools say of their `limit`. Source: docs/invariants.md 8. */
import * as z from "zod";
import { limit } from "./fields.ts";

/** By page size; there are as many as the configuration names. */
const made = new WeakMap<z.ZodObject, Map<number, z.ZodObject>>();

/**
 * The same arguments, with the maximum and the default of `limit` that hold for the caller, so that schemas, refusals and
 * the reader name the same numbers.
 * @param pageSize `limits.pageSize` of the tenant
 */
export function withPageSize<Input extends z.ZodObject>(input: Input, pageSize: number): Input {
  const field: unknown = input.shape.limit;
  if (!(field instanceof z.ZodOptional)) return input;
  const type: unknown = field.unwrap();
  if (!(type instanceof z.ZodNumber) || type.maxValue === null || type.maxValue <= pageSize) return input;
  const sizes = made.get(input) ?? new Map<number, z.ZodObject>();
  made.set(input, sizes);
  const known = sizes.get(pageSize) ?? input.safeExtend({ limit: limit(pageSize, presetOf(field, pageSize)) });
  sizes.set(pageSize, known);
  return known as Input;
}

function presetOf(field: z.ZodType, pageSize: number): number {
  const preset = field.meta()?.default;
  return typeof preset === "number" ? Math.min(preset, pageSize) : pageSize;
}
