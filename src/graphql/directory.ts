/** A directory of a knowledge base. */
import { LISTS } from "../knowledge/lists.ts";
import { listCost } from "./cost.ts";
import { encodeNodeId } from "./global-id.ts";
import { KnowledgeBaseNode } from "./nodes/knowledge-base.ts";
import { pageArgs, pageInput } from "./paging.ts";
import { DirectoryRef, KnowledgeBaseRef, NodeRef, TreeConnectionRef, TreeEntryRef } from "./refs.ts";
import { treeConnection } from "./tree.ts";

const counts = {
  directEntryCount: "Entries in it.",
  directDirectoryCount: "Directories in it.",
  directFileCount: "Files in it.",
  descendantFileCount: "Files in it and in all directories below."
} as const;

DirectoryRef.implement({
  description: "A directory. Counts are of what the caller may see; null where that cannot be told.",
  interfaces: [NodeRef, TreeEntryRef],
  fields: (t) => {
    const count = (name: keyof typeof counts) =>
      t.field({ type: "SafeInt", description: counts[name], resolve: ({ entry }) => entry[name] });
    return {
      id: t.id({
        nullable: false,
        description: "The node id: opaque, and the same as long as the directory keeps its path.",
        resolve: ({ reads, path }) => encodeNodeId({ type: "Directory", key: reads.key, path })
      }),
      path: t.exposeString("path", {
        nullable: false,
        description: "The path from the root, without a leading slash."
      }),
      name: t.exposeString("name", { nullable: false, description: "The last segment of the path." }),
      parentPath: t.exposeString("parentPath", {
        nullable: false,
        description: "The path of the directory that holds it; empty for the root."
      }),
      directoryId: t.string({
        description: "The knowledge service's id of it, where it has one.",
        resolve: ({ entry }) => entry.directoryId
      }),
      directEntryCount: count("directEntryCount"),
      directDirectoryCount: count("directDirectoryCount"),
      directFileCount: count("directFileCount"),
      descendantFileCount: count("descendantFileCount"),
      activeContentRevision: t.field({
        type: "SafeInt",
        description: "The content revision that this is of.",
        resolve: (directory) => directory.activeContentRevision
      }),
      knowledgeBase: t.field({
        type: KnowledgeBaseRef,
        nullable: false,
        description: "The knowledge base that it is in.",
        resolve: ({ reads }) => KnowledgeBaseNode.reading(reads)
      }),
      children: t.field({
        type: TreeConnectionRef,
        nullable: false,
        args: pageArgs(t.arg, LISTS.tree),
        complexity: ({ first }) => listCost(LISTS.tree, first),
        description: "What it holds.",
        resolve: ({ reads, path }, args) => treeConnection(reads, { parentPath: path }, pageInput(args))
      })
    };
  }
});
