/** What read_related and expand_graph answer of a relation. */
import * as z from "zod";
import type { RelatedFile } from "../knowledge/types.ts";
import { pickRow } from "./compact.ts";
import { fields, fileRow } from "./shapes.ts";

const RELATION = [
  "fileId",
  "sourceFileId",
  "path",
  "title",
  "relationType",
  "direction",
  "weight",
  "reason",
  "fromFileId",
  "relationshipDepth",
  "contentAvailable"
] as const;

export const relationShape = z.object({
  ...fileRow,
  relationType: z.string(),
  direction: z.string(),
  ...fields("title", "reason", "fromFileId")
});

export function compactRelation(relation: RelatedFile, links: readonly string[]): object {
  return pickRow(relation, RELATION, links);
}
