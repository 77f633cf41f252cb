/** Secrets that stand in the file itself. */
import { type Finding, type KeyPath, warning } from "./problems.ts";
import { hasReference } from "./secrets.ts";

/** Keys that hold a secret; `*` is any key or index. */
const SECRETS: readonly (readonly string[])[] = [
  ["server", "cursorSecret"],
  ["server", "cursorSecret", "*"],
  ["server", "metricsToken"],
  ["upstreams", "*", "apiKey"],
  ["shared", "redisUrl"]
];

/** @param value the document's value before references are filled in */
export function checkPlainSecrets(value: unknown): readonly Finding[] {
  return SECRETS.flatMap((pattern) => textsAt(value, pattern, []))
    .filter(({ text, path }) => !hasReference(text) && (path[0] !== "shared" || hasPassword(text)))
    .map(({ path }) => warning(path, `a secret in plain text; use \${env:NAME} or \${file:PATH}`));
}

function textsAt(
  value: unknown,
  pattern: readonly string[],
  path: KeyPath
): readonly { text: string; path: KeyPath }[] {
  const [key, ...rest] = pattern;
  if (key === undefined) return typeof value === "string" ? [{ text: value, path }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value)
    .filter(([name]) => key === "*" || key === name)
    .flatMap(([name, item]) => textsAt(item, rest, [...path, Array.isArray(value) ? Number(name) : name]));
}

function hasPassword(url: string): boolean {
  return URL.canParse(url) && new URL(url).password !== "";
}
