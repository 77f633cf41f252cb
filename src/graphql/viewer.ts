/** Who the caller is to this gateway: its tenant, limits and grants. */
import type { Limits, Viewer, ViewerGrant } from "../knowledge/types.ts";
import { builder } from "./builder.ts";

const Operation = builder.enumType("Operation", {
  description: "What a grant can open.",
  values: {
    SEARCH_FILES: { value: "search_files", description: "Search." },
    READ_FILE: { value: "read_file", description: "The content of files." },
    LIST_TREE: { value: "list_tree", description: "The tree, and directories." },
    GET_FILE: { value: "get_file", description: "The detail of files." },
    READ_RELATED: { value: "read_related", description: "Related files." },
    EXPAND_GRAPH: { value: "expand_graph", description: "The graph: expansion, contexts of results, overview." }
  } as const
});

const ViewerRef = builder.objectRef<Viewer>("Viewer");
const ViewerGrantRef = builder.objectRef<ViewerGrant>("ViewerGrant");
const ViewerLimitsRef = builder.objectRef<Limits>("ViewerLimits");

ViewerRef.implement({
  description: "The caller, as this gateway knows it.",
  fields: (t) => ({
    tenant: t.exposeString("tenant", { nullable: false, description: "The tenant that the credentials belong to." }),
    subject: t.exposeString("subject", { nullable: false, description: "Who of the tenant is calling." }),
    limits: t.field({
      type: ViewerLimitsRef,
      nullable: false,
      description: "What one request, and all of them together, may cost.",
      resolve: (viewer) => viewer.limits
    }),
    grants: t.field({
      type: [ViewerGrantRef],
      nullable: false,
      description: "What the caller may read.",
      resolve: (viewer) => viewer.grants
    })
  })
});

ViewerGrantRef.implement({
  description: "What the caller may do in one knowledge base, or in all of one deployment of the knowledge service.",
  fields: (t) => ({
    knowledgeBase: t.exposeString("knowledgeBase", {
      nullable: true,
      description: "The knowledge base's key; null for every knowledge base of a deployment."
    }),
    operations: t.field({
      type: [Operation],
      nullable: false,
      description: "The operations granted.",
      resolve: (grant) => [...grant.operations]
    }),
    hasPathRules: t.exposeBoolean("hasPathRules", {
      nullable: false,
      description: "Whether the caller sees some paths only."
    })
  })
});

const numbers = {
  requestsPerMinute: "Requests in a minute.",
  concurrentRequests: "Requests at the same time.",
  pageSize: "The largest `first`; each list's own maximum also holds.",
  queryDepth: "How deep a query may nest fields.",
  queryComplexity: "The cost of all operations of one request.",
  queryTokens: "Lexical tokens in one query.",
  aliases: "Aliased fields in one operation.",
  bodyBytes: "The size of a request's body.",
  requestTimeoutMs: "How long one request may take, in milliseconds.",
  upstreamCallsPerRequest: "Calls to the knowledge service for one request.",
  searchSources: "Knowledge bases that one search may go through.",
  contentBytes: "The size of one file's content."
} as const;

ViewerLimitsRef.implement({
  description: "The caller's limits. What passes one is refused, and the refusal names it.",
  fields: (t) => {
    const number = (name: keyof typeof numbers) =>
      t.field({ type: "SafeInt", nullable: false, description: numbers[name], resolve: (limits) => limits[name] });
    return {
      requestsPerMinute: number("requestsPerMinute"),
      concurrentRequests: number("concurrentRequests"),
      pageSize: number("pageSize"),
      queryDepth: number("queryDepth"),
      queryComplexity: number("queryComplexity"),
      queryTokens: number("queryTokens"),
      aliases: number("aliases"),
      bodyBytes: number("bodyBytes"),
      requestTimeoutMs: number("requestTimeoutMs"),
      upstreamCallsPerRequest: number("upstreamCallsPerRequest"),
      searchSources: number("searchSources"),
      contentBytes: number("contentBytes"),
      rerank: t.exposeBoolean("rerank", { nullable: false, description: "Whether searches may ask for reranking." })
    };
  }
});

builder.queryField("viewer", (t) =>
  t.field({
    type: ViewerRef,
    nullable: false,
    description: "The caller: its tenant, limits and grants. Costs no call to the knowledge service.",
    resolve: (_root, _args, { reader }) => reader.viewer
  })
);
