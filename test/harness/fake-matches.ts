/**
 * Which files the fake upstream's search finds: a file matches when a word of the query is in it; order is that of the files.
 * After them come pages that only the record of a relation leads to, which holds the title and the path of the page at its
 * other end.
 */
import { neighborsOf, okfSignals } from "./fake-files.ts";
import { baseName, type FakeFile, type KnowledgeBaseModel } from "./fake-model.ts";

/** What of a question decides on matches. */
export interface Sought {
  readonly normalizedQuery: string;
  readonly mode: string | null;
  readonly scope: string | null;
  readonly fileKind: string | null;
  readonly okfStatus: string | null;
  readonly okfTrustTier: string | null;
  readonly okfFreshness: string | null;
}

export interface Match {
  readonly file: FakeFile;
  /** Whether the file's own text matches. */
  readonly own: boolean;
  /** The first record of one of its relations that matches. */
  readonly record: string | undefined;
}

export function matchesIn(kb: KnowledgeBaseModel, asked: Sought): Match[] {
  const matches = [...kb.files().values()]
    .filter((file) => admits(asked, file))
    .map((file) => ({ file, own: says(asked, searchedText(file, asked)), record: matchingRecord(kb, file, asked) }));
  const alone = matches.filter(({ own, record }) => !own && record !== undefined);
  return [...matches.filter(({ own }) => own), ...alone];
}

function admits(asked: Sought, file: FakeFile): boolean {
  if (asked.fileKind === "page" && file.page === null) return false;
  const signals = okfSignals(file.page?.frontmatter ?? {});
  if (asked.okfStatus !== null && signals.effectiveStatus !== asked.okfStatus) return false;
  if (asked.okfTrustTier !== null && signals.trustTier !== asked.okfTrustTier) return false;
  return asked.okfFreshness === null || signals.isStale === (asked.okfFreshness === "stale");
}

function searchedText(file: FakeFile, asked: Sought): string {
  const metadata = `${file.title}\n${file.page?.description ?? ""}\n${(file.page?.tags ?? []).join("\n")}`;
  if (asked.scope === "path") return file.path.replace(/^pages\//, "");
  return asked.scope === "metadata" ? metadata : `${metadata}\n${file.path}\n${file.content}`;
}

function says(asked: Sought, text: string): boolean {
  const lower = text.toLowerCase();
  return asked.normalizedQuery
    .toLowerCase()
    .split(" ")
    .some((word) => lower.includes(word));
}

function matchingRecord(kb: KnowledgeBaseModel, file: FakeFile, asked: Sought): string | undefined {
  if (asked.mode === "file" || asked.scope !== "all" || file.page === null) return undefined;
  return neighborsOf(kb, file)
    .map(({ to, relation: { relationType = "related" } }) =>
      [baseName(file.path), to.title, to.path.replace(/^pages\//, ""), relationType].join("\n")
    )
    .find((record) => says(asked, record));
}
