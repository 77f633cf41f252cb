/** A relation in an answer: the row, the file it leads to, and the file it starts from. */
import type { KnowledgeBaseReader, RelatedFile } from "../../knowledge/types.ts";
import { FileNode } from "./file.ts";

export interface RelationshipNode {
  readonly row: RelatedFile;
  readonly file: FileNode;
  readonly from: FileNode | null;
}

/**
 * @param revision the page's, for rows that do not say theirs
 * @param start the file that was asked about, so that a relation that starts there shares what it carries
 */
export function relationshipNodes(
  reads: KnowledgeBaseReader,
  rows: readonly RelatedFile[],
  revision: number | null,
  start: FileNode
): readonly RelationshipNode[] {
  const files = rows.map((row) => relatedFile(reads, row, revision));
  const known = new Map([start, ...files].map((file) => [file.fileId, file]));
  return rows.map((row, index) => {
    const file = files[index] ?? relatedFile(reads, row, revision);
    const from = row.fromFileId ?? null;
    return { row, file, from: from === null ? null : (known.get(from) ?? new FileNode(reads, { fileId: from })) };
  });
}

function relatedFile(reads: KnowledgeBaseReader, row: RelatedFile, revision: number | null): FileNode {
  const { fileId, sourceFileId, path, title, contentAvailable, readActions } = row;
  const activeContentRevision = row.activeContentRevision ?? revision;
  return new FileNode(reads, {
    fileId,
    sourceFileId,
    path,
    title,
    contentAvailable,
    readActions,
    activeContentRevision
  });
}
