/**
 * Writes JSON values as YAML for models to read: a field a line, small objects and lists of scalars on one, text as it
 * is written. What could be read otherwise is written as JSON, which YAML 1.2 contains.
 *
 * Written here because nobody else is served meanwhile: a listing of 500 entries takes a fifth of the 15 ms that the
 * `yaml` package needs. A test reads everything back with that package.
 */

/** Longer values of a nested object get lines of their own. */
const SHORT = 40;

type Fields = Readonly<Record<string, unknown>>;

/** @param value an object of JSON values */
export function toYaml(value: object): string {
  return fieldLines(value as Fields, "")
    .map((line) => `${line}\n`)
    .join("");
}

function fieldLines(fields: Fields, indent: string): string[] {
  return Object.entries(fields).flatMap(([name, value]) => fieldLine(plain(name, FLOW_SAFE), value, indent));
}

function fieldLine(name: string, value: unknown, indent: string): string[] {
  const start = `${indent}${name}:`;
  if (typeof value === "string") return [`${start} ${block(value, `${indent}  `) ?? plain(value, BLOCK_SAFE)}`];
  const line = inline(value);
  if (line !== null) return [`${start} ${line}`];
  if (isFields(value)) return [start, ...fieldLines(value, `${indent}  `)];
  if (Array.isArray(value) && value.every(isFilled))
    return [start, ...value.flatMap((item) => itemLines(item, indent))];
  return [`${start} ${JSON.stringify(value)}`];
}

/** A list's item: its first field on the line of the dash. */
function itemLines(item: Fields, indent: string): string[] {
  const inner = `${indent}    `;
  const [first = "", ...others] = fieldLines(item, inner);
  return [`${indent}  - ${first.slice(inner.length)}`, ...others];
}

/** On one line: scalars, lists of scalars, and objects of a few short scalars; null for what needs more. */
function inline(value: unknown): string | null {
  if (Array.isArray(value)) return value.every(isScalar) ? `[${value.map(flowScalar).join(", ")}]` : null;
  if (!isFields(value)) return JSON.stringify(value);
  const entries = Object.entries(value);
  if (!entries.every(([, field]) => isScalar(field) && String(field).length <= SHORT)) return null;
  return `{${entries.map(([name, field]) => `${plain(name, FLOW_SAFE)}: ${flowScalar(field)}`).join(", ")}}`;
}

function flowScalar(value: unknown): string {
  return typeof value === "string" ? plain(value, FLOW_SAFE) : JSON.stringify(value);
}

const RESERVED = /^(?:null|true|false|yes|no|on|off|y|n)$/i;
/** Starts with a letter, a slash or an underscore, and has nothing that YAML reads as syntax. */
const BLOCK_SAFE = /^[\p{L}_/](?:[^\p{C}\p{Zl}\p{Zp}:#]|:(?=\S)|(?<=\S)#)*$/u;
/** The same between brackets. */
const FLOW_SAFE = /^[\p{L}_/][^\p{C}\p{Zl}\p{Zp}:#,[\]{}]*$/u;

function plain(text: string, safe: RegExp): string {
  return safe.test(text) && !/\s$/.test(text) && !RESERVED.test(text) ? text : JSON.stringify(text);
}

/** What the lines of a literal block cannot hold: control characters but tabs, and what some take for line ends. */
const NOT_LITERAL = /[^\P{C}\n\t]|\p{Zl}|\p{Zp}/u;

/** Text of several lines as it is; null where it has one, or cannot be written so. */
function block(text: string, indent: string): string | null {
  if (!text.includes("\n") || NOT_LITERAL.test(text) || text.trim() === "" || text.endsWith("\n\n")) return null;
  const ended = text.endsWith("\n");
  const lines = (ended ? text.slice(0, -1) : text).split("\n").map((line) => (line === "" ? "" : indent + line));
  // Text that starts blank does not show how far it is indented.
  return `|${/^\s/.test(text) ? "2" : ""}${ended ? "" : "-"}\n${lines.join("\n")}`;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isFilled(value: unknown): value is Fields {
  return isFields(value) && Object.keys(value).length > 0;
}
