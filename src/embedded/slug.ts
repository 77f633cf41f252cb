/** Names for the configuration, made from folders' names. */

/** Routes below `/agent/`, which no knowledge base can be named after. */
const RESERVED = new Set(["tree", "files", "graph", "search", "tools", "skill.zip"]);
const LENGTH = 64;

/** One slug for each name, in their order: lower case letters, digits, dots, dashes and underscores, each slug once. */
export function slugsOf(names: readonly string[]): string[] {
  const given = new Set<string>();
  return names.map((name) => {
    const base = slugOf(name);
    let slug = base;
    for (let copy = 2; given.has(slug); copy += 1) slug = `${base.slice(0, LENGTH - 8)}-${copy}`;
    given.add(slug);
    return slug;
  });
}

function slugOf(name: string): string {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, "")
    .slice(0, LENGTH);
  if (plain === "") return "knowledge";
  return RESERVED.has(plain) ? `${plain}-pages` : plain;
}
