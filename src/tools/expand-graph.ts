/** expand_graph: the relations around a file, some steps out. */
import * as z from "zod";
import { BOUNDS } from "../knowledge/bounds.ts";
import { LISTS } from "../knowledge/lists.ts";
import type { GraphExpansion, Reader } from "../knowledge/types.ts";
import { pick } from "./compact.ts";
import { bounded, cursor, fileId, limit, PAGE_NAMES } from "./fields.ts";
import { compactRelation, relationShape } from "./relations.ts";
import { fields, page } from "./shapes.ts";
import { defineTool, wholePage } from "./tool.ts";

/** The reader's own default is GraphQL's. */
const PAGE_SIZE = LISTS.expand.upstreamDefault;

export const expandGraph = defineTool({
  name: "expand_graph",
  title: "Expand the relation graph",
  description:
    "Relations around one file, up to two steps out. Use it when evidence is incomplete and the direct relations do " +
    "not reach far enough, from a file you have already read. Relations are hints: read the files they lead to.",
  input: z.object({
    fileId,
    depth: bounded(BOUNDS.depth, "Steps to follow."),
    fanout: bounded(BOUNDS.fanout, "Relations of a file to follow."),
    cursor,
    limit: limit(LISTS.expand.maximum, PAGE_SIZE)
  }),
  output: z.object({
    ...page,
    relationships: z.array(relationShape),
    ...fields("seedFile", "graphPaths", "resultSummary")
  }),
  async read(knowledgeBase, { cursor: after, limit, ...args }, reader) {
    const first = limit ?? defaultPage(reader);
    return wholePage(await knowledgeBase.expand(args, { first, after, names: PAGE_NAMES }));
  },
  compact: (whole) => ({
    ...pick(whole, ["activeContentRevision"]),
    ...compactSeed(whole),
    relationships: whole.relationships.map((item) =>
      compactRelation(item, ["fileContentById", "graphExpansionByFileId"])
    ),
    ...pick(whole, ["graphPaths", "resultSummary", "nextCursor"])
  })
});

/** A default is never more than the tenant may ask for. */
function defaultPage(reader: Reader): number {
  return Math.min(PAGE_SIZE, reader.viewer.limits.pageSize);
}

function compactSeed({ seedFile }: GraphExpansion): { seedFile?: object | null } {
  if (seedFile === undefined) return {};
  return { seedFile: seedFile && pick(seedFile, ["fileId", "sourceFileId", "path", "title"]) };
}
