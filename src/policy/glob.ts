/** A path rule's pattern, compiled. Source of the semantics: docs/configuration.md, Path rules. */
import picomatch from "picomatch";
import { covers, escapeBrackets, parseLiterally, parseSegments, reaches, type Segments } from "./segments.ts";

export interface Glob {
  /** As the configuration has it. */
  readonly pattern: string;
  /** @param path canonical, in NFC */
  matches(path: string): boolean;
  /** Whether every file below the directory surely matches. */
  covers(directory: string): boolean;
  /** Whether some file below the directory could match. */
  reaches(directory: string): boolean;
  /**
   * Whether the pattern means this generated file, and does not only take it in with a wildcard: it matches, and either
   * its first segment is written out (`_graph/**`, `index.md`), or its last is (`index.md`) or starts with `index`.
   */
  names(path: string): boolean;
  /** Whether some file below this directory outside `pages/` could be meant by the pattern. */
  mayName(directory: string): boolean;
}

/** `s`: a line separator in a file's name must not end what `**` matches. */
const MATCHING = { dot: true, nonegate: true, windows: false, flags: "s" } as const;
const MATCHING_ANY_CASE = { ...MATCHING, nocase: true, flags: "si" } as const;

/**
 * A pattern is read as picomatch does, and once more with brackets as characters of names, so that a rule for
 * `pages/[draft] (v1).md` holds for the file that is called so.
 * @param ignoreCase for deny rules: a page must not escape one by the case of a letter
 */
export function compileGlob(pattern: string, ignoreCase: boolean): Glob {
  const options = ignoreCase ? MATCHING_ANY_CASE : MATCHING;
  const normal = pattern.normalize("NFC");
  const matchers = [picomatch(normal, options)];
  const alternatives = [...parseSegments(normal, options)];
  if (/[()[\]{}]/.test(normal) && !normal.includes("\\")) {
    matchers.push(picomatch(escapeBrackets(normal), options));
    alternatives.push(parseLiterally(normal, options));
  }
  const split = (path: string): string[] => (ignoreCase ? path.toLowerCase() : path).split("/");
  const matches = (path: string): boolean => matchers.some((matcher) => matcher(path));
  return {
    pattern,
    matches,
    covers: (directory) => alternatives.some((segments) => covers(segments, split(directory))),
    reaches: (directory) => alternatives.some((segments) => reaches(segments, split(directory))),
    names: (path) => matches(path) && alternatives.some((segments) => writesOut(segments, split(path))),
    mayName: (directory) => alternatives.some((segments) => mayWriteOut(segments, split(directory)))
  };
}

function writesOut(glob: Segments, path: readonly string[]): boolean {
  if (rootWrittenOut(glob, path)) return true;
  const name = path.at(-1) ?? "";
  const last = glob.at(-1);
  if (last?.kind === "literal") return last.text === name;
  return last?.kind === "wildcard" && last.text.startsWith("index") && name.startsWith(literalStart(last.text));
}

function mayWriteOut(glob: Segments, directory: readonly string[]): boolean {
  if (!reaches(glob, directory)) return false;
  const last = glob.at(-1);
  return (
    rootWrittenOut(glob, directory) ||
    last?.kind === "literal" ||
    (last?.kind === "wildcard" && last.text.startsWith("index"))
  );
}

/** Below `pages/` the first segment says nothing about generated files: all pages are there. */
function rootWrittenOut(glob: Segments, path: readonly string[]): boolean {
  const [root] = glob;
  return root?.kind === "literal" && root.text === path[0] && root.text !== "pages";
}

function literalStart(text: string): string {
  return text.slice(0, text.search(/[*?]/));
}
