/** The types that refer to each other, by name and TypeScript shape. Each has its fields in the file of its name. */
import type { GraphExpansion, KnowledgeBaseList, Related, Search, Tree } from "../knowledge/types.ts";
import { builder } from "./builder.ts";
import type { Connection, Edge } from "./connection.ts";
import type { DirectoryNode } from "./nodes/directory.ts";
import type { FileNode } from "./nodes/file.ts";
import type { KnowledgeBaseNode } from "./nodes/knowledge-base.ts";
import type { RelationshipNode } from "./nodes/relationship.ts";
import type { SearchResultNode } from "./nodes/search-result.ts";

export const NodeRef = builder.nodeInterfaceRef();

export const KnowledgeBaseRef = builder.objectRef<KnowledgeBaseNode>("KnowledgeBase");
export const FileRef = builder.objectRef<FileNode>("File");
export const DirectoryRef = builder.objectRef<DirectoryNode>("Directory");
export const TreeEntryRef = builder.interfaceRef<FileNode | DirectoryNode>("TreeEntry");
export const RelationshipRef = builder.objectRef<RelationshipNode>("Relationship");
export const SearchResultRef = builder.objectRef<SearchResultNode>("SearchResult");

export const SearchResultEdgeRef = builder.objectRef<Edge<SearchResultNode>>("SearchResultEdge");
export const RelationshipEdgeRef = builder.objectRef<Edge<RelationshipNode>>("RelationshipEdge");

export const KnowledgeBaseConnectionRef =
  builder.objectRef<Connection<KnowledgeBaseNode, KnowledgeBaseList>>("KnowledgeBaseConnection");
export const TreeConnectionRef = builder.objectRef<Connection<FileNode | DirectoryNode, Tree>>("TreeConnection");
export const SearchResultConnectionRef =
  builder.objectRef<Connection<SearchResultNode, Search>>("SearchResultConnection");
export const RelationshipConnectionRef =
  builder.objectRef<Connection<RelationshipNode, Related>>("RelationshipConnection");
export const GraphExpansionConnectionRef = builder.objectRef<
  Connection<RelationshipNode, GraphExpansion> & { readonly seed: FileNode | null }
>("GraphExpansionConnection");
