/** A directory in an answer, with what its listing said of it. */
import type { KnowledgeBaseReader, TreeEntry } from "../../knowledge/types.ts";

export class DirectoryNode {
  readonly __typename = "Directory";
  readonly reads: KnowledgeBaseReader;
  readonly entry: TreeEntry;
  readonly path: string;
  readonly name: string;
  readonly parentPath: string;
  readonly activeContentRevision: number | null;

  constructor(reads: KnowledgeBaseReader, entry: TreeEntry, activeContentRevision: number | null) {
    this.reads = reads;
    this.entry = entry;
    this.path = entry.path;
    this.name = entry.name;
    this.parentPath = entry.parentPath;
    this.activeContentRevision = activeContentRevision;
  }
}
