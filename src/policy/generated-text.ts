/**
 * Whether a generated file's text may be shown to a caller with path rules. A graph file of a visible page names the
 * pages that it relates to, with excerpts, and which those are is in its text alone. Source: docs/invariants.md 2.
 */
import type { Decision, FileTarget, KnowledgeBaseAccess, OperationName } from "./access.ts";
import { isGeneratedPath, type Subject, subjectOf } from "./generated.ts";
import { pathsInMarkdown } from "./markdown-paths.ts";

/** Whether `decideText` has anything to decide, so that a text need be read for it. */
export function hangsOnText(access: KnowledgeBaseAccess, target: FileTarget, operation: OperationName): boolean {
  return access.restricted(operation) && (target.generated || isGeneratedPath(target.path));
}

/**
 * Asked after `file` allowed the target, before its content is shown. Uploaded pages are shown as they were written.
 * @param text the whole content
 */
export function decideText(
  access: KnowledgeBaseAccess,
  target: FileTarget,
  text: string,
  operation: OperationName
): Decision {
  if (!hangsOnText(access, target, operation)) return { allowed: true, rule: "shown as it was written" };
  const named = target.path.endsWith(".json") ? pathsInJson(text) : pathsInMarkdown(target.path, text);
  if (named === null) return { allowed: false, rule: "a generated file whose text cannot be understood" };
  const hidden = hiddenAmong(access, [target.path, ...named], operation);
  return hidden === undefined
    ? { allowed: true, rule: "a generated file that names nothing hidden" }
    : { allowed: false, rule: `a generated file that names ${hidden}, which is hidden` };
}

/** The first page that may not be seen, directory that may hold nothing visible, or path of which it is not known. */
function hiddenAmong(
  access: KnowledgeBaseAccess,
  paths: readonly string[],
  operation: OperationName
): string | undefined {
  const subjects = paths.map((path) => subjectOf(path.normalize("NFC")));
  const of = (kind: Subject["kind"]) => subjects.flatMap((subject) => (subject.kind === kind ? subject.path : []));
  const [unknown] = of("unknown");
  if (unknown !== undefined) return unknown;
  const pages = of("page");
  const hiddenPage = pages.find((path) => !access.file({ path, generated: false }, operation).allowed);
  if (hiddenPage !== undefined) return hiddenPage;
  // A page's own directories are in its path.
  const known = new Set(pages.flatMap(directoriesAbove));
  return of("directory").find((path) => !known.has(path) && access.directory(path, operation) !== "visible");
}

function directoriesAbove(page: string): string[] {
  const segments = page.split("/").slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

/** Every string that is a path; several may be joined by NUL. Null for what is no JSON. */
function pathsInJson(text: string): readonly string[] | null {
  const paths: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") paths.push(...value.split("\0").filter(isPath));
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  try {
    collect(JSON.parse(text));
    return paths;
  } catch {
    return null;
  }
}

function isPath(text: string): boolean {
  return /^(pages|_index|_graph)\//.test(text);
}
