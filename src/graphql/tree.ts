/** The tree: what a directory holds, a page at a time. */
import type { KnowledgeBaseReader, PageInput, TreeArgs } from "../knowledge/types.ts";
import { builder } from "./builder.ts";
import { addEdge, Connection, connectionFields, type Edge, revisionField } from "./connection.ts";
import type { DirectoryNode } from "./nodes/directory.ts";
import type { FileNode } from "./nodes/file.ts";
import { treeEntryNode } from "./nodes/tree-entry.ts";
import { TreeConnectionRef, TreeEntryRef } from "./refs.ts";

const TreeEdgeRef = builder.objectRef<Edge<FileNode | DirectoryNode>>("TreeEdge");

export const TreeEntryType = builder.enumType("TreeEntryType", {
  description: "The two things that a directory holds.",
  values: {
    FILE: { value: "file", description: "Files only." },
    DIRECTORY: { value: "directory", description: "Directories only." }
  } as const
});

export async function treeConnection(reads: KnowledgeBaseReader, args: TreeArgs, page: PageInput) {
  const tree = await reads.tree(args, page);
  return new Connection(
    tree,
    tree.rows.map((entry) => treeEntryNode(reads, entry, tree.revision))
  );
}

TreeEntryRef.implement({
  description: "What a directory holds: a File or a Directory.",
  resolveType: (entry) => entry.__typename,
  fields: (t) => ({
    path: t.string({
      nullable: false,
      description: "The path from the knowledge base's root, without a leading slash."
    }),
    name: t.string({ nullable: false, description: "The last segment of the path." }),
    parentPath: t.string({
      nullable: false,
      description: "The path of the directory that holds it; empty for the root."
    })
  })
});

addEdge(TreeEdgeRef, TreeEntryRef, "entries");
TreeConnectionRef.implement({
  description: "A page of a directory's entries.",
  fields: (t) => ({
    ...connectionFields(t, TreeEdgeRef),
    activeContentRevision: revisionField(t)
  })
});
