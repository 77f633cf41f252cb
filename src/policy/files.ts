/**
 * Whether an operation may show a file. Production and `explain` both decide here.
 *
 * A file is visible to an operation when a grant that opens the operation allows its path, and no grant of the caller
 * for this knowledge base, whatever it opens, denies it. Source: docs/invariants.md 2.
 */
import type { Decision, FileTarget } from "./access.ts";
import { sourcesBelow } from "./directories.ts";
import { isGeneratedPath, originOf } from "./generated.ts";
import { isCanonicalPath } from "./paths.ts";
import type { OperationRules } from "./rules.ts";

export function decideFile(rules: OperationRules, target: FileTarget): Decision {
  const [first] = rules.opening;
  if (first === undefined) return no("no grant opens this operation here");
  if (!rules.restricted)
    return yes(`${(rules.opening.find((grant) => grant.allow === null) ?? first).label} allows every path`);
  const path = target.path.normalize("NFC");
  if (!isCanonicalPath(path)) return no("the path is not in the form that the upstream uses");
  const denied = denialOf(rules, path);
  if (denied !== null) return no(denied);
  return target.generated || isGeneratedPath(path) ? decideGenerated(rules, path) : decideSource(rules, path);
}

function decideSource(rules: OperationRules, path: string): Decision {
  for (const grant of rules.opening) {
    if (grant.allow === null) return yes(`${grant.label} allows every path, and no rule denies this one`);
    const glob = grant.allow.find((candidate) => candidate.matches(path));
    if (glob !== undefined) return yes(`${grant.label}.paths.allow "${glob.pattern}" allows it`);
  }
  return no("no paths.allow of a grant that opens this operation matches");
}

function decideGenerated(rules: OperationRules, path: string): Decision {
  const named = namedBy(rules, path);
  if (named === null) return no("a generated file, which no paths.allow names");
  const origin = originOf(path);
  if (origin.kind === "page" && !decideFile(rules, { path: origin.path, generated: false }).allowed) {
    return no(`a generated file made from ${origin.path}, which is hidden`);
  }
  const directory = origin.kind === "directory" ? origin.path : origin.kind === "everything" ? "pages" : null;
  if (directory !== null && sourcesBelow(rules, directory) !== "visible") {
    return no(`a generated file made from all of ${directory}, of which something may be hidden`);
  }
  return yes(named);
}

function denialOf(rules: OperationRules, path: string): string | null {
  for (const grant of rules.all) {
    const glob = grant.deny.find((candidate) => candidate.matches(path));
    if (glob !== undefined) return `${grant.label}.paths.deny "${glob.pattern}" denies it`;
  }
  return null;
}

function namedBy(rules: OperationRules, path: string): string | null {
  for (const grant of rules.opening) {
    const glob = grant.allow?.find((candidate) => candidate.names(path));
    if (glob !== undefined) return `${grant.label}.paths.allow "${glob.pattern}" names it`;
  }
  return null;
}

function yes(rule: string): Decision {
  return { allowed: true, rule };
}

function no(rule: string): Decision {
  return { allowed: false, rule };
}
