/** Reading objects again by their node ids. Source: Relay's "GraphQL Global Object Identification Specification". */
import type { GraphQLResolveInfo } from "graphql";
import type { KnowledgeBaseReader, Reader } from "../knowledge/types.ts";
import { nullIfNotFound } from "./absent.ts";
import { builder } from "./builder.ts";
import { COST } from "./cost.ts";
import { lookUpFile, readDetail } from "./file-lookup.ts";
import { decodeNodeId, type NodeKey } from "./global-id.ts";
import { lookUpKnowledgeBase } from "./knowledge-base-lookup.ts";
import { DirectoryNode } from "./nodes/directory.ts";
import type { FileNode } from "./nodes/file.ts";
import type { KnowledgeBaseNode } from "./nodes/knowledge-base.ts";
import { NodeRef } from "./refs.ts";
import { selectedFields } from "./selection.ts";

export type AnyNode = KnowledgeBaseNode | FileNode | DirectoryNode;

/** @returns null where the object is absent, hidden or not granted */
export async function readNode(reader: Reader, node: NodeKey, info: GraphQLResolveInfo): Promise<AnyNode | null> {
  if (node.type === "KnowledgeBase") {
    return lookUpKnowledgeBase(reader, node.key, selectedFields(info, ["KnowledgeBase", "Node"]));
  }
  const reads = await nullIfNotFound(reader.knowledgeBase(node.key));
  if (reads === null) {
    return null;
  }
  return node.type === "File" ? readFile(reads, node.fileId, info) : readDirectory(reads, node.path);
}

function readFile(reads: KnowledgeBaseReader, fileId: string, info: GraphQLResolveInfo): Promise<FileNode | null> {
  reads.require("get_file");
  const selected = selectedFields(info, ["File", "Node", "TreeEntry"]);
  return selected.has("content") ? lookUpFile(reads, { fileId }, selected) : readDetail(reads, { fileId });
}

async function readDirectory(reads: KnowledgeBaseReader, path: string): Promise<DirectoryNode | null> {
  const entry = await nullIfNotFound(reads.directory(path));
  return entry === null ? null : new DirectoryNode(reads, entry, entry.activeContentRevision ?? null);
}

// Other Relay subgraphs have both too. A supergraph of several cannot tell whose object an id means, and reads entities.
builder.queryFields((t) => ({
  node: t.field({
    type: NodeRef,
    directives: { inaccessible: {}, shareable: {} },
    args: { id: t.arg.id({ required: true, description: "An object's id." }) },
    complexity: COST.read,
    description:
      "Reads an object again. Null where it is absent or hidden. A File needs get_file, a Directory list_tree.",
    resolve: (_root, { id }, { reader }, info) => readNode(reader, decodeNodeId(id, "id"), info)
  }),
  nodes: t.field({
    type: [NodeRef],
    nullable: { list: false, items: true },
    directives: { inaccessible: {}, shareable: {} },
    args: { ids: t.arg.idList({ required: true, description: "Objects' ids." }) },
    complexity: ({ ids }) => ({ field: ids.length * COST.read, multiplier: ids.length }),
    description: "Reads objects again, in the order of their ids. Null where one is absent or hidden.",
    resolve: (_root, { ids }, { reader }, info) =>
      ids.map(async (id) => readNode(reader, decodeNodeId(id, "ids"), info))
  })
}));
