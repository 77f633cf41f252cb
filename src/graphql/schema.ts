/** The schema: the root, and the list of all type files. */
import { GraphQLDeferDirective, GraphQLStreamDirective } from "@graphql-tools/utils";
import { type GraphQLSchema, lexicographicSortSchema, specifiedDirectives } from "graphql";
import { builder } from "./builder.ts";
import "./directory.ts";
import "./federated-search.ts";
import "./file.ts";
import "./graph.ts";
import "./knowledge-base.ts";
import "./node.ts";
import "./okf.ts";
import "./read-actions.ts";
import "./relationship.ts";
import "./scalars.ts";
import "./search.ts";
import "./tree.ts";
import "./viewer.ts";

builder.queryType({ description: "Reads of knowledge. There is nothing else: this gateway writes nothing." });

/** With the directives of answers in parts, which clients' tools check queries against. */
const directives = [...specifiedDirectives, GraphQLDeferDirective, GraphQLStreamDirective];

export const schema: GraphQLSchema = lexicographicSortSchema(builder.toSchema({ directives }));
