/**
 * Whether an operation may show a file. Production and `explain` both decide here.
 *
 * A file is visible to an operation when a grant that opens the operation allows its path, and no grant of the caller
 * for this knowledge base, whatever it opens, denies it. Source: docs/invariants.md 2.
 */
import type { KeyPath } from "../config/problems.ts";
import type { Decision, FileTarget } from "./access.ts";
import { sourcesBelow } from "./directories.ts";
import { isGeneratedPath, originOf } from "./generated.ts";
import type { Glob } from "./glob.ts";
import { isCanonicalPath } from "./paths.ts";
import type { CompiledGrant, OperationRules } from "./rules.ts";

export function decideFile(rules: OperationRules, target: FileTarget): Decision {
  const [first] = rules.opening;
  if (first === undefined) return no("no grant opens this operation here");
  const open = rules.opening.find((grant) => grant.allow === null);
  if (!rules.restricted) return yes("no path rules", (open ?? first).at);
  const path = target.path.normalize("NFC");
  if (!isCanonicalPath(path)) return no("the path is not in the form that the upstream uses");
  const denied = ruleOf(rules.all, "deny", (glob) => glob.matches(path));
  if (denied !== null) return no(denied.text, denied.at);
  if (target.generated || isGeneratedPath(path)) return decideGenerated(rules, path);
  if (open !== undefined) return yes("no path rules that allow, and none that denies it", open.at);
  const allowed = ruleOf(rules.opening, "allow", (glob) => glob.matches(path));
  return allowed === null ? no("nothing allows it") : yes(allowed.text, allowed.at);
}

function decideGenerated(rules: OperationRules, path: string): Decision {
  const named = ruleOf(rules.opening, "allow", (glob) => glob.names(path));
  if (named === null) return no("a generated file, which nothing allows by its name");
  const origin = originOf(path);
  if (origin.kind === "page" && !decideFile(rules, { path: origin.path, generated: false }).allowed) {
    return no(`a generated file made from ${origin.path}, which is hidden`);
  }
  const directory = origin.kind === "directory" ? origin.path : origin.kind === "everything" ? "pages" : null;
  if (directory !== null && sourcesBelow(rules, directory) !== "visible") {
    return no(`a generated file made from all of ${directory}, of which something may be hidden`);
  }
  return yes(named.text, named.at);
}

/** The first pattern, grant by grant, that decides. */
function ruleOf(
  grants: readonly CompiledGrant[],
  list: "allow" | "deny",
  decides: (glob: Glob) => boolean
): { readonly text: string; readonly at: KeyPath } | null {
  for (const grant of grants) {
    const globs = grant[list] ?? [];
    const index = globs.findIndex(decides);
    const glob = globs[index];
    if (glob !== undefined) return { text: `${list} ${glob.pattern}`, at: [...grant.at, "paths", list, index] };
  }
  return null;
}

function yes(rule: string, at: KeyPath): Decision {
  return { allowed: true, rule, at };
}

function no(rule: string, at?: KeyPath): Decision {
  return at === undefined ? { allowed: false, rule } : { allowed: false, rule, at };
}
