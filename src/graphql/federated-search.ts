/** One search over several knowledge bases: the merged results, and how the search of each went. */
import type { GraphQLResolveInfo } from "graphql";
import type { GatewayError } from "../errors.ts";
import { LISTS } from "../knowledge/lists.ts";
import type { FederatedSearchArgs, PageInput, Reader, SearchSource } from "../knowledge/types.ts";
import { builder } from "./builder.ts";
import { Connection, connectionFields } from "./connection.ts";
import type { GraphQLContext } from "./context.ts";
import { COST, listCost } from "./cost.ts";
import { KnowledgeBaseNode } from "./nodes/knowledge-base.ts";
import { type SearchResultNode, searchResultNode } from "./nodes/search-result.ts";
import { pageInput } from "./paging.ts";
import { addErrors } from "./plugins/beside-data.ts";
import { KnowledgeBaseRef, SearchResultEdgeRef } from "./refs.ts";
import { searchFields, toSearchArgs } from "./search-arguments.ts";
import { selectedFields } from "./selection.ts";

type FederatedConnection = Connection<SearchResultNode, never> & { readonly sources: readonly SearchSource[] };

const FederatedSearchConnectionRef = builder.objectRef<FederatedConnection>("FederatedSearchConnection");
const SearchSourceRef = builder.objectRef<SearchSource>("SearchSource");
/** In an object of its own: an error that a resolver returns counts as thrown. */
const SourceErrorRef = builder.objectRef<{ readonly cause: GatewayError }>("SourceError");

async function federatedConnection(reader: Reader, args: FederatedSearchArgs, input: PageInput) {
  const page = await reader.search(args, input);
  const nodes = page.rows.map(({ knowledgeBase, hit, revision }) => searchResultNode(knowledgeBase, hit, revision));
  return Object.assign(new Connection<SearchResultNode, never>(page, nodes), { sources: page.sources });
}

/** Each failed source as an entry of `errors`, at its own path where it is in the answer. docs/invariants.md 3 */
function report(
  sources: readonly SearchSource[],
  context: GraphQLContext,
  info: GraphQLResolveInfo,
  at: "each" | "all"
) {
  for (const [index, { error }] of sources.entries()) {
    if (error !== null) addErrors(context, info, at === "each" ? [index] : [], error);
  }
}

FederatedSearchConnectionRef.implement({
  description:
    "A page of one search over several knowledge bases. Look at `sources`, or at `errors`, before taking it for complete.",
  fields: (t) => ({
    ...connectionFields(t, SearchResultEdgeRef),
    edges: t.field({
      type: [SearchResultEdgeRef],
      nullable: false,
      description:
        "The page's results, merged by reciprocal rank: each knowledge base keeps its own order, and the best of each " +
        "come first.",
      resolve: ({ edges }) => edges
    }),
    sources: t.field({
      type: [SearchSourceRef],
      nullable: false,
      description: "Every knowledge base that is searched, by key, on each page; none for `first: 0`.",
      resolve: ({ sources }, _args, context, info) => {
        report(sources, context, info, "each");
        return sources;
      }
    })
  })
});

SearchSourceRef.implement({
  description: "How the search of one knowledge base went. One that failed stays failed for the rest of the walk.",
  fields: (t) => ({
    knowledgeBase: t.field({
      type: KnowledgeBaseRef,
      nullable: false,
      description: "The knowledge base.",
      resolve: ({ knowledgeBase }) => KnowledgeBaseNode.reading(knowledgeBase)
    }),
    searchStatus: t.string({
      description: "ok, or no_candidates where nothing was found on any page so far; null where the search failed.",
      resolve: ({ searchStatus }) => searchStatus
    }),
    activeContentRevision: t.field({
      type: "SafeInt",
      description: "The content revision that its results are of; null where the search failed, or without content.",
      resolve: ({ activeContentRevision }) => activeContentRevision
    }),
    resultCount: t.int({
      description: "How many results of this page are from it; null where the search failed.",
      resolve: ({ resultCount }) => resultCount
    }),
    error: t.field({
      type: SourceErrorRef,
      description: "Why the search failed; the same is an entry of `errors`. Null where it did not.",
      resolve: ({ error }) => (error === null ? null : { cause: error })
    })
  })
});

SourceErrorRef.implement({
  description: "Why one knowledge base could not be searched.",
  fields: (t) => ({
    code: t.string({
      nullable: false,
      description: "Such as SEARCH_UNAVAILABLE or UPSTREAM_TIMEOUT.",
      resolve: ({ cause }) => cause.code
    }),
    message: t.string({
      nullable: false,
      description: "For people. Programs go by the code.",
      resolve: ({ cause }) => cause.message
    }),
    httpStatus: t.int({
      nullable: false,
      description: "The status that REST gives it.",
      resolve: ({ cause }) => cause.httpStatus
    }),
    requestId: t.string({
      nullable: false,
      description: "The knowledge service's id of the request where it answered so, else this request's.",
      resolve: ({ cause }, _args, { reader }) => cause.requestId ?? reader.requestId
    }),
    retryAfterSeconds: t.int({
      description: "After how many seconds to try again, where that is known.",
      resolve: ({ cause }) => cause.retryAfterSeconds
    })
  })
});

builder.queryField("search", (t) =>
  t.field({
    type: FederatedSearchConnectionRef,
    nullable: false,
    args: {
      ...searchFields(t.arg),
      knowledgeBases: t.arg.stringList({
        description:
          "Keys or knowledgeBaseIds of those to search, at most the limit searchSources. Left out: all that the caller " +
          "may search."
      })
    },
    complexity: ({ first, knowledgeBases }, { reader }) => {
      const { grants, limits } = reader.viewer;
      const sources = Math.min(knowledgeBases?.length ?? grants.length, limits.searchSources);
      return listCost(LISTS.search, first, COST.search * Math.max(1, sources));
    },
    description:
      "Searches several knowledge bases side by side. Those without the operation search_files are left out, unless named.",
    resolve: async (_root, args, context, info) => {
      const asked = { ...toSearchArgs(args), knowledgeBases: args.knowledgeBases ?? undefined };
      const connection = await federatedConnection(context.reader, asked, pageInput(args));
      if (!selectedFields(info, ["FederatedSearchConnection"], true).has("sources")) {
        report(connection.sources, context, info, "all");
      }
      return connection;
    }
  })
);
