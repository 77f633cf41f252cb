/** Finding one file, with the one read that also answers what the query selects of it. */
import { GatewayError } from "../errors.ts";
import type { FileLookup, KnowledgeBaseReader } from "../knowledge/types.ts";
import { nullIfNotFound } from "./absent.ts";
import { FileNode } from "./nodes/file.ts";

/** Fields that are reads of their own by file id, and so tell by themselves whether the file is there. */
const OWN_READS = new Set(["related", "expand"]);
const FREE = new Set([...OWN_READS, "knowledgeBase", "__typename"]);

/**
 * @param selected the fields of the file that the query asks for
 * @returns null where the file is hidden or absent
 * @throws GatewayError FORBIDDEN without the operation that the read needs, and what the read brings
 */
export async function lookUpFile(
  reads: KnowledgeBaseReader,
  lookup: FileLookup,
  selected: ReadonlySet<string>
): Promise<FileNode | null> {
  // The content's answer carries the file's detail too.
  if (selected.has("content") && reads.may("read_file")) {
    return await nullIfNotFound(readWithContent(reads, lookup));
  }
  if (!("fileId" in lookup)) {
    const file = await nullIfNotFound(reads.fileByPath(lookup.path));
    return file === null ? null : FileNode.detailed(reads, file);
  }
  const fields = [...selected];
  if (fields.some((name) => OWN_READS.has(name)) && fields.every((name) => FREE.has(name))) {
    return new FileNode(reads, { fileId: lookup.fileId });
  }
  return readDetail(reads, lookup.fileId);
}

/** @returns null where the file is hidden or absent. @throws GatewayError FORBIDDEN without `get_file` */
export async function readDetail(reads: KnowledgeBaseReader, fileId: string): Promise<FileNode | null> {
  const file = await nullIfNotFound(reads.file(fileId));
  return file === null ? null : FileNode.detailed(reads, file);
}

async function readWithContent(reads: KnowledgeBaseReader, lookup: FileLookup): Promise<FileNode> {
  const content = reads.content(lookup);
  try {
    const { file } = await content;
    return FileNode.detailed(reads, file, content);
  } catch (thrown) {
    const known = "fileId" in lookup && !(thrown instanceof GatewayError && thrown.code === "NOT_FOUND");
    if (!known) {
      throw thrown;
    }
    // The content cannot be had, which says nothing of the detail: each field answers, or fails, for itself.
    return new FileNode(reads, { fileId: lookup.fileId }, content);
  }
}
