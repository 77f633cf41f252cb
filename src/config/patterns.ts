/** The form of path rules, and denies that do nothing. */
import type { ConfigDraft } from "./draft.ts";
import { error, type Finding, type KeyPath, warning } from "./problems.ts";
import type { GrantConfig } from "./schema.ts";

const MAX_LENGTH = 1024;

export function checkPatterns({ tenants }: ConfigDraft): readonly Finding[] {
  return (tenants ?? []).flatMap(({ name, grants }) =>
    grants.flatMap((grant, index) => {
      const path = ["tenants", name, "grants", index, "paths"];
      const allow = (grant?.paths?.allow ?? []).flatMap((pattern, at) => checkForm([...path, "allow", at], pattern));
      const deny = (grant?.paths?.deny ?? []).flatMap((pattern, at) => [
        ...checkForm([...path, "deny", at], pattern),
        ...checkDeny([...path, "deny", at], pattern, grants)
      ]);
      return [...allow, ...deny];
    })
  );
}

/** A rule that can match no path would look as if it held. */
function checkForm(path: KeyPath, pattern: string): readonly Finding[] {
  const segments = pattern.split("/");
  if (pattern.length > MAX_LENGTH) return [error(path, `at most ${MAX_LENGTH} characters`)];
  if (pattern.startsWith("!") && !pattern.startsWith("!(")) {
    return [error(path, "a rule cannot be negated with !; use deny for what must not be seen")];
  }
  if (pattern.startsWith("/")) return [error(path, "paths have no slash at their start; leave it out")];
  if (pattern.endsWith("/")) return [error(path, `matches no file; for all below it write ${pattern}**`)];
  if (segments.some((segment) => ["", ".", ".."].includes(segment))) {
    return [error(path, "paths have no empty, . or .. segments, so this matches nothing")];
  }
  if (!balanced(pattern)) return [error(path, "brackets that do not close; escape a bracket of a name with \\")];
  const literal = !/[*?[\](){}\\]/.test(pattern);
  if (literal && !/\.[a-z]+$/i.test(pattern)) {
    return [warning(path, `matches only a file of exactly this name; for all below a directory write ${pattern}/**`)];
  }
  return [];
}

function checkDeny(path: KeyPath, pattern: string, grants: readonly (GrantConfig | null)[]): readonly Finding[] {
  if (pattern.includes("!(")) {
    return [error(path, "!(…) in a deny lets through names that only begin alike; write what is denied, or an allow")];
  }
  const allows = grants.map((grant) => grant?.paths?.allow);
  const needed = allows.some((allow) => allow === undefined || allow.some((one) => mayMeet(one, pattern)));
  return needed ? [] : [warning(path, "no grant of the tenant allows anything that this denies")];
}

/** False where two patterns surely have no path in common: their starts, up to the first wildcard, part ways. */
function mayMeet(a: string, b: string): boolean {
  const [first, second] = [literalStart(a), literalStart(b)];
  return first.startsWith(second) || second.startsWith(first);
}

/** Without regard to case, as denies are. */
function literalStart(pattern: string): string {
  return pattern
    .slice(0, pattern.search(/[*?[\](){}\\+@!]|$/))
    .normalize("NFC")
    .toLowerCase();
}

function balanced(pattern: string): boolean {
  const open: string[] = [];
  for (const [bracket] of pattern.replace(/\\./gs, "").matchAll(/[[\](){}]/g)) {
    if ("[({".includes(bracket)) open.push(bracket);
    else if (open.pop() !== { "]": "[", ")": "(", "}": "{" }[bracket]) return false;
  }
  return open.length === 0;
}
