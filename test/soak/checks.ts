/** Whether an answer is right: what the upstream held in the time of the request, and nothing else. */

import type { Ask, Subject } from "../faults/ask.ts";
import type { Verdict } from "../faults/surfaces.ts";
import type { TestAnswer } from "../harness/gateway.ts";
import { isSecret, neighbors, type Snapshot, type Span, type Truth, versionIn, visible } from "./truth.ts";

export interface Asked {
  readonly ask: Ask;
  readonly subject: Subject;
  /** The tenant with path rules, to which `pages/secret` does not exist. */
  readonly restricted: boolean;
  /** From the time at which a known revision may have been learned to the arrival of the answer. */
  readonly span: Span;
  /** Whether anything was wrong with the upstream, or had been until a moment before. */
  readonly disturbed: boolean;
}

/** Errors that an upstream's fault, and only that, excuses. */
const EXCUSED: ReadonlySet<string> = new Set([
  "UPSTREAM_UNAVAILABLE",
  "UPSTREAM_TIMEOUT",
  "UPSTREAM_INVALID_RESPONSE",
  "UPSTREAM_AUTHENTICATION_FAILED",
  "DATABASE_REPOSITORY_UNAVAILABLE",
  "SEARCH_UNAVAILABLE",
  "SEARCH_OVERLOADED",
  "SEARCH_TIMEOUT",
  "RATE_LIMITED"
]);
const ABOUT_ONE_FILE: ReadonlySet<string> = new Set([
  "getFileById",
  "getFileContentById",
  "getFileContentByPath",
  "listRelatedFiles",
  "expandGraph"
]);

/** @returns what is wrong with it; null where nothing is */
export function wrongWith(truth: Truth, asked: Asked, verdict: Verdict, answer: TestAnswer): string | null {
  if (answer.text.includes("marker-of")) return "it carries a marker of the upstream";
  if (asked.restricted && answer.text.includes("pages/secret")) return "it names what is hidden from the tenant";
  const value = verdict.code === "OK" ? valueIn(asked.ask, answer) : undefined;
  if (verdict.code === "NOT_FOUND" || value === null) return wrongAbsence(truth, asked);
  if (verdict.code === "OK") return wrongValue(truth, asked, value);
  if (EXCUSED.has(verdict.code)) return asked.disturbed ? null : "nothing was wrong with the upstream";
  // A page that was overtaken by a publication.
  if (verdict.code === "VALIDATION_ERROR" && answer.text.includes("REVISION_CHANGED")) return null;
  return "no such error was to be expected";
}

/** What the surface wraps; null where GraphQL says that it is not there. */
function valueIn({ surface, operation, wide }: Ask, { body }: TestAnswer) {
  if (surface === "mcp") return body.result.structuredContent;
  if (surface !== "graphql") return body;
  if (operation === "listKnowledgeBases") return body.data.knowledgeBases;
  if (wide) return body.data.search;
  const knowledgeBase = body.data.knowledgeBase;
  if (operation === "getKnowledgeBase") return { knowledgeBase };
  const { tree, search, file, graphOverview } = knowledgeBase;
  return tree ?? search ?? graphOverview ?? file?.related ?? file?.expand ?? file ?? null;
}

function wrongAbsence(truth: Truth, { ask, subject, restricted, span, disturbed }: Asked): string | null {
  if (!ABOUT_ONE_FILE.has(ask.operation)) return "that is there all the time";
  if (restricted && isSecret(subject.path)) return null;
  // For a tenant with path rules an answer that proves no path is no file.
  if (restricted && disturbed) return null;
  if (truth.during(span).some(({ pages }) => !pages.has(subject.path))) return null;
  return truth.wasWithdrawn(subject.path, span) ? null : "the page was there all the time";
}

type Value = ReturnType<typeof JSON.parse>;

