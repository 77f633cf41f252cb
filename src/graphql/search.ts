/** Search in one knowledge base: its results, and what the knowledge service says of how it searched. */
import type { KnowledgeBaseReader, PageInput, Search, SearchArgs } from "../knowledge/types.ts";
import { builder } from "./builder.ts";
import { addEdge, Connection, connectionFields, revisionField } from "./connection.ts";
import { GraphContextRef } from "./graph.ts";
import { KnowledgeBaseNode } from "./nodes/knowledge-base.ts";
import { searchResultNode } from "./nodes/search-result.ts";
import { FileRef, KnowledgeBaseRef, SearchResultConnectionRef, SearchResultEdgeRef, SearchResultRef } from "./refs.ts";

/** @throws GatewayError FORBIDDEN without `search_files`, SEARCH_* where the search could not be done. docs/invariants.md 3 */
export async function searchConnection(reads: KnowledgeBaseReader, args: SearchArgs, input: PageInput) {
  const page = await reads.search(args, input);
  return new Connection(
    page,
    page.rows.map((hit) => searchResultNode(reads, hit, page.revision))
  );
}

SearchResultRef.implement({
  description: "A file that a search found, and the evidence for it. A candidate: only the file's content is a source.",
  fields: (t) => ({
    file: t.field({
      type: FileRef,
      nullable: false,
      description: "The file found.",
      resolve: (result) => result.file
    }),
    knowledgeBase: t.field({
      type: KnowledgeBaseRef,
      nullable: false,
      description: "The knowledge base that the file is in.",
      resolve: (result) => KnowledgeBaseNode.reading(result.reads)
    }),
    score: t.float({
      description: "How well it fits. Comparable within one search of one knowledge base, and nowhere else.",
      resolve: ({ hit }) => hit.score
    }),
    matchType: t.string({
      description: "How it was found, such as hybrid, file_direct or graph_neighbor. An open set.",
      resolve: ({ hit }) => hit.matchType
    }),
    matchedFields: t.stringList({
      description: "Which fields matched, such as title or content. An open set.",
      resolve: ({ hit }) => hit.matchedFields
    }),
    evidenceTypes: t.stringList({
      description: "What kinds of evidence there are. An open set.",
      resolve: ({ hit }) => hit.evidenceTypes
    }),
    sourceExcerpt: t.string({
      description: "The passage that matched, cut from the source; matches may be marked with <em>.",
      resolve: ({ hit }) => hit.sourceExcerpt
    }),
    graphContext: t.field({
      type: GraphContextRef,
      description: "How the file is connected; null where nothing visible connects it.",
      resolve: (result) => {
        const context = result.hit.graphContext ?? null;
        return context === null ? null : { reads: result.reads, context, result };
      }
    })
  })
});

const SearchPartStatusRef = builder.objectRef<NonNullable<Search["semanticStatus"]>>("SearchPartStatus");
const EvidenceStatusRef = builder.objectRef<NonNullable<Search["evidenceStatus"]>>("EvidenceStatus");

SearchPartStatusRef.implement({
  description: "The state of one part of the search service.",
  fields: (t) => ({
    state: t.string({
      nullable: false,
      description: "Such as ready, degraded, unavailable, skipped or applied. An open set.",
      resolve: (status) => status.state
    }),
    safeCode: t.string({
      description: "Why, as a code that may be shown. An open set.",
      resolve: (status) => status.safeCode
    })
  })
});

EvidenceStatusRef.implement({
  description: "Which kinds of evidence were looked for with success.",
  fields: (t) => ({
    completedFamilies: t.stringList({
      description: "Kinds of evidence that were searched.",
      resolve: (status) => status.completedFamilies
    }),
    degradedFamilies: t.stringList({
      description: "Kinds of evidence that could not be searched; results may be missing.",
      resolve: (status) => status.degradedFamilies
    })
  })
});

addEdge(SearchResultEdgeRef, SearchResultRef, "results");

SearchResultConnectionRef.implement({
  description: "A page of search results. All status fields are null for `first: 0`, which searches nothing.",
  fields: (t) => ({
    ...connectionFields(t, SearchResultEdgeRef),
    activeContentRevision: revisionField(t),
    searchStatus: t.string({
      description: "ok, or no_candidates where nothing was found. A search that failed is an error instead.",
      resolve: ({ body }) => body?.searchStatus
    }),
    searchMode: t.string({ description: "The mode that was searched in.", resolve: ({ body }) => body?.searchMode }),
    semanticStatus: t.field({
      type: SearchPartStatusRef,
      description: "The state of search by meaning.",
      resolve: ({ body }) => body?.semanticStatus
    }),
    evidenceStatus: t.field({
      type: EvidenceStatusRef,
      description: "Which kinds of evidence were searched, and which could not be.",
      resolve: ({ body }) => body?.evidenceStatus
    }),
    rerankerStatus: t.field({
      type: SearchPartStatusRef,
      description: "Whether the results were reranked, and why not.",
      resolve: ({ body }) => body?.rerankerStatus
    }),
    graphStatus: t.string({ description: "The state of the graph.", resolve: ({ body }) => body?.graphStatus }),
    graphSummary: t.field({
      type: "JSON",
      description: "The graph in numbers; null where they would tell of hidden files.",
      resolve: ({ body }) => body?.graphSummary
    }),
    resultSummary: t.field({
      type: "JSON",
      description: "The result in numbers, over what is visible.",
      resolve: ({ body }) => body?.resultSummary
    }),
    message: t.string({
      description: "What the knowledge service says of the search, in words.",
      resolve: ({ body }) => body?.message
    }),
    nextActions: t.stringList({
      description: "What the knowledge service suggests to do next.",
      resolve: ({ body }) => body?.nextActions
    })
  })
});
