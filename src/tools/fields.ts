/**
 * The arguments that several tools share, as plain JSON types: hosts exist that drop a root `oneOf`, type arrays,
 * `$ref` and `const` from a tool's schema, so nothing here may need them.
 */
import * as z from "zod";
import type { Bound } from "../knowledge/bounds.ts";

/** An argument with a default. The default is published, and applied by the reader: what is left out stays left out. */
export function defaulted<S extends z.ZodType>(schema: S, value: string | number | boolean, description: string) {
  return schema.optional().meta({ description, default: value });
}

export function optional<S extends z.ZodType>(schema: S, description: string) {
  return schema.optional().meta({ description });
}

/** Text that is compared with what the upstream wrote, so in NFC. Source: docs/invariants.md 9. */
export const text = z
  .string()
  .refine((value) => !/\p{Surrogate}/u.test(value), "Half of a character pair was sent. Send valid Unicode.")
  .normalize("NFC");

export const fileId = z.string().describe("A fileId from an earlier answer.");

export const cursor = optional(z.string(), "nextCursor of the last answer, with the same arguments.");

/** @param maximum the list's own; a tenant's may be lower, and the reader refuses what passes it */
export function limit(maximum: number, value: number) {
  return defaulted(z.int().min(1).max(maximum), value, "Items a page.");
}

/** A number as the reader bounds it. */
export function bounded({ least, most, whole, byDefault }: Bound, description: string) {
  const type = (whole ? z.int() : z.number()).min(least).max(most);
  return byDefault === undefined ? optional(type, description) : defaulted(type, byDefault, description);
}

/** How a list's errors name its arguments. */
export const PAGE_NAMES = { first: "limit", after: "cursor" } as const;
