/** read_related: the files that a file is related to. */
import * as z from "zod";
import { LISTS } from "../knowledge/lists.ts";
import { pick } from "./compact.ts";
import { cursor, fileId, limit, PAGE_NAMES } from "./fields.ts";
import { compactRelation, relationShape } from "./relations.ts";
import { fields, page } from "./shapes.ts";
import { defineTool, wholePage } from "./tool.ts";

export const readRelated = defineTool({
  name: "read_related",
  title: "List related files",
  description:
    "The files directly related to one, and how. Use it when evidence is incomplete, from a file you have already " +
    "read. A relation is a hint: read the file it leads to, unless you have.",
  input: z.object({ fileId, cursor, limit: limit(LISTS.related.maximum, LISTS.related.default) }),
  output: z.object({
    ...page,
    fileId: z.string(),
    items: z.array(relationShape),
    ...fields("message", "nextActions")
  }),
  async read(knowledgeBase, { fileId, cursor: after, limit: first }) {
    return wholePage(await knowledgeBase.related(fileId, { first, after, names: PAGE_NAMES }));
  },
  compact: (whole) => ({
    ...pick(whole, ["activeContentRevision", "fileId", "sourceFileId"]),
    items: whole.items.map((item) => compactRelation(item, ["fileContentById"])),
    ...pick(whole, ["message", "nextActions", "nextCursor"])
  })
});
