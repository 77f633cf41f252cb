/**
 * Makes answers small: a model pays for every character, and nine tenths of an upstream answer are links and relations.
 *
 * A field that the upstream's answer lacks stays absent, one that is null stays null: nothing is invented or fetched.
 */

/** The named fields of an object, in the order of the names. */
export function pick(source: object, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  const fields = source as Readonly<Record<string, unknown>>;
  for (const name of names) if (Object.hasOwn(fields, name)) picked[name] = fields[name];
  return picked;
}

interface Linked {
  readonly readActions?: object | null | undefined;
}

/** The named fields of a row, and of its links the named ones. */
export function pickRow(row: Linked, names: readonly string[], links: readonly string[]): Record<string, unknown> {
  return { ...pick(row, names), ...pickLinks(row, links) };
}

export function pickLinks(row: Linked, links: readonly string[]): { readActions?: unknown } {
  const { readActions } = row;
  if (readActions === undefined) return {};
  return { readActions: readActions === null ? null : pick(readActions, links) };
}
