/** read_file: a file's source, the only evidence there is. */
import * as z from "zod";
import { fileId, optional, text } from "./fields.ts";
import { fileRow } from "./shapes.ts";
import { defineTool } from "./tool.ts";

// A root `oneOf` would say this in the schema, and be dropped by some hosts; so it is checked when called.
const input = z
  .object({
    fileId: optional(fileId, "A fileId from an earlier answer; or send path."),
    path: optional(text, "A path from an earlier answer, such as pages/guide.md; or send fileId.")
  })
  .refine(({ fileId, path }) => (fileId === undefined) !== (path === undefined), {
    path: ["fileId"],
    message: "Send exactly one of fileId or path: the fileId of a hit, or a path such as pages/guide.md."
  });

export const readFile = defineTool({
  name: "read_file",
  title: "Read a file",
  description:
    "Read the Markdown of one file, by exactly one of fileId or path. What this returns is the only evidence: answer " +
    "from it and cite its title or path. Keep a list of what you have read and read no file twice. A graphRef that an " +
    "answer gave may be read by path; never make up a _graph path.",
  input,
  output: z.object({ file: z.object(fileRow), content: z.string() }),
  read: (knowledgeBase, { fileId, path }) =>
    knowledgeBase.content(fileId === undefined ? { path: path ?? "" } : { fileId }),
  compact: (whole) => whole
});
