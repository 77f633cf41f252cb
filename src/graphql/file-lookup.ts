/** Finding one file, with the one read that also answers what the query selects of it. */
import { GatewayError } from "../errors.ts";
import type { FileContent, FileLookup, KnowledgeBaseReader } from "../knowledge/types.ts";
import { nullIfNotFound } from "./absent.ts";
import { FileNode } from "./nodes/file.ts";

/** Fields that are reads of their own by file id, and so tell by themselves whether the file may be had. */
const OWN_READS = new Set(["content", "related", "expand"]);
/** What needs no detail. */
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
  const fields = [...selected];
  const needsDetail = !fields.every((name) => FREE.has(name));
  if (selected.has("content") && reads.may("read_file")) {
    return readWithContent(reads, lookup, needsDetail);
  }
  if ("fileId" in lookup && !needsDetail && fields.some((name) => OWN_READS.has(name))) {
    return new FileNode(reads, lookup);
  }
  return readDetail(reads, lookup);
}

/** @returns null where the file is hidden or absent. @throws GatewayError FORBIDDEN without `get_file` */
export async function readDetail(
  reads: KnowledgeBaseReader,
  lookup: FileLookup,
  content?: Promise<FileContent>
): Promise<FileNode | null> {
  const read = "fileId" in lookup ? reads.file(lookup.fileId) : reads.fileByPath(lookup.path);
  const file = await nullIfNotFound(read);
  return file === null ? null : FileNode.detailed(reads, file, content);
}

/** The content's answer carries the detail too. That there is no content says nothing of the detail, which is read then. */
async function readWithContent(
  reads: KnowledgeBaseReader,
  lookup: FileLookup,
  needsDetail: boolean
): Promise<FileNode | null> {
  const content = reads.content(lookup);
  try {
    const { file } = await content;
    return FileNode.detailed(reads, file, content);
  } catch (thrown) {
    const isAbsent = thrown instanceof GatewayError && thrown.code === "NOT_FOUND";
    if ("fileId" in lookup && !isAbsent) {
      return new FileNode(reads, lookup, content);
    }
    if (reads.may("get_file") && (needsDetail || !isAbsent)) {
      return readDetail(reads, lookup, content);
    }
    if (isAbsent) {
      return null;
    }
    throw thrown;
  }
}
