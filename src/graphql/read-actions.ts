/** Where a file's other reads are found over REST. */
import type { ReadActions } from "../knowledge/types.ts";
import { builder } from "./builder.ts";

export const ReadActionsRef = builder.objectRef<ReadActions>("ReadActions");

const links = {
  fileDetailById: "The file's detail.",
  fileContentById: "The file's content, by its id.",
  fileContentByPath: "The file's content, by its path.",
  relatedFilesById: "Files related to it.",
  graphExpansionByFileId: "The graph around it.",
  sourceFileStatusById: "The upload's processing status. Always null: this gateway reads finished knowledge only."
} as const;

ReadActionsRef.implement({
  description:
    "Paths at this gateway's REST mirror, to be followed as they stand. Null where this caller cannot follow one, or " +
    "where the file has no such read.",
  fields: (t) => {
    const link = (name: keyof typeof links) =>
      t.string({ description: links[name], resolve: (actions) => actions[name] });
    return {
      fileDetailById: link("fileDetailById"),
      fileContentById: link("fileContentById"),
      fileContentByPath: link("fileContentByPath"),
      relatedFilesById: link("relatedFilesById"),
      graphExpansionByFileId: link("graphExpansionByFileId"),
      sourceFileStatusById: link("sourceFileStatusById")
    };
  }
});
