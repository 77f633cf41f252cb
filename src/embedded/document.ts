/** What a knowledge base serves: uploaded pages, and the files made from them. */
import { generatedFileId } from "./ids.ts";
import type { Page } from "./page.ts";

/** A file that is made, not uploaded: indexes, the log, the graph. Its text is made when first read. */
export interface GeneratedFile {
  readonly kind: "generated";
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly fileKind: string;
  /** What a tree calls its kind; differs from `fileKind` for the log alone, as it does upstream. */
  readonly treeKind: string;
  readonly contentType: string;
  readonly content: string;
}

export type Document = Page | GeneratedFile;

export interface GeneratedSource {
  readonly path: string;
  readonly title: string;
  readonly fileKind: "index" | "graph_index";
  readonly treeKind?: string;
  make(): string;
}

export function generatedFile(knowledgeBase: string, source: GeneratedSource): GeneratedFile {
  const { path, title, fileKind, treeKind = fileKind, make } = source;
  const type = path.endsWith(".json") ? "application/json" : "text/markdown";
  let content: string | undefined;
  return {
    kind: "generated",
    id: generatedFileId(knowledgeBase, path),
    path,
    title,
    fileKind,
    treeKind,
    contentType: `${type}; charset=utf-8`,
    get content() {
      content ??= make();
      return content;
    }
  };
}
