/** What relates to a page, and what relates to that. */
import type { GraphExpansion, GraphOverview, Related, RelatedFile } from "../upstream/contract.ts";
import { ExpansionCursor, RelatedCursor, readCursor, writeCursor } from "./cursors.ts";
import { capSize, documentById } from "./files.ts";
import type { Page } from "./page.ts";
import type { Parameters } from "./parameters.ts";
import { graphPathOf } from "./paths.ts";
import { GatewayError, invalidCode, invalidCursor, notFound } from "./refusals.ts";
import type { Relation } from "./relations.ts";
import type { Snapshot } from "./snapshot.ts";
import { basePath, fileObject, relatedFile } from "./wire.ts";

export const MAX_DEPTH = 2;
export const MAX_FANOUT = 25;

/** Paged by the related file's id, so that the walk goes on where it was when the content has changed meanwhile. */
export function listRelated(snapshot: Snapshot, fileId: string, query: Parameters, max: number): Related {
  const page = documentById(snapshot, fileId);
  if (page.kind !== "page") throw new GatewayError("CONFLICT", { message: "Only pages have related files." });
  const limit = query.limit(50, max);
  const bound = { version: 3 as const, knowledgeBaseId: snapshot.knowledgeBaseId, sourceFileId: page.id };
  const after = relatedAfter(bound, query.text("cursor"));
  const rest = [...(snapshot.relations.of.get(page.path) ?? [])]
    .sort((left, right) => (left.target.id < right.target.id ? -1 : 1))
    .filter(({ target }) => target.id > after);
  const rows = rest.slice(0, limit);
  const last = rest.length > limit ? rows.at(-1) : undefined;
  return {
    activeContentRevision: snapshot.revision,
    fileId: page.id,
    sourceFileId: page.id,
    items: rows.map((relation) => relatedFile(snapshot, page, relation, 1)),
    nextCursor: last ? writeCursor(RelatedCursor, { ...bound, targetSourceFileId: last.target.id }) : null
  };
}

function relatedAfter(bound: { knowledgeBaseId: string; sourceFileId: string }, cursor: string | null): string {
  if (cursor === null) return "";
  const place = readCursor(RelatedCursor, cursor);
  const fits = place.knowledgeBaseId === bound.knowledgeBaseId && place.sourceFileId === bound.sourceFileId;
  if (!fits) throw invalidCursor();
  return place.targetSourceFileId;
}

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

/** One relation on the way outward. */
export interface Step {
  readonly from: Page;
  readonly relation: Relation;
  readonly depth: number;
}

/**
 * Breadth first: of each page the strongest `fanout` relations, those that lead back to the seed left out. A page is
 * expanded once, at the depth where it was first reached.
 */
export function reach(snapshot: Snapshot, seed: Page, depth: number, fanout: number): Step[] {
  const steps: Step[] = [];
  const expanded = new Set([seed.path]);
  let level: Page[] = [seed];
  for (let at = 1; at <= depth; at += 1) {
    const next: Page[] = [];
    for (const from of level) {
      const relations = (snapshot.relations.of.get(from.path) ?? []).filter(({ target }) => target !== seed);
      for (const relation of relations.slice(0, fanout)) {
        steps.push({ from, relation, depth: at });
        if (expanded.has(relation.target.path)) continue;
        expanded.add(relation.target.path);
        next.push(relation.target);
      }
    }
    level = next;
  }
  return steps;
}

export function reachedFile(snapshot: Snapshot, { from, relation, depth }: Step): RelatedFile {
  return relatedFile(snapshot, from, relation, depth);
}

/** The graph files of the seed and of what was reached, each once. A page without relations has none. */
export function graphPaths(snapshot: Snapshot, seed: Page, steps: readonly Step[]): string[] {
  const pages = [seed, ...steps.map(({ relation }) => relation.target)].filter(({ path }) =>
    snapshot.relations.of.has(path)
  );
  return [...new Set(pages.map(({ path }) => graphPathOf(path)))];
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
