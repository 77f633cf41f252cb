/**
 * Marks: words that stand in every name and text of a random world, each in one place only, so that whatever turns up in an
 * answer, and however it got there, tells whose it is.
 */

/** What a mark stands in. */
export type Part =
  | "name"
  | "title"
  | "description"
  | "tag"
  | "frontmatter"
  | "content"
  | "directory"
  | "reason"
  | "knowledgeBase";

const LETTERS: Readonly<Record<Part, string>> = {
  name: "n",
  title: "t",
  description: "d",
  tag: "g",
  frontmatter: "f",
  content: "c",
  directory: "p",
  reason: "r",
  knowledgeBase: "k"
};

/** Letters and digits only: no encoding of a URL, of JSON or of YAML changes it. */
export function mark(part: Part, number: number): string {
  return `mk${LETTERS[part]}${String(number).padStart(4, "0")}z`;
}

/** A mark, or an id of the upstream's. */
const FOUND = /mk[a-z]\d{4}z|(?:source-file|directory)-[0-9a-f-]{36,}|generated-(?:directory-)?[0-9a-f]{32}/gi;

/** Every mark and id in a text, in lower case; those that a search's highlighting cuts into pieces too. */
export function marksIn(text: string): string[] {
  const plain = text.includes("<em>") ? text.replace(/<\/?em>/g, "") : text;
  return (plain.match(FOUND) ?? []).map((found) => found.toLowerCase());
}
