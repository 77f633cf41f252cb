/** Relations between files, and the files related to one. */
import { addEdge, Connection, connectionFields, revisionField } from "./connection.ts";
import type { FileNode } from "./nodes/file.ts";
import { relationshipNodes } from "./nodes/relationship.ts";
import { type PageArgs, pageInput } from "./paging.ts";
import { FileRef, RelationshipConnectionRef, RelationshipEdgeRef, RelationshipRef } from "./refs.ts";

/** @throws GatewayError FORBIDDEN without `read_related`, CONFLICT for a generated file, which has no relations */
export async function relatedConnection(file: FileNode, args: PageArgs) {
  const page = await file.reads.related(file.fileId, pageInput(args));
  return new Connection(page, relationshipNodes(file.reads, page.rows, page.revision, file));
}

RelationshipRef.implement({
  description: "A relation from one file to another.",
  fields: (t) => ({
    relationType: t.string({
      nullable: false,
      description: "What kind of relation, such as references or related. An open set.",
      resolve: ({ row }) => row.relationType
    }),
    direction: t.string({
      nullable: false,
      description: "Which way it points: outgoing, incoming or bidirectional. An open set.",
      resolve: ({ row }) => row.direction
    }),
    weight: t.float({
      description: "How strong it is, where the knowledge service says so.",
      resolve: ({ row }) => row.weight
    }),
    reason: t.string({ description: "Why they are related, in words.", resolve: ({ row }) => row.reason }),
    depth: t.int({
      nullable: false,
      description: "How many relations away from the start the file is; 1 is next to it.",
      resolve: ({ row }) => row.relationshipDepth ?? 1
    }),
    from: t.field({
      type: FileRef,
      description: "The file that the relation starts from.",
      resolve: (relationship) => relationship.from
    }),
    file: t.field({
      type: FileRef,
      nullable: false,
      description: "The file that the relation leads to.",
      resolve: (relationship) => relationship.file
    })
  })
});

addEdge(RelationshipEdgeRef, RelationshipRef, "relations");

RelationshipConnectionRef.implement({
  description: "A page of the relations of one file.",
  fields: (t) => ({
    ...connectionFields(t, RelationshipEdgeRef),
    activeContentRevision: revisionField(t),
    message: t.string({
      description: "What the knowledge service says of the page, in words.",
      resolve: ({ body }) => body?.message
    }),
    nextActions: t.stringList({
      description: "What the knowledge service suggests to do next.",
      resolve: ({ body }) => body?.nextActions
    })
  })
});
