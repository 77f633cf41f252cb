/** The table's rows of what succeeds: full and empty answers, for callers who may see everything or a part. */
import type { ReadName } from "./reads.ts";
import { type Question, REVISION, type Row, SUCCEEDING, USUAL } from "./row.ts";
import { type Caller, fileId, knowledgeBaseId } from "./world.ts";

const MIRROR_ASKS_AS_ASKED = "the mirror sends the caller's own parameters, of which there are none";

function each(state: string, question: (read: ReadName) => Partial<Question> | null): Row[] {
  return SUCCEEDING.flatMap((read) => {
    const changed = question(read);
    return changed === null ? [] : [{ read, state, ...USUAL[read], ...changed }];
  });
}

const rowsOf = (state: string, rows: Partial<Readonly<Record<ReadName, Question>>>): Row[] =>
  Object.entries(rows).map(([read, row]) => ({ read: read as ReadName, state, ...row }));

const as = (caller: Caller) => () => ({ caller });

const EMPTY = fileId("pages/void.md");

/** For a caller with path rules a file's path is looked up before its id is used, and lists ask for one row more. */
const RULED: Readonly<Record<ReadName, Partial<Question>>> = {
  knowledgeBases: {},
  knowledgeBase: {},
  tree: {
    asked: [REVISION, "listKnowledgeBaseTree limit=7 parentPath=pages"],
    rows: ["pages/guides", "pages/one.md", "pages/two.md", "pages/void.md"],
    hasMore: false
  },
  file: {},
  contentById: { asked: [REVISION, "getFileById pages/one.md", "getFileContentById pages/one.md"] },
  contentByPath: {},
  textById: {},
  textByPath: {},
  search: {
    args: { query: "cache", limit: 4 },
    asked: [REVISION, "searchGeneratedFiles limit=5 query=cache"],
    rows: ["pages/one.md", "pages/two.md", "pages/guides/three.md"],
    hasMore: false
  },
  related: {
    args: { fileId: fileId("pages/one.md"), limit: 3 },
    asked: [REVISION, "getFileById pages/one.md", "listRelatedFiles pages/one.md limit=4"],
    rows: ["pages/two.md", "pages/guides/three.md"],
    hasMore: false
  },
  expansion: {
    asked: [REVISION, "getFileById pages/one.md", "expandGraph depth=2 fanout=5 fileId=pages/one.md limit=5"],
    rows: ["pages/two.md", "pages/guides/three.md", "pages/guides/three.md", "pages/two.md"],
    hasMore: false
  },
  overview: {}
};

export const ANSWERS: readonly Row[] = [
  ...each("ok", () => ({})),
  ...each("ok, without tenants", as("anonymous")),
  ...each("ok, with path rules", (read) => ({ ...RULED[read], caller: "ruled" })),

  ...rowsOf("ok, without a limit", {
    knowledgeBases: {
      args: {},
      asked: ["listKnowledgeBases limit=50"],
      rows: ["handbook", "blank", "other"].map(knowledgeBaseId),
      except: { mirror: { asked: ["listKnowledgeBases"], because: MIRROR_ASKS_AS_ASKED } }
    },
    tree: {
      args: {},
      asked: [REVISION, "listKnowledgeBaseTree limit=50"],
      rows: ["_graph", "_index", "index.md", "log.md", "pages"],
      except: { mirror: { asked: [REVISION, "listKnowledgeBaseTree"], because: MIRROR_ASKS_AS_ASKED } }
    },
    search: {
      args: { query: "another" },
      asked: [REVISION, "searchGeneratedFiles limit=10 query=another"],
      rows: ["pages/two.md"],
      except: { mirror: { asked: [REVISION, "searchGeneratedFiles query=another"], because: MIRROR_ASKS_AS_ASKED } }
    },
    related: {
      args: { fileId: fileId("pages/two.md") },
      asked: [REVISION, "listRelatedFiles pages/two.md limit=20"],
      rows: ["pages/one.md", "pages/guides/three.md"],
      except: { mirror: { asked: [REVISION, "listRelatedFiles pages/two.md"], because: MIRROR_ASKS_AS_ASKED } }
    },
    expansion: {
      args: { fileId: fileId("pages/two.md") },
      asked: [REVISION, "expandGraph fileId=pages/two.md limit=50"],
      rows: ["pages/one.md", "pages/guides/three.md"],
      except: {
        graphql: {
          asked: [REVISION, "expandGraph fileId=pages/two.md limit=20"],
          because: "GraphQL's default of an expansion is 20, the tool's 50"
        },
        mirror: { asked: [REVISION, "expandGraph fileId=pages/two.md"], because: MIRROR_ASKS_AS_ASKED }
      }
    }
  }),

  ...rowsOf("empty", {
    knowledgeBases: { caller: "nobody", args: { limit: 2 }, asked: [], rows: [] },
    knowledgeBase: { args: { knowledgeBase: "blank" }, asked: [REVISION], rows: [knowledgeBaseId("blank")] },
    tree: {
      args: { parentPath: "pages/nowhere", limit: 3 },
      asked: [REVISION, "listKnowledgeBaseTree limit=3 parentPath=pages/nowhere"],
      rows: []
    },
    file: { args: { fileId: EMPTY }, asked: [REVISION, "getFileById pages/void.md"], rows: ["pages/void.md"] },
    contentById: {
      args: { fileId: EMPTY },
      asked: [REVISION, "getFileContentById pages/void.md"],
      rows: ["pages/void.md"]
    },
    contentByPath: {
      args: { path: "pages/void.md" },
      asked: [REVISION, "getFileContentByPath path=pages/void.md"],
      rows: ["pages/void.md"]
    },
    search: {
      args: { query: "zzqqxxyy", limit: 3 },
      asked: [REVISION, "searchGeneratedFiles limit=3 query=zzqqxxyy"],
      rows: []
    },
    related: {
      args: { fileId: EMPTY, limit: 3 },
      asked: [REVISION, "listRelatedFiles pages/void.md limit=3"],
      rows: []
    },
    expansion: {
      args: { fileId: EMPTY, limit: 3 },
      asked: [REVISION, "expandGraph fileId=pages/void.md limit=3"],
      rows: []
    }
  }),

  ...rowsOf("empty, at revision 0", {
    tree: {
      args: { knowledgeBase: "blank", limit: 3 },
      asked: [REVISION, "listKnowledgeBaseTree limit=3"],
      rows: []
    },
    search: {
      args: { knowledgeBase: "blank", query: "cache", limit: 3 },
      asked: [REVISION, "searchGeneratedFiles limit=3 query=cache"],
      rows: []
    }
  }),

  ...rowsOf("granted by name", {
    knowledgeBases: {
      caller: "named",
      args: { limit: 2 },
      asked: [REVISION],
      rows: [knowledgeBaseId("handbook")]
    }
  }),

  ...rowsOf("all hits hidden", {
    search: {
      caller: "ruled",
      args: { query: "hidden", limit: 3 },
      asked: [REVISION, "searchGeneratedFiles limit=4 query=hidden"],
      rows: []
    }
  })
];
