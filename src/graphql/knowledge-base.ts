/** A knowledge base: its own facts, and the reads that begin at it. */
import { LISTS } from "../knowledge/lists.ts";
import type { FileLookup } from "../knowledge/types.ts";
import { builder } from "./builder.ts";
import { addEdge, Connection, connectionFields, type Edge } from "./connection.ts";
import { COST, listCost } from "./cost.ts";
import { lookUpFile } from "./file-lookup.ts";
import { encodeNodeId } from "./global-id.ts";
import { GraphOverviewRef } from "./graph.ts";
import { lookUpKnowledgeBase } from "./knowledge-base-lookup.ts";
import { KnowledgeBaseNode } from "./nodes/knowledge-base.ts";
import { pageArgs, pageInput } from "./paging.ts";
import {
  FileRef,
  KnowledgeBaseConnectionRef,
  KnowledgeBaseRef,
  NodeRef,
  SearchResultConnectionRef,
  TreeConnectionRef
} from "./refs.ts";
import { searchConnection } from "./search.ts";
import { searchFields, toSearchArgs } from "./search-arguments.ts";
import { selectedFields } from "./selection.ts";
import { TreeEntryType, treeConnection } from "./tree.ts";

const FileLookupInput = builder.inputType("FileLookup", {
  description: "One file: by its id, or by its path.",
  isOneOf: true,
  fields: (t) => ({
    fileId: t.string({ description: "The knowledge service's id of it." }),
    path: t.string({ description: "The path from the root, without a leading slash." })
  })
});

/** GraphQL has seen to it that one of the two is there. */
function toLookup({ fileId, path }: typeof FileLookupInput.$inferInput): FileLookup {
  return fileId == null ? { path: path ?? "" } : { fileId };
}

KnowledgeBaseRef.implement({
  description: "A knowledge base that is granted to the caller.",
  interfaces: [NodeRef],
  directives: { key: { fields: "id" } },
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The node id: opaque, and the same as long as the key is.",
      resolve: ({ key }) => encodeNodeId({ type: "KnowledgeBase", key })
    }),
    key: t.exposeString("key", {
      nullable: false,
      description: "The name under which this gateway serves it: its slug, or its knowledgeBaseId where it has none."
    }),
    knowledgeBaseId: t.exposeString("knowledgeBaseId", {
      nullable: false,
      description: "The knowledge service's id of it."
    }),
    name: t.string({
      nullable: false,
      description: "Its name, for people.",
      complexity: COST.detail,
      resolve: async (knowledgeBase) => (await knowledgeBase.detail()).name
    }),
    description: t.string({
      description: "What it is about.",
      complexity: COST.detail,
      resolve: async (knowledgeBase) => (await knowledgeBase.detail()).description
    }),
    activeContentRevision: t.field({
      type: "SafeInt",
      description: "The content revision that reads answer from now; 0 without content. It rises with every change.",
      complexity: COST.detail,
      resolve: async (knowledgeBase) => (await knowledgeBase.detail()).activeContentRevision
    }),
    createdAt: t.field({
      type: "DateTime",
      nullable: false,
      description: "When it was created.",
      complexity: COST.detail,
      resolve: async (knowledgeBase) => (await knowledgeBase.detail()).createdAt
    }),
    updatedAt: t.field({
      type: "DateTime",
      nullable: false,
      description: "When its own facts were last changed. A change of its content does not count.",
      complexity: COST.detail,
      resolve: async (knowledgeBase) => (await knowledgeBase.detail()).updatedAt
    }),
    tree: t.field({
      type: TreeConnectionRef,
      nullable: false,
      args: {
        parentPath: t.arg.string({ description: "A directory's path. Left out or empty: the root." }),
        entryType: t.arg({ type: TreeEntryType, description: "Only entries of this type. Left out: both." }),
        ...pageArgs(t.arg, LISTS.tree)
      },
      complexity: ({ first }) => listCost(LISTS.tree, first),
      description: "What a directory holds. Needs the operation list_tree.",
      resolve: async (knowledgeBase, { parentPath, entryType, ...page }) =>
        treeConnection(
          await knowledgeBase.reads(),
          { parentPath: parentPath || undefined, entryType: entryType ?? undefined },
          pageInput(page)
        )
    }),
    file: t.field({
      type: FileRef,
      args: { by: t.arg({ type: FileLookupInput, required: true, description: "Which file." }) },
      complexity: COST.read,
      description: "One file. Null where it is hidden or absent. Needs get_file, or read_file if content is selected.",
      resolve: async (knowledgeBase, { by }, _context, info) =>
        lookUpFile(await knowledgeBase.reads(), toLookup(by), selectedFields(info, ["File", "Node", "TreeEntry"]))
    }),
    search: t.field({
      type: SearchResultConnectionRef,
      nullable: false,
      args: searchFields(t.arg),
      complexity: ({ first }) => listCost(LISTS.search, first, COST.search),
      description: "Searches this knowledge base. Needs the operation search_files.",
      resolve: async (knowledgeBase, args) =>
        searchConnection(await knowledgeBase.reads(), toSearchArgs(args), pageInput(args))
    }),
    graphOverview: t.field({
      type: GraphOverviewRef,
      complexity: COST.read,
      description: "How much graph it has. Needs the operation expand_graph.",
      resolve: async (knowledgeBase) => (await knowledgeBase.reads()).overview()
    })
  })
});

const KnowledgeBaseEdgeRef = builder.objectRef<Edge<KnowledgeBaseNode>>("KnowledgeBaseEdge");
addEdge(KnowledgeBaseEdgeRef, KnowledgeBaseRef, "knowledge bases");

KnowledgeBaseConnectionRef.implement({
  description: "A page of the knowledge bases that are granted to the caller.",
  fields: (t) => connectionFields(t, KnowledgeBaseEdgeRef)
});

builder.queryFields((t) => ({
  knowledgeBases: t.field({
    type: KnowledgeBaseConnectionRef,
    nullable: false,
    args: pageArgs(t.arg, LISTS.knowledgeBases),
    complexity: ({ first }) => listCost(LISTS.knowledgeBases, first),
    description: "Every knowledge base that is granted to the caller.",
    resolve: async (_root, args, { reader }) => {
      const page = await reader.knowledgeBases(pageInput(args));
      return new Connection(
        page,
        page.rows.map((item) => KnowledgeBaseNode.listed(item, reader))
      );
    }
  }),
  knowledgeBase: t.field({
    type: KnowledgeBaseRef,
    args: { key: t.arg.string({ required: true, description: "Its key, or its knowledgeBaseId." }) },
    complexity: COST.row,
    description: "One knowledge base. Null where it is not granted or does not exist.",
    resolve: (_root, { key }, { reader }, info) =>
      lookUpKnowledgeBase(reader, key, selectedFields(info, ["KnowledgeBase", "Node"]))
  })
}));
