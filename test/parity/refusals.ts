/** The table's rows of what the gateway refuses by itself: what the caller may not ask, and what cannot be asked. */
import { BY_FILE_ID, each, invalid, only } from "./failing.ts";
import type { ReadName } from "./reads.ts";
import { type Exception, type Exceptions, type ExpectedError, REVISION, type Row, USUAL } from "./row.ts";

const LONG = "x".repeat(201);
const MAXIMA = { knowledgeBases: 200, tree: 500, search: 50, related: 200, expansion: 200 };
const LISTS = Object.keys(MAXIMA) as (keyof typeof MAXIMA)[];

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

export const REFUSALS: readonly Row[] = [
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
      ...argumentsRefused,
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
  })
];
