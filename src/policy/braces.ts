/** Brace alternatives of a glob, written out: `{a,b}/c` is `a/c` and `b/c`. */

/** Above this many alternatives a pattern is not written out. */
const MAX_ALTERNATIVES = 64;

/**
 * @returns every alternative, the pattern itself where it has no braces, or null where they are not plain lists (ranges,
 *   empty or single members, unbalanced braces) or are too many.
 */
export function expandBraces(pattern: string): readonly string[] | null {
  const open = pattern.indexOf("{");
  if (open < 0) return pattern.includes("}") ? null : [pattern];
  const members = membersOf(pattern, open);
  if (members === null) return null;
  const alternatives: string[] = [];
  for (const member of members.texts) {
    const expanded = expandBraces(pattern.slice(0, open) + member + pattern.slice(members.end));
    if (expanded === null || alternatives.length + expanded.length > MAX_ALTERNATIVES) return null;
    alternatives.push(...expanded);
  }
  return alternatives;
}

/** The comma-separated members of the group that opens at `open`, and where the pattern goes on after it. */
function membersOf(pattern: string, open: number): { texts: string[]; end: number } | null {
  const texts: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let index = open; index < pattern.length; index += 1) {
    const character = pattern[index];
    if (character === "{") depth += 1;
    else if (character === "," && depth === 1) {
      texts.push(pattern.slice(start, index));
      start = index + 1;
    } else if (character === "}") {
      depth -= 1;
      if (depth > 0) continue;
      texts.push(pattern.slice(start, index));
      const plain = texts.length > 1 && texts.every((text) => text !== "" && !text.includes(".."));
      return plain ? { texts, end: index + 1 } : null;
    }
  }
  return null;
}
