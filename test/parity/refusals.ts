/** The table's rows of what fails, by the upstream's word or the gateway's. */
import {
  invalidField,
  notFoundAnswer,
  payloadTooLarge,
  rateLimited,
  searchTimeout,
  serviceUnavailable
} from "../harness/fake-upstream.ts";
import type { ReadName } from "./reads.ts";
import {
  ALONE,
  type Exception,
  type Exceptions,
  type ExpectedError,
  FAILING,
  type Question,
  REVISION,
  type Row,
  USUAL
} from "./row.ts";
import { fileId } from "./world.ts";

const FOUR = fileId("pages/secret/four.md");
const INDEX = fileId("index.md");
const ABSENT = "source-file-00000000-0000-4000-8000-00000000dead";
const NO_KNOWLEDGE_BASE = "knowledge-base-00000000-0000-4000-8000-00000000dead";
const LONG = "x".repeat(201);

/** The gateway's own, whoever says so. */
const NOT_FOUND: ExpectedError = { code: "NOT_FOUND" };
const invalid = (field: string, details: object = {}) => ({ code: "VALIDATION_ERROR", details: { field, ...details } });

/** The operation of a grant that each read needs. */
const GRANTS = {
  tree: "list_tree",
  file: "get_file",
  textById: "read_file",
  textByPath: "read_file",
  search: "search_files",
  related: "read_related",
  expansion: "expand_graph",
  overview: "expand_graph"
} as const satisfies Partial<Record<ReadName, string>>;

const NEEDS_GRANT = Object.keys(GRANTS) as (keyof typeof GRANTS)[];
const BY_FILE_ID = ["file", "textById", "related", "expansion"] as const;
const MAXIMA = { knowledgeBases: 200, tree: 500, search: 50, related: 200, expansion: 200 };
const LISTS = Object.keys(MAXIMA) as (keyof typeof MAXIMA)[];
const IN_KNOWLEDGE_BASE = FAILING.filter((read) => read !== "knowledgeBases");

/** Whatever fails the one read by path fails both, and the second joins the call of the first. */
const READ_TWICE = "GraphQL reads the file's detail where its content cannot be had: by path, with the same call";

type Failing = Pick<Question, "error" | "asked"> & Partial<Question>;

function each(state: string, reads: readonly ReadName[], question: (read: ReadName) => Failing): Row[] {
  return reads.map((read) => {
    const { rows: _rows, hasMore: _hasMore, ...usual } = USUAL[read];
    const { args, ...changed } = question(read);
    const twice = read === "textByPath" && changed.error?.by === "upstream";
    return {
      read,
      state,
      ...usual,
      ...(twice ? { except: { graphql: { reads: 2, because: READ_TWICE } } } : {}),
      ...changed,
      args: { ...usual.args, ...args }
    };
  });
}

const only = (read: ReadName, state: string, question: Failing): Row[] => each(state, [read], () => question);

const GRAPHQL_SAYS_AFTER = "GraphQL's argument is after";
const GRAPHQL_SAYS_FIRST = "GraphQL's argument is first";

/** The tools read their arguments, numbers as text among them, before they read anything else. */
const unread: Exception = { reads: 0, because: "a tool's arguments are refused before its read begins" };
const argumentsRefused: Exceptions = { agent: unread, compact: unread, tool: unread, mcp: unread };

const SEARCH_HAS_CODES: Exception = {
  error: invalid("limit", { limit: 1, code: "INVALID_FILE_SEARCH_LIMIT" }),
  because: "the upstream's search names a code, and so does its mirror"
};

const refusedUpstream = (error: ExpectedError, asked: readonly string[]): Exception => ({
  error: { ...error, by: "upstream" },
  asked,
  because: "the mirror hands the caller's own parameters on, and the upstream refuses them"
});

const besideContent = (file: string): Exception => ({
  asked: [REVISION, `getFileContentById ${file}`, `getFileById ${file}`],
  reads: 2,
  because: "in GraphQL a file's other fields answer for themselves, also while its text cannot be had"
});

