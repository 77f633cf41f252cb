/**
 * A glob taken apart at its slashes, for questions about directories that a regular expression cannot answer: whether the
 * glob matches every file below one, and whether it can match any.
 *
 * Every answer is on the safe side: what this module does not understand covers nothing and may reach anything.
 */
import picomatch from "picomatch";
import { expandBraces } from "./braces.ts";

type Segment =
  | { readonly kind: "literal"; readonly text: string }
  /** `*` and `?` within one segment. */
  | { readonly kind: "wildcard"; readonly text: string; readonly matches: (segment: string) => boolean }
  | { readonly kind: "globstar" }
  /** Classes, extended globs, escapes: may stand for anything, slashes included. */
  | { readonly kind: "opaque" };

export type Segments = readonly Segment[];

/** One list of segments for each brace alternative. */
export function parseSegments(pattern: string, options: picomatch.PicomatchOptions): readonly Segments[] {
  const alternatives = /[([\\]/.test(pattern) ? null : expandBraces(pattern);
  return (alternatives ?? [pattern]).map((alternative) =>
    alternative.split("/").map((text) => (/[()[\]{}\\|]/.test(text) ? opaque : parseSegment(text, text, options)))
  );
}

/** The pattern with brackets and braces as characters of names; only `*`, `?` and `**` mean what they do in globs. */
export function parseLiterally(pattern: string, options: picomatch.PicomatchOptions): Segments {
  return pattern.split("/").map((text) => parseSegment(text, escapeBrackets(text), options));
}

/** Makes picomatch read brackets and braces as themselves. */
export function escapeBrackets(pattern: string): string {
  return pattern.replace(/[()[\]{}|]/g, "\\$&");
}

const opaque: Segment = { kind: "opaque" };

function parseSegment(text: string, glob: string, options: picomatch.PicomatchOptions): Segment {
  if (text === "**") return { kind: "globstar" };
  if (text === "" || text.includes("**")) return opaque;
  if (/[*?]/.test(text)) return { kind: "wildcard", text, matches: picomatch(glob, options) };
  return { kind: "literal", text: options.nocase === true ? text.toLowerCase() : text };
}

/**
 * Whether some file below `directory` could match.
 * @param directory a canonical path's segments, in lower case where the glob ignores case
 */
export function reaches(glob: Segments, directory: readonly string[]): boolean {
  const walk = (position: number, depth: number): boolean => {
    const segment = glob[position];
    if (segment === undefined) return false;
    if (depth === directory.length || segment.kind === "opaque") return true;
    if (segment.kind === "globstar") return walk(position + 1, depth) || walk(position, depth + 1);
    return matchesSegment(segment, directory[depth]) && walk(position + 1, depth + 1);
  };
  return walk(0, 0);
}

/** Whether every file below `directory` surely matches. Below `pages/` all files are Markdown, so `*.md` is all of them. */
export function covers(glob: Segments, directory: readonly string[]): boolean {
  const prefix = beforeEverything(glob, directory[0] === "pages");
  if (prefix === null) return false;
  const walk = (position: number, depth: number): boolean => {
    const segment = prefix[position];
    if (segment === undefined) return true;
    if (segment.kind === "globstar" && walk(position + 1, depth)) return true;
    if (depth === directory.length || segment.kind === "opaque") return false;
    if (segment.kind === "globstar") return walk(position, depth + 1);
    return matchesSegment(segment, directory[depth]) && walk(position + 1, depth + 1);
  };
  return walk(0, 0);
}

/** What stands before a tail that matches all below it (`**`, `**` + `/*`), or null without such a tail. */
function beforeEverything(glob: Segments, markdownOnly: boolean): Segments | null {
  const last = glob.at(-1);
  if (last?.kind === "globstar") return glob.slice(0, -1);
  const all = last?.kind === "wildcard" && (last.text === "*" || (markdownOnly && last.text === "*.md"));
  return all && glob.at(-2)?.kind === "globstar" ? glob.slice(0, -2) : null;
}

function matchesSegment(segment: Extract<Segment, { text: string }>, name: string | undefined): boolean {
  if (name === undefined) return false;
  return segment.kind === "literal" ? segment.text === name : segment.matches(name);
}
