/** What relates to a page. */
import type { Related } from "../upstream/contract.ts";
import { RelatedCursor, readCursor, writeCursor } from "./cursors.ts";
import { documentById } from "./files.ts";
import type { Parameters } from "./parameters.ts";
import { GatewayError, invalidCursor } from "./refusals.ts";
import type { Snapshot } from "./snapshot.ts";
import { relatedFile } from "./wire.ts";

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
