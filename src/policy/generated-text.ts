/**
 * Whether a generated file's text may be shown to a caller with path rules. A graph file of a visible page names the
 * pages that it relates to, with excerpts, and which those are is in its text alone. Source: docs/invariants.md 2.
 */
import { posix } from "node:path";
import type { Decision, FileTarget, KnowledgeBaseAccess, OperationName } from "./access.ts";
import { isGeneratedPath, originOf } from "./generated.ts";

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
  const generated = target.generated || isGeneratedPath(target.path);
  if (!generated || !access.restricted(operation)) return { allowed: true, rule: "shown as it was written" };
  const named = target.path.endsWith(".json") ? pathsInJson(text) : pathsInMarkdown(target.path, text);
  if (named === null) return { allowed: false, rule: "a generated file whose text cannot be understood" };
  const hidden = named.find((path) => !mayBeNamed(access, path.normalize("NFC"), operation));
  return hidden === undefined
    ? { allowed: true, rule: "a generated file that names nothing hidden" }
    : { allowed: false, rule: `a generated file that names ${hidden}, which is hidden` };
}

function mayBeNamed(access: KnowledgeBaseAccess, path: string, operation: OperationName): boolean {
  if (path.startsWith("pages/") && !isGeneratedPath(path)) {
    if (path.endsWith(".md")) return access.file({ path, generated: false }, operation).allowed;
    return access.directory(path, operation) === "visible";
  }
  const origin = originOf(path);
  if (origin.kind === "page") return access.file({ path: origin.path, generated: false }, operation).allowed;
  // `pages` itself and the entrances exist in every knowledge base: their names tell nothing.
  if (origin.kind !== "directory" || origin.path === "pages") return true;
  return access.directory(origin.path, operation) === "visible";
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

/** The targets of links, which are relative to the file. */
function pathsInMarkdown(file: string, text: string): readonly string[] | null {
  try {
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) =>
      posix.join(posix.dirname(file), decodeURIComponent(link))
    );
  } catch {
    return null;
  }
}
