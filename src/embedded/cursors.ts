/**
 * The readable cursors of listings: base64url JSON of what they are bound to and where they stand, as upstream has them.
 * They are neither sealed nor signed; whoever can read one may also write one, which opens nothing that the key does not.
 */
import * as z from "zod";
import { invalidCursor } from "./refusals.ts";

const text = z.string().min(1);

export const KnowledgeBaseCursor = z.strictObject({
  kind: z.literal("knowledge_base"),
  scope: z.literal("current:"),
  normalizedPath: z.null(),
  publicId: text
});

/** `scope` is JSON of the question and the revision, so that a cursor of another one does not fit. */
export const TreeCursor = z.strictObject({ version: z.literal(1), scope: text, logicalPath: text, recordId: text });

export const RelatedCursor = z.strictObject({
  version: z.literal(3),
  knowledgeBaseId: text,
  sourceFileId: text,
  targetSourceFileId: text
});

/** How far an expansion can be paged. Source: the upstream refuses cursors beyond it. */
const EXPANSION_ROWS = 1_000;

export const ExpansionCursor = z.strictObject({
  version: z.literal(1),
  knowledgeBaseId: text,
  sourceFileId: text,
  depth: z.number(),
  fanout: z.number(),
  offset: z.int().min(1).max(EXPANSION_ROWS)
});

export function writeCursor<S extends z.ZodType>(_schema: S, value: z.input<S>): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

/** @throws GatewayError VALIDATION_ERROR with `details.field = "cursor"` where it is not such a cursor */
export function readCursor<S extends z.ZodType>(schema: S, cursor: string): z.output<S> {
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, "base64url").toString("utf8")));
  if (!parsed.success) throw invalidCursor();
  return parsed.data;
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
