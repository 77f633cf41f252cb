/** The schema in SDL. */
import { printSchema } from "graphql";
import { schema } from "./schema.ts";

/** Sorted, with a line end at its end: what is checked in as `schema/schema.graphql`. */
export function printSdl(): string {
  return `${printSchema(schema)}\n`;
}
