/** One knowledge base as the grants of one caller open it. */
import { OPERATION_NAMES, type OperationName } from "../config/schema.ts";
import type { KnowledgeBaseAccess } from "./access.ts";
import { decideDirectory } from "./directories.ts";
import { decideFile } from "./files.ts";
import { type CompiledGrant, type OperationRules, rulesFor } from "./rules.ts";

/** The decisions alone; which knowledge base they are for does not matter to them. */
export type Decisions = Omit<KnowledgeBaseAccess, "key" | "id" | "upstream">;

/** @param grants every grant of the caller that covers the knowledge base */
export function createDecisions(grants: readonly CompiledGrant[]): Decisions {
  const rules: Record<OperationName, OperationRules> = {
    search_files: rulesFor(grants, "search_files"),
    read_file: rulesFor(grants, "read_file"),
    list_tree: rulesFor(grants, "list_tree"),
    get_file: rulesFor(grants, "get_file"),
    read_related: rulesFor(grants, "read_related"),
    expand_graph: rulesFor(grants, "expand_graph")
  };
  return {
    operations: new Set(OPERATION_NAMES.filter((operation) => rules[operation].opening.length > 0)),
    restricted: (operation) => rules[operation].restricted,
    file: (target, operation) => decideFile(rules[operation], target),
    directory: (path, operation) => decideDirectory(rules[operation], path)
  };
}
