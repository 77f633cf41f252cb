/** list_tree: what lies in a directory. */
import * as z from "zod";
import { LISTS } from "../knowledge/lists.ts";
import type { TreeEntry } from "../knowledge/types.ts";
import { pick, pickLinks } from "./compact.ts";
import { cursor, defaulted, limit, optional, PAGE_NAMES, text } from "./fields.ts";
import { fields, page } from "./shapes.ts";
import { defineTool, wholePage } from "./tool.ts";

const input = z.object({
  parentPath: defaulted(text, "root", "A directory's path from an earlier answer, such as pages."),
  entryType: optional(z.enum(["file", "directory"]), "Only files or only directories."),
  cursor,
  limit: limit(LISTS.tree.maximum, LISTS.tree.default)
});

const ENTRY = ["fileId", "sourceFileId", "path", "name", "title", "entryType", "fileKind", "contentAvailable"] as const;

export const listTree = defineTool({
  name: "list_tree",
  title: "List a directory",
  description:
    "List the files and directories directly below a directory. Use it when a search found nothing or you cannot tell " +
    "what the knowledge base covers. Names are hints: read a file before you rely on it.",
  input,
  output: z.object({
    ...page,
    items: z.array(z.object({ path: z.string(), entryType: z.string(), ...fields("fileId", "name") }))
  }),
  async read(knowledgeBase, { parentPath, entryType, cursor: after, limit: first }) {
    const args = { parentPath: directoryOf(parentPath), entryType };
    return wholePage(await knowledgeBase.tree(args, { first, after, names: PAGE_NAMES }));
  },
  compact: (whole) => ({
    ...pick(whole, ["activeContentRevision"]),
    items: whole.items.map(compactEntry),
    ...pick(whole, ["nextCursor"])
  })
});

/** Undefined for every way to say the root; a directory's own path else. */
function directoryOf(parentPath: string | undefined): string | undefined {
  if (parentPath === undefined || parentPath === "/" || parentPath === "root") return undefined;
  return parentPath.endsWith("/") ? parentPath.slice(0, -1) : parentPath;
}

function compactEntry(entry: TreeEntry): object {
  return entry.entryType === "directory"
    ? pick(entry, [...ENTRY, "descendantFileCount"])
    : { ...pick(entry, ENTRY), ...pickLinks(entry, ["fileContentByPath"]) };
}
