/** The graph of a knowledge base: its overview, what lies around a file, and what connects a search result. */
import type { GraphContext, GraphOverview, KnowledgeBaseReader } from "../knowledge/types.ts";
import { builder } from "./builder.ts";
import { Connection, connectionFields, revisionField } from "./connection.ts";
import { FileNode } from "./nodes/file.ts";
import { relationshipNodes } from "./nodes/relationship.ts";
import type { SearchResultNode } from "./nodes/search-result.ts";
import { type PageArgs, pageInput } from "./paging.ts";
import { FileRef, GraphExpansionConnectionRef, RelationshipEdgeRef, RelationshipRef } from "./refs.ts";

interface ExpandArgs extends PageArgs {
  readonly depth?: number | null | undefined;
  readonly fanout?: number | null | undefined;
}

/** @throws GatewayError FORBIDDEN without `expand_graph`, NOT_FOUND for a generated file, which has no place in the graph */
export async function expansionConnection(file: FileNode, args: ExpandArgs) {
  const page = await file.reads.expand(
    { fileId: file.fileId, depth: args.depth ?? undefined, fanout: args.fanout ?? undefined },
    pageInput(args)
  );
  const carried = page.body?.seedFile ?? null;
  const seed = carried === null ? null : FileNode.detailed(file.reads, carried);
  return Object.assign(new Connection(page, relationshipNodes(file.reads, page.rows, page.revision, seed ?? file)), {
    seed
  });
}

GraphExpansionConnectionRef.implement({
  description: "A page of the relations around one file, breadth first.",
  fields: (t) => ({
    ...connectionFields(t, RelationshipEdgeRef),
    activeContentRevision: revisionField(t),
    seedFile: t.field({
      type: FileRef,
      description: "The file in the middle; null where the knowledge service does not send it.",
      resolve: ({ seed }) => seed
    }),
    graphPaths: t.stringList({
      description: "Generated graph files that tell more of what is on the page. Only the visible ones.",
      resolve: ({ body }) => body?.graphPaths
    }),
    resultSummary: t.field({
      type: "JSON",
      description: "Counts of the expansion, over what is visible; null where they cannot be told.",
      resolve: ({ body }) => body?.resultSummary
    })
  })
});

export const GraphOverviewRef = builder.objectRef<GraphOverview>("GraphOverview");
const GraphOverviewSummaryRef = builder.objectRef<NonNullable<GraphOverview["summary"]>>("GraphOverviewSummary");
const GraphOverviewResourcesRef = builder.objectRef<NonNullable<GraphOverview["resources"]>>("GraphOverviewResources");

GraphOverviewRef.implement({
  description: "How much graph a knowledge base has, and where to begin reading it.",
  fields: (t) => ({
    activeContentRevision: t.field({
      type: "SafeInt",
      description: "The content revision that the overview is of.",
      resolve: (overview) => overview.activeContentRevision
    }),
    availability: t.string({
      description: "Such as available, empty or unavailable. An open set.",
      resolve: (overview) => overview.availability
    }),
    summary: t.field({
      type: GraphOverviewSummaryRef,
      description: "Counts; null where they would tell of hidden files.",
      resolve: (overview) => overview.summary
    }),
    resources: t.field({
      type: GraphOverviewResourcesRef,
      description: "Generated files and directories of the graph.",
      resolve: (overview) => overview.resources
    }),
    readActions: t.field({
      type: "JSON",
      description: "Paths at this gateway's REST mirror, by name; null where this caller cannot follow one.",
      resolve: (overview) => overview.readActions
    })
  })
});

GraphOverviewSummaryRef.implement({
  description: "The graph in numbers.",
  fields: (t) => ({
    readableFileCount: t.field({
      type: "SafeInt",
      description: "Files in the graph.",
      resolve: (summary) => summary.readableFileCount
    }),
    relationshipCount: t.field({
      type: "SafeInt",
      description: "Relations between them.",
      resolve: (summary) => summary.relationshipCount
    })
  })
});

GraphOverviewResourcesRef.implement({
  description: "Where the generated graph files are.",
  fields: (t) => ({
    graphIndexPath: t.string({
      description: "The index to begin with.",
      resolve: (resources) => resources.graphIndexPath
    }),
    byDirectoryPath: t.string({
      description: "The directory of graphs by directory.",
      resolve: (resources) => resources.byDirectoryPath
    }),
    byFilePath: t.string({
      description: "The directory of graphs by file.",
      resolve: (resources) => resources.byFilePath
    })
  })
});

export interface GraphContextNode {
  readonly reads: KnowledgeBaseReader;
  readonly context: GraphContext;
  readonly result: SearchResultNode;
}

export const GraphContextRef = builder.objectRef<GraphContextNode>("GraphContext");

GraphContextRef.implement({
  description: "How a search result is connected.",
  fields: (t) => ({
    graphRef: t.string({
      description: "The generated graph file of this result; it may be read like any file.",
      resolve: ({ context }) => context.graphRef
    }),
    depth: t.int({
      description: "How many relations away the context reaches.",
      resolve: ({ context }) => context.depth
    }),
    graphPaths: t.stringList({
      description: "Generated graph files that tell more. Only the visible ones.",
      resolve: ({ context }) => context.graphPaths
    }),
    relationships: t.field({
      type: [RelationshipRef],
      nullable: false,
      description: "The relations around the result. Needs the operation expand_graph.",
      resolve: ({ reads, context, result }) => {
        reads.require("expand_graph");
        return relationshipNodes(reads, context.relationships ?? [], result.revision, result.file);
      }
    })
  })
});
