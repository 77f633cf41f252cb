/** One revision of a knowledge base: everything that answers are made from. Never changed after it was made. */
import { type Document, type GeneratedSource, generatedFile } from "./document.ts";
import { graphFiles, graphIndex } from "./graph-files.ts";
import { type Change, changeLog, directoryIndexes, type Introduction, rootIndex } from "./navigation.ts";
import type { Page } from "./page.ts";
import { byPath } from "./paths.ts";
import { type Relations, relate } from "./relations.ts";
import { buildTree, type Tree } from "./tree.ts";

export interface Snapshot {
  readonly knowledgeBaseId: string;
  readonly revision: number;
  readonly about: Introduction;
  readonly pages: ReadonlyMap<string, Page>;
  readonly documents: ReadonlyMap<string, Document>;
  /** By each id that opens a document. */
  readonly byId: ReadonlyMap<string, Document>;
  readonly relations: Relations;
  readonly tree: Tree;
}

export interface SnapshotSource {
  readonly knowledgeBaseId: string;
  /** The folder's name, where no page gives another. */
  readonly folderName: string;
  readonly revision: number;
  readonly pages: ReadonlyMap<string, Page>;
  /** The latest first. */
  readonly changes: readonly Change[];
}

export function takeSnapshot(source: SnapshotSource): Snapshot {
  const { knowledgeBaseId, revision, pages } = source;
  const relations = relate(pages);
  const about = introduction(source);
  const documents = new Map<string, Document>();
  // A knowledge base that never held a page has no files at all, generated ones included.
  if (revision > 0) {
    for (const page of pages.values()) documents.set(page.path, page);
    for (const made of generated(source, relations, about)) {
      if (!documents.has(made.path)) documents.set(made.path, generatedFile(knowledgeBaseId, made));
    }
  }
  const byId = new Map<string, Document>();
  for (const document of documents.values()) {
    byId.set(document.id, document);
    if (document.kind === "page") byId.set(document.alias, document);
  }
  const tree = buildTree(knowledgeBaseId, revision, [...documents.values()]);
  return { knowledgeBaseId, revision, about, pages, documents, byId, relations, tree };
}

function generated(source: SnapshotSource, relations: Relations, about: Introduction): GeneratedSource[] {
  const pages = [...source.pages.values()].sort(byPath);
  return [
    rootIndex(about, pages.length, relations.count),
    changeLog(source.changes),
    ...directoryIndexes(pages, (path) => source.pages.has(path)),
    graphIndex(relations),
    ...graphFiles(pages, relations)
  ];
}

/** What the knowledge base says of itself: in the frontmatter of the `index.md` or `README.md` at its root. */
function introduction({ pages, folderName }: SnapshotSource): Introduction {
  const page = pages.get("pages/index.md") ?? pages.get("pages/README.md");
  const named = page !== undefined && page.frontmatter.title !== undefined;
  return { name: named ? page.title : folderName, description: page?.description ?? null };
}
