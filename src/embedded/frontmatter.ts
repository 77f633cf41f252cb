/** The YAML block at a page's head. Source: YAML 1.2, core schema: dates stay the strings they were written as. */
import { parseDocument } from "yaml";

export type Frontmatter = Readonly<Record<string, unknown>>;

export interface Split {
  /** Null where the page has no block, or one that cannot be read. */
  readonly frontmatter: Frontmatter;
  /** The Markdown after the block; the whole text where there is none. */
  readonly body: string;
  /** Why a block was not used; null where there is nothing to say. */
  readonly problem: string | null;
}

const BLOCK = /^---[ \t]*\r?\n([\s\S]*?)^(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/m;

/** @param text a page without its byte order mark */
export function splitFrontmatter(text: string): Split {
  const block = text.startsWith("---") ? BLOCK.exec(text) : null;
  if (block === null || block.index !== 0) return { frontmatter: {}, body: text, problem: null };
  const parsed = parse(block[1] ?? "");
  if (typeof parsed === "string") return { frontmatter: {}, body: text, problem: parsed };
  return { frontmatter: parsed, body: text.slice(block[0].length), problem: null };
}

function parse(yaml: string): Frontmatter | string {
  try {
    const document = parseDocument(yaml, { schema: "core", prettyErrors: false, logLevel: "silent" });
    const [error] = document.errors;
    if (error) return error.message;
    const value: unknown = document.toJS();
    if (value === null) return {};
    if (typeof value !== "object" || Array.isArray(value)) return "it is not a mapping of keys to values";
    // What answers carry must survive JSON: no NaN, no shared references.
    return JSON.parse(JSON.stringify(value)) as Frontmatter;
  } catch (error) {
    // Aliases that multiply, or nesting deeper than the stack.
    return error instanceof Error ? error.message : "it cannot be read";
  }
}

/** A text value: trimmed, numbers as written; null for anything else and for nothing. */
export function textValue(value: unknown): string | null {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return null;
  const trimmed = value.trim();
  return trimmed === "" ? null : trimmed;
}

/** Tags: a list, or a text with commas. Each once, in the order written. */
export function tagsOf(frontmatter: Frontmatter): string[] {
  const { tags } = frontmatter;
  const list = typeof tags === "string" ? tags.split(",") : Array.isArray(tags) ? tags : [];
  return [...new Set(list.map(textValue).filter((tag) => tag !== null))];
}
