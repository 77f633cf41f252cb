/** get_file: what is known of a file, without its text. */
import * as z from "zod";
import { fileId } from "./fields.ts";
import { fileRow } from "./shapes.ts";
import { defineTool } from "./tool.ts";

export const getFile = defineTool({
  name: "get_file",
  title: "Get a file's metadata",
  description:
    "Title, description, tags, frontmatter, size and links of one file, without its text. Metadata is a hint, not " +
    "evidence; read_file returns it together with the text.",
  input: z.object({ fileId }),
  output: z.object(fileRow),
  read: (knowledgeBase, { fileId }) => knowledgeBase.file(fileId),
  compact: (whole) => whole
});
