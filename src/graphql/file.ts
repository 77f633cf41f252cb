/** A file of a knowledge base. Which fields cost a read depends on the answer that it was found in: see `nodes/file.ts`. */
import { LISTS } from "../knowledge/lists.ts";
import { COST, listCost } from "./cost.ts";
import { encodeNodeId } from "./global-id.ts";
import { expansionConnection } from "./graph.ts";
import type { FileNode } from "./nodes/file.ts";
import { KnowledgeBaseNode } from "./nodes/knowledge-base.ts";
import { OkfSignalsRef } from "./okf.ts";
import { pageArgs, rangeOf } from "./paging.ts";
import { ReadActionsRef } from "./read-actions.ts";
import {
  FileRef,
  GraphExpansionConnectionRef,
  KnowledgeBaseRef,
  NodeRef,
  RelationshipConnectionRef,
  TreeEntryRef
} from "./refs.ts";
import { relatedConnection } from "./relationship.ts";

FileRef.implement({
  description:
    "A file. Fields that the answer it was found in did not carry are read from the file's detail, once a file, which " +
    "needs the operation get_file.",
  interfaces: [NodeRef, TreeEntryRef],
  directives: { key: { fields: "id" } },
  fields: (t) => ({
    id: t.id({
      nullable: false,
      description: "The node id: opaque, and the same as long as the file exists.",
      resolve: ({ reads, fileId }) => encodeNodeId({ type: "File", key: reads.key, fileId })
    }),
    fileId: t.exposeString("fileId", { nullable: false, description: "The knowledge service's id of it." }),
    sourceFileId: t.string({
      description: "The id of the upload it was made from; null for generated files.",
      complexity: COST.detail,
      resolve: (file) => file.field("sourceFileId")
    }),
    path: t.string({
      nullable: false,
      description: "The path from the root, without a leading slash.",
      resolve: (file) => file.field("path")
    }),
    name: t.string({
      nullable: false,
      description: "The last segment of the path.",
      resolve: (file) => ofPath(file, ({ name }) => name)
    }),
    parentPath: t.string({
      nullable: false,
      description: "The path of the directory that holds it; empty for the root.",
      resolve: (file) => ofPath(file, ({ parentPath }) => parentPath)
    }),
    title: t.string({
      description: "The title.",
      complexity: COST.detail,
      resolve: (file) => file.field("title")
    }),
    description: t.string({
      description: "The description from its frontmatter.",
      complexity: COST.detail,
      resolve: (file) => file.field("description")
    }),
    tags: t.stringList({
      description: "The tags from its frontmatter.",
      complexity: COST.detail,
      resolve: (file) => file.field("tags")
    }),
    frontmatter: t.field({
      type: "JSON",
      description: "The frontmatter, as it was written.",
      complexity: COST.detail,
      resolve: (file) => file.field("frontmatter")
    }),
    fileKind: t.string({
      description: "Such as page, index or log. An open set.",
      complexity: COST.detail,
      resolve: (file) => file.field("fileKind")
    }),
    contentType: t.string({
      description: "The media type of the content.",
      complexity: COST.detail,
      resolve: (file) => file.field("contentType")
    }),
    sizeBytes: t.field({
      type: "SafeInt",
      description: "The size of the generated page in bytes; the content returned may differ.",
      complexity: COST.detail,
      resolve: (file) => file.field("sizeBytes")
    }),
    okfType: t.string({
      description: "The type that its frontmatter names.",
      complexity: COST.detail,
      resolve: (file) => file.field("okfType")
    }),
    okfSignals: t.field({
      type: OkfSignalsRef,
      description: "Its standing: status, trust and freshness.",
      complexity: COST.detail,
      resolve: (file) => file.field("okfSignals")
    }),
    contentAvailable: t.boolean({
      description: "Whether there is content to read.",
      complexity: COST.detail,
      resolve: (file) => file.field("contentAvailable")
    }),
    activeContentRevision: t.field({
      type: "SafeInt",
      description: "The content revision that this is of.",
      complexity: COST.detail,
      resolve: (file) => file.activeContentRevision()
    }),
    readActions: t.field({
      type: ReadActionsRef,
      description: "Where its other reads are found over REST.",
      complexity: COST.detail,
      resolve: (file) => file.field("readActions")
    }),
    knowledgeBase: t.field({
      type: KnowledgeBaseRef,
      nullable: false,
      description: "The knowledge base that it is in.",
      resolve: ({ reads }) => KnowledgeBaseNode.reading(reads)
    }),
    content: t.string({
      description: "The whole text. One read a file; needs the operation read_file.",
      complexity: COST.content,
      resolve: (file) => file.content()
    }),
    related: t.field({
      type: RelationshipConnectionRef,
      nullable: false,
      args: pageArgs(t.arg, LISTS.related),
      complexity: ({ first }) => listCost(LISTS.related, first),
      description: "Files that it is directly related to. Needs the operation read_related.",
      resolve: relatedConnection
    }),
    expand: t.field({
      type: GraphExpansionConnectionRef,
      nullable: false,
      args: {
        depth: t.arg.int({ description: `How many relations away: ${rangeOf("depth")}` }),
        fanout: t.arg.int({ description: `How many relations of a file are followed: ${rangeOf("fanout")}` }),
        ...pageArgs(t.arg, LISTS.expand)
      },
      complexity: ({ first }) => listCost(LISTS.expand, first),
      description: "The graph around it. Needs the operation expand_graph.",
      resolve: expansionConnection
    })
  })
});

function ofPath(file: FileNode, part: (split: ReturnType<typeof splitPath>) => string): string | Promise<string> {
  const path = file.field("path");
  return typeof path === "string" ? part(splitPath(path)) : path.then((read) => part(splitPath(read)));
}

function splitPath(path: string): { readonly name: string; readonly parentPath: string } {
  const slash = path.lastIndexOf("/");
  return { name: path.slice(slash + 1), parentPath: path.slice(0, Math.max(slash, 0)) };
}
