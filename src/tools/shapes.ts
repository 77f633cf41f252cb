/**
 * What compact answers hold, for hosts that check them. Only what every release sends has a type: a title that a
 * release leaves out or sends as null must not make an answer invalid. Fields that are not named are admitted too.
 */
import * as z from "zod";

/** A field of whatever type the upstream gives it, or none. */
const any = z.unknown().optional();

type Fields<Name extends string> = { readonly [K in Name]: typeof any };

/** Optional, untyped fields of these names. */
export function fields<Name extends string>(...names: readonly Name[]): Fields<Name> {
  return Object.fromEntries(names.map((name) => [name, any])) as Fields<Name>;
}

export const fileRow = { fileId: z.string(), path: z.string() };

/** Every list's label and cursor, either of which may be null; "null or text" would need a type array. */
export const page = fields("activeContentRevision", "nextCursor");
