/**
 * The caller's view of single files: may it be seen, and which of its links can be followed.
 *
 * Decisions are made on the path that the upstream returned. Source: docs/invariants.md 2.
 */
import type { FileTarget, KnowledgeBaseAccess, OperationName } from "../policy/access.ts";
import type { GeneratedFile, ReadActions } from "../upstream/contract.ts";

/** The members of any row, of any answer, that a decision needs. */
export interface Row {
  readonly path: string;
  /** Null for a file that the upstream generated; absent where a release does not tell. */
  readonly sourceFileId?: string | null | undefined;
}

/** What each link needs; a link that this table does not know cannot be followed here. */
const LINK_OPERATIONS: ReadonlyMap<string, OperationName> = new Map([
  ["fileDetailById", "get_file"],
  ["fileContentById", "read_file"],
  ["fileContentByPath", "read_file"],
  ["relatedFilesById", "read_related"],
  ["graphExpansionByFileId", "expand_graph"]
]);

export function targetOf(row: Row): FileTarget {
  return { path: row.path.normalize("NFC"), generated: row.sourceFileId === null };
}

export function sees(access: KnowledgeBaseAccess, row: Row, operation: OperationName): boolean {
  return !access.restricted(operation) || access.file(targetOf(row), operation).allowed;
}

/** The links, with null for each that this caller cannot follow at the gateway. */
export function showActions(
  access: KnowledgeBaseAccess,
  row: Row,
  actions: ReadActions | null | undefined
): ReadActions | null | undefined {
  if (!actions) return actions;
  const shown: Record<string, unknown> = {};
  for (const [link, href] of Object.entries(actions)) {
    const operation = LINK_OPERATIONS.get(link);
    shown[link] =
      operation !== undefined && access.operations.has(operation) && sees(access, row, operation) ? href : null;
  }
  return shown;
}

/** A row with its links as this caller can follow them. Everything else stays as the upstream wrote it. */
export function showRow<R extends Row & { readActions?: ReadActions | null | undefined }>(
  access: KnowledgeBaseAccess,
  row: R
): R {
  return row.readActions ? { ...row, readActions: showActions(access, row, row.readActions) } : row;
}

/** A file object of an answer about that file; null where it is hidden from the operation. */
export function showFile(
  access: KnowledgeBaseAccess,
  file: GeneratedFile,
  operation: OperationName
): GeneratedFile | null {
  return sees(access, file, operation) ? showRow(access, file) : null;
}