function wrongValue(truth: Truth, asked: Asked, value: Value): string | null {
  const { ask, subject, restricted, span } = asked;
  const { path } = subject;
  const possible = truth.during(span);
  if (ABOUT_ONE_FILE.has(ask.operation) && restricted && isSecret(path)) return "it is hidden from the tenant";
  const labelled = (): Snapshot | undefined =>
    possible.find(({ revision }) => revision === value.activeContentRevision);
  switch (ask.operation) {
    case "getHealth":
      return value.status === "ok" ? null : "it is not well";
    case "listKnowledgeBases":
      return JSON.stringify(value).includes(subject.knowledgeBaseId) ? null : "the knowledge base is not in the list";
    case "getKnowledgeBase":
      return possible.some(({ revision }) => revision === value.knowledgeBase.activeContentRevision)
        ? null
        : "the revision is none of this time";
    case "getFileById":
      return wrongVersion(possible, path, (value.file ?? value).path, (value.file ?? value).title);
    case "getFileContentById":
    case "getFileContentByPath":
      return wrongVersion(possible, path, value.file?.path ?? value.path ?? path, value.content);
    case "listKnowledgeBaseTree": {
      const listed = namesIn(value).filter((name) => /\/page-\d+\.md$/.test(name));
      const inside = (snapshot: Snapshot) =>
        visible(snapshot, restricted).filter((name) => name.startsWith(`${subject.parentPath}/`));
      return wrongRows(labelled(), (snapshot) => inside(snapshot).sort(), listed);
    }
    case "searchGeneratedFiles":
      if (ask.wide) return wrongMerge(asked, possible, value);
      return (
        wrongRows(labelled(), (snapshot) => visible(snapshot, restricted).slice(0, 10), namesIn(value)) ??
        wrongExcerpts(labelled(), value)
      );
    case "listRelatedFiles":
    case "expandGraph":
      return wrongRows(labelled(), (snapshot) => neighbors(snapshot, path, restricted), namesIn(value));
    case "getGraphOverview": {
      // Like a file, it may be labelled with the revision after its own; it is not a walk that could be mixed up.
      const count = value.summary?.readableFileCount ?? null;
      if (restricted) return count === null ? null : "it tells how many files there are";
      return possible.some(({ pages }) => pages.size === count)
        ? null
        : `${count} files were there at no revision of this time`;
    }
    default:
      return null;
  }
}

function wrongVersion(possible: readonly Snapshot[], path: string, shown: string, text: string | null): string | null {
  if (shown !== path) return `it is the page ${shown}`;
  const version = text === null ? null : versionIn(text);
  if (version === null || !text?.includes(path)) return "it is not the page's text";
  return possible.some(({ pages }) => pages.get(path) === version) ? null : `version ${version} is none of this time`;
}

function wrongRows(
  snapshot: Snapshot | undefined,
  expected: (snapshot: Snapshot) => readonly string[],
  names: readonly string[]
): string | null {
  if (snapshot === undefined) return "its label is none of this time";
  const right = expected(snapshot);
  return right.join() === names.join() ? null : `rows ${names.join()} in place of ${right.join()}`;
}

/** The other knowledge base is empty, so that what is merged are the results of the one, in their order. */
function wrongMerge({ restricted, disturbed }: Asked, possible: readonly Snapshot[], value: Value): string | null {
  const failed = (value.sources ?? []).some(({ error }: { error: unknown }) => error !== null);
  if (failed) return disturbed ? null : "a source failed, though nothing was wrong with the upstream";
  const names = namesIn(value).join();
  const right = possible.some((snapshot) => visible(snapshot, restricted).slice(0, 10).join() === names);
  return right ? null : `rows ${names} are of no revision of this time`;
}

function wrongExcerpts(snapshot: Snapshot | undefined, value: Value): string | null {
  for (const hit of value.items ?? value.edges.map(({ node }: { node: unknown }) => node)) {
    const path: string = hit.path ?? hit.file.path;
    if (versionIn(hit.sourceExcerpt) !== snapshot?.pages.get(path))
      return `the excerpt of ${path} is of another revision`;
  }
  return null;
}

function namesIn(value: Value): string[] {
  const rows: Value[] = value.items ?? value.relationships ?? value.edges.map(({ node }: { node: unknown }) => node);
  return rows.map((row) => row.path ?? row.file.path);
}
