/** The schema in SDL, sorted, with a line end at its end: what is checked in as `schema/schema.graphql`. */
import { printSchema } from "graphql";
import { schema } from "./schema.ts";

export function printSdl(): string {
  return `${printSchema(schema)}\n`;
}
