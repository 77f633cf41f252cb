/** Knowledge bases and trees: the operations that list. */
import { GatewayError, invalid } from "../errors.ts";
import type { KnowledgeBaseList, KnowledgeBase as KnowledgeBaseObject, Tree, TreeEntry } from "../upstream/contract.ts";
import { KnowledgeBaseCursor, readCursor, TreeCursor, writeCursor } from "./cursors.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import type { Parameters } from "./parameters.ts";
import { mayBeDirectory } from "./paths.ts";
import { invalidCursor, notFound } from "./refusals.ts";
import type { Snapshot } from "./snapshot.ts";

export function knowledgeBaseObject({ id, createdAt, snapshot }: KnowledgeBase): KnowledgeBaseObject {
  return {
    knowledgeBaseId: id,
    name: snapshot.about.name,
    description: snapshot.about.description,
    activeContentRevision: snapshot.revision,
    resourceRevision: 1,
    createdAt,
    updatedAt: createdAt
  };
}

/** @param held all of them, by id; @param max the largest `limit` */
export function listKnowledgeBases(held: readonly KnowledgeBase[], query: Parameters, max: number): KnowledgeBaseList {
  const limit = query.limit(50, max);
  const cursor = query.text("cursor");
  const after = cursor === null ? "" : readCursor(KnowledgeBaseCursor, cursor).publicId;
  const rest = held.filter(({ id }) => id > after);
  const rows = rest.slice(0, limit);
  const last = rest.length > limit ? rows.at(-1) : undefined;
  return {
    items: rows.map(knowledgeBaseObject),
    nextCursor: last
      ? writeCursor(KnowledgeBaseCursor, {
          kind: "knowledge_base",
          scope: "current:",
          normalizedPath: null,
          publicId: last.id
        })
      : null
  };
}

const ENTRY_TYPES = ["file", "directory"] as const;

/** @param snapshot undefined for a knowledge base that does not exist, which is told after what is wrong with the query */
export function listTree(snapshot: Snapshot | undefined, query: Parameters, max: number): Tree {
  if (query.text("query") !== null) throw invalid("query", "A tree cannot be searched. Use the search operation.");
  const entryType = query.oneOf("entryType", ENTRY_TYPES);
  if (entryType === undefined) {
    throw new GatewayError("VALIDATION_ERROR", {
      message: "entryType must be file or directory.",
      details: { allowedValues: ENTRY_TYPES }
    });
  }
  const limit = query.limit(100, max);
  const parentPath = parentPathOf(query, snapshot);
  if (snapshot === undefined) throw notFound();
  if (snapshot.revision === 0) return { activeContentRevision: null, items: [], nextCursor: null };
  const scope = JSON.stringify({
    knowledgeBaseId: snapshot.knowledgeBaseId,
    activationRevision: snapshot.revision,
    parentPath,
    entryType,
    query: ""
  });
  const rows = (snapshot.tree.get(parentPath) ?? []).filter((row) => entryType === null || row.entryType === entryType);
  const rest = rows.slice(firstRow(rows, scope, query.text("cursor")));
  const items = rest.slice(0, limit);
  const last = rest.length > limit ? items.at(-1) : undefined;
  return {
    activeContentRevision: snapshot.revision,
    items,
    nextCursor: last ? writeCursor(TreeCursor, { version: 1, scope, logicalPath: last.path, recordId: last.id }) : null
  };
}

function firstRow(rows: readonly TreeEntry[], scope: string, cursor: string | null): number {
  if (cursor === null) return 0;
  const place = readCursor(TreeCursor, cursor);
  if (place.scope !== scope) throw invalidCursor();
  const index = rows.findIndex((row) => row.path > place.logicalPath);
  return index === -1 ? rows.length : index;
}

/** Absent and `root` are the root; an empty one is not. */
function parentPathOf(query: Parameters, snapshot: Snapshot | undefined): string {
  const path = query.raw("parentPath") ?? "root";
  if (path === "root") return "";
  if (path !== "" && (snapshot?.tree.has(path) || mayBeDirectory(path))) return path;
  throw invalid(
    "parentPath",
    "parentPath must be a directory's path below pages, _index or _graph, without a slash at its ends."
  );
}
