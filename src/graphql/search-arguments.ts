/** What a search can be asked, and how the reader is asked it. Null means what leaving an argument out means. */
import type { ArgBuilder, InputShapeFromFields } from "@pothos/core";
import { LISTS } from "../knowledge/lists.ts";
import type { SearchArgs } from "../knowledge/types.ts";
import { builder, type SchemaTypes } from "./builder.ts";
import { OkfFilter } from "./okf.ts";
import { pageArgs, rangeOf } from "./paging.ts";

const SearchMode = builder.enumType("SearchMode", {
  description: "What is searched for evidence.",
  values: {
    HYBRID: { value: "hybrid", description: "Text, meaning and graph together. The default." },
    FILE: { value: "file", description: "Files alone, without the graph." },
    GRAPH: { value: "graph", description: "The graph alone." }
  } as const
});

const SearchScope = builder.enumType("SearchScope", {
  description: "Which parts of a file are searched.",
  values: {
    ALL: { value: "all", description: "Everything. The default." },
    PATH: { value: "path", description: "Paths." },
    METADATA: { value: "metadata", description: "Titles, descriptions, tags and other metadata." }
  } as const
});

const SearchFileKind = builder.enumType("SearchFileKind", {
  description: "Which kinds of file are searched.",
  values: {
    ALL: { value: "all", description: "Every kind." },
    PAGE: { value: "page", description: "Pages. The default." }
  } as const
});

const RerankInput = builder.inputType("RerankInput", {
  description: "Asks for the results to be reranked, where the tenant may. An empty object will do.",
  fields: (t) => ({
    topK: t.int({ description: "How many candidates the reranker sees; no fewer than `first`." }),
    scoreThreshold: t.float({ description: "Results that the reranker scores lower are left out. 0 to 1." })
  })
});

export function searchFields(arg: ArgBuilder<SchemaTypes>) {
  return {
    query: arg.string({
      required: true,
      description: "The question or words to look for, on one line: 2 to 512 characters."
    }),
    ...pageArgs(arg, LISTS.search),
    mode: arg({ type: SearchMode, description: "What is searched for evidence. Left out: HYBRID." }),
    scope: arg({ type: SearchScope, description: "Which parts of a file are searched. Left out: ALL." }),
    fileKind: arg({ type: SearchFileKind, description: "Which kinds of file are searched. Left out: PAGE." }),
    graphDepth: arg.int({ description: `How many relations away evidence may lie: ${rangeOf("graphDepth")}` }),
    graphFanout: arg.int({ description: `How many relations of a file are followed: ${rangeOf("graphFanout")}` }),
    okf: arg({ type: OkfFilter, description: "Only pages of this standing." }),
    rerank: arg({ type: RerankInput, description: "Asks for reranking. Left out: none." })
  };
}

export function toSearchArgs(args: InputShapeFromFields<ReturnType<typeof searchFields>>): SearchArgs {
  return {
    query: args.query,
    mode: args.mode ?? undefined,
    scope: args.scope ?? undefined,
    fileKind: args.fileKind ?? undefined,
    graphDepth: args.graphDepth ?? undefined,
    graphFanout: args.graphFanout ?? undefined,
    okfStatus: args.okf?.status ?? undefined,
    okfTrustTier: args.okf?.trustTier ?? undefined,
    okfFreshness: args.okf?.freshness ?? undefined,
    rerank: args.rerank == null ? undefined : true,
    rerankTopK: args.rerank?.topK ?? undefined,
    rerankScoreThreshold: args.rerank?.scoreThreshold ?? undefined
  };
}