export const REFUSALS: readonly Row[] = [
  // What the upstream answers to the read, whatever is asked.
  ...each("404 of the upstream", FAILING, (read) => ({
    answer: notFoundAnswer(),
    error: NOT_FOUND,
    asked: USUAL[read].asked
  })),
  ...each("429 with a wait", FAILING, (read) => ({
    answer: rateLimited(15),
    error: {
      code: "RATE_LIMITED",
      by: "upstream",
      details: {
        retryHint: "retry_after_short_delay",
        retryAfterSeconds: 15,
        retryGuidance: "Wait briefly before sending the next Developer OpenAPI request."
      }
    },
    asked: USUAL[read].asked
  })),
  ...each("429 without a wait", FAILING, (read) => ({
    answer: rateLimited(null),
    error: { code: "RATE_LIMITED", by: "upstream" },
    asked: USUAL[read].asked
  })),
  ...each("503", FAILING, (read) => {
    const last = USUAL[read].asked.at(-1) ?? "";
    return {
      answer: serviceUnavailable(),
      error: { code: "DATABASE_REPOSITORY_UNAVAILABLE", by: "upstream" },
      // It may have passed in a moment, so it is asked again twice.
      asked: [...USUAL[read].asked, last, last]
    };
  }),
  ...each("413", ["file", ...ALONE, "expansion"], (read) => ({
    answer: payloadTooLarge(),
    error: { code: "PAYLOAD_TOO_LARGE", by: "upstream" },
    asked: USUAL[read].asked
  })),
  ...only("search", "503 of the search", {
    answer: serviceUnavailable("SEARCH_UNAVAILABLE"),
    error: { code: "SEARCH_UNAVAILABLE", by: "upstream" },
    asked: USUAL.search.asked
  }),
  ...only("search", "504 of the search", {
    answer: searchTimeout(),
    error: { code: "SEARCH_TIMEOUT", by: "upstream" },
    asked: USUAL.search.asked
  }),
  ...only("search", "an outage dressed as an empty result", {
    prepare: (upstream) => {
      upstream.evidence = "none";
    },
    error: { code: "SEARCH_UNAVAILABLE", details: { reason: "ALL_EVIDENCE_DEGRADED" } },
    asked: USUAL.search.asked
  }),

  // What is not there, hidden or not granted.
  ...each("404 of a knowledge base", IN_KNOWLEDGE_BASE, () => ({
    args: { knowledgeBase: NO_KNOWLEDGE_BASE },
    error: NOT_FOUND,
    asked: [REVISION]
  })),
  ...each("not granted", IN_KNOWLEDGE_BASE, () => ({
    caller: "named",
    args: { knowledgeBase: "other" },
    error: NOT_FOUND,
    asked: [],
    logged: "getKnowledgeBase"
  })),
  ...each("404 of a file", BY_FILE_ID, (read) => ({
    args: { fileId: ABSENT },
    error: NOT_FOUND,
    asked: USUAL[read].asked.map((asked) => asked.replace("pages/one.md", ABSENT))
  })),
  ...each("a hidden file", BY_FILE_ID, () => ({
    caller: "ruled",
    args: { fileId: FOUR },
    error: NOT_FOUND,
    asked: [REVISION, "getFileById pages/secret/four.md"]
  })),
  ...only("textByPath", "404 of a file", {
    args: { path: "pages/none.md" },
    error: NOT_FOUND,
    asked: [REVISION, "getFileContentByPath path=pages/none.md"]
  }),
  ...only("textByPath", "a hidden file", {
    caller: "ruled",
    args: { path: "pages/secret/four.md" },
    error: NOT_FOUND,
    asked: []
  }),
  ...only("overview", "no content yet", {
    args: { knowledgeBase: "blank" },
    error: { ...NOT_FOUND, details: { reason: "NO_CONTENT_YET" } },
    asked: [REVISION, "getGraphOverview"]
  }),
  ...only("expansion", "no content yet", {
    args: { knowledgeBase: "blank", fileId: ABSENT },
    error: { ...NOT_FOUND, details: { reason: "NO_CONTENT_YET" } },
    asked: [REVISION, `expandGraph depth=2 fanout=5 fileId=${ABSENT} limit=4`]
  }),
  ...only("related", "409 of a generated file", {
    args: { fileId: INDEX },
    error: { code: "CONFLICT", by: "upstream" },
    asked: [REVISION, "listRelatedFiles index.md limit=2"]
  }),
  ...only("expansion", "404 of a generated file", {
    args: { fileId: INDEX },
    error: NOT_FOUND,
    asked: [REVISION, "expandGraph depth=2 fanout=5 fileId=index.md limit=4"]
  }),

  // What the caller may not ask.
  ...each("an operation that is not granted", NEEDS_GRANT, (read) => {
    const operation = GRANTS[read as keyof typeof GRANTS];
    const found: Exceptions = {
      graphql: {
        asked: USUAL[read].asked,
        reads: 2,
        logged: "getFileContentById",
        because: "GraphQL finds the file by its path first, which get_file opens; its text alone is refused"
      }
    };
    return {
      caller: `without_${operation}`,
      error: { code: "FORBIDDEN", details: { operation } },
      asked: [],
      ...(read === "textByPath" ? { except: found } : {})
    };
  }),

  ...only("search", "a rerank that the tenant does not allow", {
    args: { rerank: true },
    error: { code: "FORBIDDEN", details: { field: "rerank", limit: "rerank" } },
    asked: []
  }),

  // What the upstream refuses, in the gateway's words.
  ...each("422 of the upstream", FAILING, (read) => ({
    answer: invalidField("fileId", "Not so."),
    error: { ...invalid("fileId"), by: "upstream" },
    asked: USUAL[read].asked
  })),
  ...only("tree", "422 of a path", {
    args: { parentPath: "/pages" },
    error: { ...invalid("parentPath"), by: "upstream" },
    asked: [REVISION, "listKnowledgeBaseTree limit=6 parentPath=/pages"]
  }),
  ...only("textByPath", "422 of a path", {
    args: { path: "pages" },
    error: { ...invalid("path"), by: "upstream" },
    asked: [REVISION, "getFileContentByPath path=pages"]
  }),
  ...only("search", "422 of a short query", {
    args: { query: "x" },
    error: { ...invalid("query", { code: "FILE_SEARCH_QUERY_TOO_SHORT" }), by: "upstream" },
    asked: [REVISION, "searchGeneratedFiles limit=2 query=x"]
  }),

  // What the gateway refuses by itself.
  ...each("422 of an id", BY_FILE_ID, () => ({
    args: { fileId: LONG },
    error: invalid("fileId", { reason: "INVALID_ID" }),
    asked: []
  })),
  ...only("search", "422 of a query that no request can hold", {
    args: { query: "x".repeat(4097) },
    error: invalid("query", { code: "FILE_SEARCH_QUERY_TOO_LONG" }),
    asked: []
  }),
  ...each("422 of a cursor", LISTS, () => {
    const error = invalid("cursor", { reason: "INVALID", restart: true });
    return { args: { cursor: "junk" }, error, asked: [], except: { graphql: { error, because: GRAPHQL_SAYS_AFTER } } };
  }),
  ...each("422 of the tenant's page size", LISTS, (read) => ({
    caller: "small",
    args: { limit: 2 },
    error: invalid("limit", { limit: 1 }),
    asked: [],
    except: {
      graphql: { error: invalid("first", { limit: 1 }), because: GRAPHQL_SAYS_FIRST },
      ...(read === "search" ? { mirror: SEARCH_HAS_CODES } : {})
    }
  })),
  ...each("422 of a limit", LISTS, (read) => {
    const limit = MAXIMA[read as keyof typeof MAXIMA] + 1;
    return {
      args: { limit },
      error: invalid("limit", { limit: limit - 1 }),
      asked: [],
      except: {
        ...argumentsRefused,
        graphql: { error: invalid("first", { limit: limit - 1 }), because: GRAPHQL_SAYS_FIRST },
        mirror: refusedUpstream(
          invalid("limit", read === "search" ? { code: "INVALID_FILE_SEARCH_LIMIT" } : {}),
          USUAL[read].asked.map((asked) => asked.replace(/limit=\d+/, `limit=${limit}`))
        )
      }
    };
  }),
  ...only("tree", "a limit of 0", {
    args: { limit: 0 },
    error: invalid("limit", { limit: 500 }),
    asked: [],
    except: {
      ...argumentsRefused,
      graphql: { error: null, rows: [], hasMore: true, because: "GraphQL's first: 0 is an empty page" },
      mirror: refusedUpstream(invalid("limit"), [REVISION, "listKnowledgeBaseTree limit=0 parentPath=pages"])
    }
  }),
  ...only("expansion", "422 of a depth", {
    args: { depth: 3 },
    error: invalid("depth", { limit: 2 }),
    asked: [],
    except: {
      ...argumentsRefused,
      mirror: refusedUpstream(invalid("depth", { code: "INVALID_GRAPH_EXPANSION_DEPTH" }), [
        REVISION,
        "expandGraph depth=3 fanout=5 fileId=pages/one.md limit=4"
      ])
    }
  }),
  ...only("expansion", "422 of a fanout", {
    args: { fanout: 26 },
    error: invalid("fanout", { limit: 25 }),
    asked: [],
    except: {
      ...argumentsRefused,
      mirror: refusedUpstream(invalid("fanout", { code: "INVALID_GRAPH_EXPANSION_FANOUT" }), [
        REVISION,
        "expandGraph depth=2 fanout=26 fileId=pages/one.md limit=4"
      ])
    }
  }),
  ...only("search", "422 of a depth", {
    args: { graphDepth: 3 },
    error: invalid("graphDepth", { limit: 2 }),
    asked: [],
    except: {
      ...argumentsRefused,
      mirror: refusedUpstream(invalid("graphDepth", { code: "INVALID_FILE_SEARCH_GRAPH_DEPTH" }), [
        REVISION,
        "searchGeneratedFiles graphDepth=3 limit=2 query=cache"
      ])
    }
  }),
  ...only("search", "422 of a mode", {
    args: { mode: "everything" },
    error: invalid("mode", { allowedValues: ["hybrid", "file", "graph"] }),
    asked: [],
    except: {
      ...argumentsRefused,
      graphql: {
        error: { code: "BAD_USER_INPUT" },
        reads: 0,
        because: "GraphQL itself refuses what is no value of an enum"
      },
      mirror: refusedUpstream(invalid("mode", { code: "INVALID_FILE_SEARCH_MODE" }), [
        REVISION,
        "searchGeneratedFiles limit=2 mode=everything query=cache"
      ])
    }
  }),

  // Where GraphQL's question is two.
  ...only("contentById", "413 of a content, metadata asked for beside it", {
    answer: payloadTooLarge(),
    error: { code: "PAYLOAD_TOO_LARGE", by: "upstream" },
    asked: USUAL.contentById.asked,
    except: { graphql: besideContent("pages/one.md") }
  }),
  ...only("contentById", "404 of a content, metadata asked for beside it", {
    args: { fileId: ABSENT },
    error: NOT_FOUND,
    asked: [REVISION, `getFileContentById ${ABSENT}`],
    except: { graphql: besideContent(ABSENT) }
  })
];
