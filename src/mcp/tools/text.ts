/**
 * A tool's answer as text that a model reads: YAML, and a file's content after it as it is written.
 *
 * It says what `structuredContent` says, but for what can be seen from the rest, so that it alone suffices to go on.
 */
import { toYaml } from "./yaml.ts";

type Fields = Readonly<Record<string, unknown>>;

/** Only a null here means something: no more pages, a link that the caller cannot follow. */
const NULLS_THAT_SPEAK: ReadonlySet<string> = new Set(["nextCursor", "nextOffset", "readActions"]);

/** @param answer JSON values only */
export function textOf(answer: Fields): string {
  const { content, ...rest } = answer;
  if (typeof content !== "string") return toYaml(concise(answer));
  return `${toYaml(concise(rest))}---\n${content}`;
}

/** Without what says nothing: fields that are null, and those that repeat another. */
function concise(fields: Fields): Fields {
  const kept: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) {
    if (field === null && !NULLS_THAT_SPEAK.has(name)) continue;
    if (!isRepeated(name, field, fields)) kept[name] = conciseValue(field);
  }
  return kept;
}

function conciseValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(conciseValue);
  return typeof value === "object" && value !== null ? concise(value as Fields) : value;
}

function isRepeated(name: string, field: unknown, { fileId, path, entryType }: Fields): boolean {
  if (name === "sourceFileId") return field === fileId;
  if (name === "contentAvailable") return field === (entryType !== "directory");
  return name === "name" && typeof path === "string" && field === path.slice(path.lastIndexOf("/") + 1);
}
