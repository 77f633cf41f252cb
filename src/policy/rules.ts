/** The grants of one caller for one knowledge base, compiled. */
import type { KeyPath } from "../config/problems.ts";
import type { GrantConfig, OperationName } from "../config/schema.ts";
import { OPERATION_NAMES } from "../config/schema.ts";
import { compileGlob, type Glob } from "./glob.ts";

/** A grant with its patterns compiled. */
export interface CompiledGrant {
  /** Where it stands in the configuration: `["tenants", "acme", "grants", 0]`. */
  readonly at: KeyPath;
  readonly operations: ReadonlySet<OperationName>;
  /** Null where the grant allows every path. */
  readonly allow: readonly Glob[] | null;
  readonly deny: readonly Glob[];
}

export function compileGrant(at: KeyPath, grant: Pick<GrantConfig, "operations" | "paths">): CompiledGrant {
  return {
    at,
    operations: new Set(grant.operations ?? OPERATION_NAMES),
    allow: grant.paths?.allow?.map((pattern) => compileGlob(pattern, false)) ?? null,
    deny: grant.paths?.deny?.map((pattern) => compileGlob(pattern, true)) ?? []
  };
}

/** The grants that bear on one operation. */
export interface OperationRules {
  /** Those that open the operation. */
  readonly opening: readonly CompiledGrant[];
  /** All of the caller's for the knowledge base: the denies of each hold. */
  readonly all: readonly CompiledGrant[];
  readonly restricted: boolean;
}

export function rulesFor(all: readonly CompiledGrant[], operation: OperationName): OperationRules {
  const opening = all.filter((grant) => grant.operations.has(operation));
  const open = opening.some((grant) => grant.allow === null) && all.every((grant) => grant.deny.length === 0);
  return { opening, all, restricted: !open };
}
