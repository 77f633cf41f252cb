/** expand_graph: the relations around a file, some steps out. */
import * as z from "zod";
import type { GraphExpansion, Reader } from "../knowledge/types.ts";
import { pick } from "./compact.ts";
import { cursor, defaulted, fileId, limit, PAGE_NAMES } from "./fields.ts";
import { compactRelation, relationShape } from "./relations.ts";
import { fields, page } from "./shapes.ts";
import { defineTool, wholePage } from "./tool.ts";

const PAGE_SIZE = 50;

export const expandGraph = defineTool({
  name: "expand_graph",
  title: "Expand the relation graph",
  description:
    "Relations around one file, up to two steps out. Use it when evidence is incomplete and the direct relations do " +
    "not reach far enough, from a file you have already read. Relations are hints: read the files they lead to.",
  input: z.object({
    fileId,
    depth: defaulted(z.int().min(0).max(2), 1, "Steps to follow."),
    fanout: defaulted(z.int().min(0).max(25), 10, "Relations of a file to follow."),
    cursor,
    limit: limit(200, PAGE_SIZE)
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

/** The reader's own default is GraphQL's; a default is never more than the tenant may ask for. */
function defaultPage(reader: Reader): number {
  return Math.min(PAGE_SIZE, reader.viewer.limits.pageSize);
}

function compactSeed({ seedFile }: GraphExpansion): { seedFile?: object | null } {
  if (seedFile === undefined) return {};
  return { seedFile: seedFile && pick(seedFile, ["fileId", "sourceFileId", "path", "title"]) };
}
