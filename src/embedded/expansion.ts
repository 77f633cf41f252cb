/** What relates to a page, and what relates to that; and how much of it there is. */
import type { GraphExpansion, GraphOverview } from "../upstream/contract.ts";
import { ExpansionCursor, readCursor, writeCursor } from "./cursors.ts";
import { capSize, documentById } from "./files.ts";
import type { Parameters } from "./parameters.ts";
import { graphPaths, MAX_DEPTH, MAX_FANOUT, reach, reachedFile } from "./reach.ts";
import { invalidCode, invalidCursor, notFound } from "./refusals.ts";
import type { Snapshot } from "./snapshot.ts";
import { basePath, fileObject } from "./wire.ts";

/** @param snapshot undefined for a knowledge base that does not exist, which is told after what is wrong with the query */
export function expandGraph(
  snapshot: Snapshot | undefined,
  query: Parameters,
  max: number,
  contentBytes: number
): GraphExpansion {
  const fileId = query.text("fileId");
  if (fileId === null) throw invalidCode("GRAPH_EXPANSION_FILE_ID_REQUIRED", "fileId names the page to start from.");
  const depth = query.integer("depth", 1, 0, MAX_DEPTH);
  if (depth === null) throw invalidCode("INVALID_GRAPH_EXPANSION_DEPTH", `depth must be from 0 to ${MAX_DEPTH}.`);
  const fanout = query.integer("fanout", 10, 0, MAX_FANOUT);
  if (fanout === null) throw invalidCode("INVALID_GRAPH_EXPANSION_FANOUT", `fanout must be from 0 to ${MAX_FANOUT}.`);
  const limit = query.limit(50, max);
  if (snapshot === undefined) throw notFound();
  const seed = documentById(snapshot, fileId);
  if (seed.kind !== "page") throw notFound();
  capSize(seed, contentBytes);
  const bound = {
    version: 1 as const,
    knowledgeBaseId: snapshot.knowledgeBaseId,
    sourceFileId: seed.id,
    depth,
    fanout
  };
  const offset = expansionOffset(bound, query.text("cursor"));
  const all = reach(snapshot, seed, depth, fanout);
  const rows = all.slice(offset, offset + limit);
  const hasMore = all.length > offset + limit;
  return {
    activeContentRevision: snapshot.revision,
    seedFile: fileObject(snapshot, seed),
    relationships: rows.map((step) => reachedFile(snapshot, step)),
    graphPaths: graphPaths(snapshot, seed, rows),
    nextCursor: hasMore ? writeCursor(ExpansionCursor, { ...bound, offset: offset + limit }) : null,
    resultSummary: {
      relationshipCount: rows.length,
      hasMore,
      depth,
      fanout,
      meaning: "Relations between pages of the current revision."
    }
  };
}

function expansionOffset(
  bound: { knowledgeBaseId: string; sourceFileId: string; depth: number; fanout: number },
  cursor: string | null
): number {
  if (cursor === null) return 0;
  const { offset, ...place } = readCursor(ExpansionCursor, cursor);
  const fits =
    place.knowledgeBaseId === bound.knowledgeBaseId &&
    place.sourceFileId === bound.sourceFileId &&
    place.depth === bound.depth &&
    place.fanout === bound.fanout;
  if (!fits) throw invalidCursor();
  return offset;
}

export function graphOverview(snapshot: Snapshot): GraphOverview {
  if (snapshot.revision === 0) throw notFound();
  const base = basePath(snapshot.knowledgeBaseId);
  const tree = (path: string) => `${base}/tree?parentPath=${encodeURIComponent(path)}`;
  const byFile = snapshot.relations.count > 0 ? "_graph/by-file" : null;
  return {
    activeContentRevision: snapshot.revision,
    availability: byFile === null ? "empty" : "available",
    summary: { readableFileCount: snapshot.pages.size, relationshipCount: snapshot.relations.count },
    resources: { graphIndexPath: "_graph/index.md", byDirectoryPath: null, byFilePath: byFile },
    readActions: {
      graphIndexContent: `${base}/files/content?path=${encodeURIComponent("_graph/index.md")}`,
      listGraphRoot: tree("_graph"),
      listRelationshipsByDirectory: null,
      listRelationshipsByFile: byFile === null ? null : tree(byFile)
    }
  };
}
