/**
 * Whether a directory holds anything visible, as far as the rules alone decide it. `visible` and `hidden` are certain for
 * every tree of files that an upstream may hold; whatever is not certain is `unknown`. Source: docs/invariants.md 2.
 */
import type { DirectoryDecision } from "./access.ts";
import { isEntrance, originOfDirectory } from "./generated.ts";
import type { Glob } from "./glob.ts";
import { isCanonicalPath } from "./paths.ts";
import type { OperationRules } from "./rules.ts";

/** @param path as the upstream writes it; the root is `""` and always visible to who has the operation */
export function decideDirectory(rules: OperationRules, path: string): DirectoryDecision {
  if (rules.opening.length === 0) return "hidden";
  if (path === "" || !rules.restricted) return "visible";
  const directory = path.normalize("NFC");
  if (!isCanonicalPath(directory)) return "hidden";
  return isBelowPages(directory) ? sourcesBelow(rules, directory) : generatedBelow(rules, directory);
}

/**
 * The uploaded pages below `pages` or a directory in it: `visible` when all of them are, `hidden` when none is.
 * @param directory canonical, in NFC
 */
export function sourcesBelow(rules: OperationRules, directory: string): DirectoryDecision {
  if (denyCovers(rules, directory)) return "hidden";
  const opens = (decides: (glob: Glob) => boolean): boolean =>
    rules.opening.some((grant) => grant.allow === null || grant.allow.some(decides));
  if (!opens((glob) => glob.reaches(directory))) return "hidden";
  return opens((glob) => glob.covers(directory)) && !denyReaches(rules, directory) ? "visible" : "unknown";
}

/** A directory of generated files: a rule must name them, and the pages that they are made from must be visible. */
function generatedBelow(rules: OperationRules, directory: string): DirectoryDecision {
  const naming = rules.opening.flatMap((grant) => grant.allow ?? []).filter((glob) => glob.mayName(directory));
  if (naming.length === 0 || denyCovers(rules, directory)) return "hidden";
  const surely = naming.some((glob) => glob.covers(directory)) && !denyReaches(rules, directory);
  if (isEntrance(directory)) return surely ? "visible" : "unknown";
  const origin = originOfDirectory(directory);
  const sources = sourcesBelow(rules, origin.kind === "directory" ? origin.path : "pages");
  if (sources === "hidden" || (origin.kind !== "directory" && sources !== "visible")) return "hidden";
  return sources === "visible" && surely ? "visible" : "unknown";
}

function denyCovers(rules: OperationRules, directory: string): boolean {
  return rules.all.some((grant) => grant.deny.some((glob) => glob.covers(directory)));
}

function denyReaches(rules: OperationRules, directory: string): boolean {
  return rules.all.some((grant) => grant.deny.some((glob) => glob.reaches(directory)));
}

function isBelowPages(directory: string): boolean {
  return directory === "pages" || directory.startsWith("pages/");
}
