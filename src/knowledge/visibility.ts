/**
 * The caller's view of single files: may it be seen, and which of its links can be followed.
 *
 * Decisions are made on the path that the upstream returned. Source: docs/invariants.md 2.
 */
import { type FileTarget, type KnowledgeBaseAccess, OPERATION_NAMES, type OperationName } from "../policy/access.ts";
import type { GeneratedFile, ReadActions } from "../upstream/contract.ts";
import { LINK_OPERATIONS } from "./links.ts";

/** The members of any row, of any answer, that a decision needs. */
export interface Row {
  readonly path: string;
  /** Null for a file that the upstream generated; absent where a release does not tell. */
  readonly sourceFileId?: string | null | undefined;
}

export function targetOf(row: Row): FileTarget {
  return { path: row.path, generated: row.sourceFileId === null };
}

export function sees(access: KnowledgeBaseAccess, row: Row, operation: OperationName): boolean {
  return !access.restricted(operation) || access.file(targetOf(row), operation).allowed;
}

/** The links, with null for each that this caller cannot follow at the gateway. */
function showActions(
  access: KnowledgeBaseAccess,
  row: Row,
  actions: ReadActions | null | undefined
): ReadActions | null | undefined {
  if (!actions) return actions;
  const shown: Record<string, unknown> = {};
  for (const [link, href] of Object.entries(actions)) {
    const operation = LINK_OPERATIONS.get(link);
    // An operation that is not granted sees no file.
    shown[link] = operation !== undefined && sees(access, row, operation) ? href : null;
  }
  return shown;
}

/**
 * A row with its links as this caller can follow them, and all else as the upstream wrote it. To a caller who may do
 * everything it is the shared row itself, whose dead links were closed when it arrived.
 */
export function showRow<R extends Row & { readActions?: ReadActions | null | undefined }>(
  access: KnowledgeBaseAccess,
  row: R
): R {
  if (!row.readActions || isOpen(access)) return row;
  return { ...row, readActions: showActions(access, row, row.readActions) };
}

/** By the set of operations, which callers under the same grants share. */
const open = new WeakMap<object, boolean>();

/** Whether the caller has every operation and nothing is hidden from it. */
function isOpen(access: KnowledgeBaseAccess): boolean {
  const known = open.get(access.operations);
  if (known !== undefined) return known;
  const answer = OPERATION_NAMES.every(
    (operation) => access.operations.has(operation) && !access.restricted(operation)
  );
  open.set(access.operations, answer);
  return answer;
}

/** A file object of an answer about that file; null where it is hidden from the operation. */
export function showFile(
  access: KnowledgeBaseAccess,
  file: GeneratedFile,
  operation: OperationName
): GeneratedFile | null {
  return sees(access, file, operation) ? showRow(access, file) : null;
}
