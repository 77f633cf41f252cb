/** The directories of one revision, each with its rows in order, ready to be paged. */
import type { TreeEntry } from "../upstream/contract.ts";
import type { Document } from "./document.ts";
import { directoryId, generatedDirectoryId } from "./ids.ts";
import { byPath, nameOf, parentOf } from "./paths.ts";
import { readActions } from "./wire.ts";

/** Rows by the path of the directory that holds them; the root is `""`. */
export type Tree = ReadonlyMap<string, readonly TreeEntry[]>;

interface Counts {
  directories: number;
  files: number;
  /** Uploaded pages at any depth. */
  pages: number;
}

export function buildTree(knowledgeBaseId: string, revision: number, documents: readonly Document[]): Tree {
  const counts = countDirectories(documents);
  const tree = new Map<string, TreeEntry[]>([["", []]]);
  for (const path of counts.keys()) if (path !== "") tree.set(path, []);
  for (const [path, held] of counts) {
    if (path !== "") tree.get(parentOf(path))?.push(directoryRow(knowledgeBaseId, revision, path, held));
  }
  for (const document of documents) {
    tree.get(parentOf(document.path))?.push(fileRow(knowledgeBaseId, revision, document));
  }
  for (const rows of tree.values()) rows.sort(byPath);
  return tree;
}

function countDirectories(documents: readonly Document[]): Map<string, Counts> {
  const counts = new Map<string, Counts>();
  const open = (path: string): Counts => {
    const known = counts.get(path);
    if (known) return known;
    const made = { directories: 0, files: 0, pages: 0 };
    counts.set(path, made);
    if (path !== "") open(parentOf(path)).directories += 1;
    return made;
  };
  // An empty knowledge base still has the root of its pages, as soon as it has anything.
  if (documents.length > 0) open("pages");
  for (const document of documents) {
    open(parentOf(document.path)).files += 1;
    if (document.kind !== "page") continue;
    for (let path = parentOf(document.path); path !== ""; path = parentOf(path)) open(path).pages += 1;
  }
  return counts;
}

function fileRow(knowledgeBaseId: string, revision: number, document: Document): TreeEntry {
  const page = document.kind === "page" ? document : null;
  return {
    activeContentRevision: revision,
    id: document.id,
    fileId: document.id,
    sourceFileId: page?.id ?? null,
    directoryId: null,
    ...place(document.path, document.id),
    entryType: "file",
    fileKind: document.kind === "page" ? "page" : document.treeKind,
    directEntryCount: 0,
    directDirectoryCount: 0,
    directFileCount: 0,
    descendantFileCount: 0,
    resourceRevision: page?.resourceRevision ?? null,
    deletable: false,
    contentAvailable: true,
    readActions: readActions(knowledgeBaseId, document)
  };
}

function directoryRow(knowledgeBaseId: string, revision: number, path: string, counts: Counts): TreeEntry {
  // What lies below `pages/` was uploaded; the roots and all else were made.
  const uploaded = path.startsWith("pages/");
  const id = uploaded ? directoryId(knowledgeBaseId, path) : generatedDirectoryId(knowledgeBaseId, path);
  return {
    activeContentRevision: revision,
    id,
    fileId: null,
    sourceFileId: null,
    directoryId: uploaded ? id : null,
    ...place(path, id),
    entryType: "directory",
    fileKind: null,
    directEntryCount: counts.directories + counts.files,
    directDirectoryCount: counts.directories,
    directFileCount: counts.files,
    descendantFileCount: counts.pages,
    resourceRevision: uploaded ? 1 : 0,
    deletable: false,
    contentAvailable: false,
    readActions: null
  };
}

function place(path: string, id: string) {
  return { parentPath: parentOf(path), name: nameOf(path), path, sortKey: `${path}:${id}` };
}
