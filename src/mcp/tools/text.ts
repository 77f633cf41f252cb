/**
 * A tool's answer as text that a model reads: YAML, and a file's content after it as it is written.
 *
 * It says what `structuredContent` says, but for what can be seen from the rest, so that it alone suffices to go on.
 */
import { Document, isScalar, visit } from "yaml";

/** Only a null here means something: no more pages, a link that the caller cannot follow. */
const NULLS_THAT_SPEAK: ReadonlySet<string> = new Set(["nextCursor", "nextOffset", "readActions"]);

/** @param answer JSON values only */
export function textOf(answer: Readonly<Record<string, unknown>>): string {
  const { content, ...rest } = answer;
  if (typeof content !== "string") return toYaml(answer);
  return `${toYaml(rest)}---\n${content}`;
}

function toYaml(value: object): string {
  const document = new Document(concise(value), { aliasDuplicateObjects: false });
  visit(document, {
    Seq(_key, sequence) {
      if (sequence.items.every(isScalar)) sequence.flow = true;
    },
    // A small object that is a field's value fits on the field's line; items of lists start lines of their own.
    Map(key, map) {
      if (key === "value" && map.items.every((pair) => isScalar(pair.value))) map.flow = true;
    }
  });
  return document.toString({ lineWidth: 0, flowCollectionPadding: false });
}

/** Without what says nothing: fields that are null, and those that repeat another. */
function concise(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(concise);
  if (typeof value !== "object" || value === null) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field === null && !NULLS_THAT_SPEAK.has(name)) continue;
    if (!isRepeated(name, field, fields)) kept[name] = concise(field);
  }
  return kept;
}

function isRepeated(name: string, field: unknown, { fileId, path }: Readonly<Record<string, unknown>>): boolean {
  if (name === "sourceFileId") return field === fileId;
  if (name === "contentAvailable") return field === true;
  return name === "name" && typeof path === "string" && field === path.slice(path.lastIndexOf("/") + 1);
}
