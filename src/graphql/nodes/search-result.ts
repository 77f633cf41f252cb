/** A hit in an answer, with the file that it found. */
import type { KnowledgeBaseReader, SearchHit } from "../../knowledge/types.ts";
import { FileNode } from "./file.ts";

export interface SearchResultNode {
  readonly reads: KnowledgeBaseReader;
  readonly hit: SearchHit;
  readonly file: FileNode;
  readonly revision: number | null;
}

/** @param revision the page's, for hits that do not say theirs */
export function searchResultNode(
  reads: KnowledgeBaseReader,
  hit: SearchHit,
  revision: number | null
): SearchResultNode {
  const { fileId, sourceFileId, path, fileKind, title, description, tags, frontmatter, okfSignals } = hit;
  const file = new FileNode(reads, {
    fileId,
    sourceFileId,
    path,
    fileKind,
    title,
    description,
    tags,
    frontmatter,
    okfSignals,
    contentAvailable: hit.contentAvailable,
    readActions: hit.readActions,
    activeContentRevision: hit.activeContentRevision ?? revision
  });
  return { reads, hit, file, revision };
}
