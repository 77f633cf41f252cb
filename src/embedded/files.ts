/** Files by id and by path: the operations that read one. */
import { invalid } from "../errors.ts";
import type { FileContent, GeneratedFile } from "../upstream/contract.ts";
import type { Document } from "./document.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import type { Parameters } from "./parameters.ts";
import { mayBeFile } from "./paths.ts";
import { notFound, tooLarge, withdrawn } from "./refusals.ts";
import type { Snapshot } from "./snapshot.ts";
import { fileObject, sizeOf } from "./wire.ts";

/** @throws GatewayError NOT_FOUND; PAYLOAD_TOO_LARGE above `contentBytes` */
export function fileDetail(snapshot: Snapshot, fileId: string, contentBytes: number): { file: GeneratedFile } {
  const document = documentById(snapshot, fileId);
  capSize(document, contentBytes);
  return { file: fileObject(snapshot, document) };
}

/**
 * The text of a file, with its detail.
 * @throws GatewayError NOT_FOUND where it is absent, or its file on disk is no longer the one that was read;
 *   PAYLOAD_TOO_LARGE above `contentBytes`
 */
export async function fileContent(
  knowledgeBase: KnowledgeBase,
  document: Document,
  contentBytes: number
): Promise<FileContent> {
  // Taken before the wait, so that label and text belong together.
  const { snapshot } = knowledgeBase;
  capSize(document, contentBytes);
  if (document.kind === "page" && !(await knowledgeBase.readable(document))) throw withdrawn();
  return { file: fileObject(snapshot, document), content: document.content };
}

export function documentById(snapshot: Snapshot, fileId: string): Document {
  const document = snapshot.byId.get(fileId);
  if (document === undefined) throw notFound();
  return document;
}

/** @param snapshot undefined for a knowledge base that does not exist, which is told after what is wrong with the path */
export function documentByPath(snapshot: Snapshot | undefined, query: Parameters): Document {
  const path = query.raw("path") ?? "";
  const document = snapshot?.documents.get(path);
  if (document !== undefined) return document;
  if (mayBeFile(path)) throw notFound();
  throw invalid("path", "path must be that of a file: index.md, log.md, or one below pages, _index or _graph.");
}

export function capSize(document: Document, contentBytes: number): void {
  if (sizeOf(document) > contentBytes) throw tooLarge(contentBytes);
}
