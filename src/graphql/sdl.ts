/** The schema in SDL. */
import { printSubgraphSchema } from "@apollo/subgraph";
import { printSchema } from "graphql";
import { schema } from "./schema.ts";
import { subgraph } from "./subgraph.ts";

/** Sorted, with a line end at its end: what is checked in as `schema/schema.graphql`. */
export function printSdl(): string {
  return `${printSchema(schema)}\n`;
}

/** As a subgraph, with the directives of federation: what composition takes, checked in as `schema/subgraph.graphql`. */
export function printSubgraphSdl(): string {
  return `${printSubgraphSchema(subgraph).trimEnd()}\n`;
}
