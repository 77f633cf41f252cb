/** Which subjects of a tenant a grant is for. */

/**
 * @param patterns `*` stands for any run of characters; undefined is every subject
 * @returns whether a subject is meant; case counts
 */
export function compileSubjects(patterns: readonly string[] | undefined): (subject: string) => boolean {
  if (patterns === undefined) return () => true;
  const expressions = patterns.map((pattern) => new RegExp(`^${pattern.split("*").map(literal).join(".*")}$`, "su"));
  return (subject) => expressions.some((expression) => expression.test(subject));
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
