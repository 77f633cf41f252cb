/** An entry of a tree: a file or a directory. */
import type { KnowledgeBaseReader, TreeEntry } from "../../knowledge/types.ts";
import { DirectoryNode } from "./directory.ts";
import { FileNode } from "./file.ts";

/** @param revision the page's, for entries that do not say theirs */
export function treeEntryNode(
  reads: KnowledgeBaseReader,
  entry: TreeEntry,
  revision: number | null
): FileNode | DirectoryNode {
  if (entry.entryType === "directory") {
    return new DirectoryNode(reads, entry, entry.activeContentRevision ?? revision);
  }
  const { sourceFileId, path, fileKind, contentAvailable, readActions } = entry;
  return new FileNode(reads, {
    // Older releases name a file by the entry's id alone.
    fileId: entry.fileId ?? entry.id,
    sourceFileId,
    path,
    fileKind,
    contentAvailable,
    readActions,
    activeContentRevision: entry.activeContentRevision ?? revision
  });
}
