/** The table's rows of what fails upstream, and of what is not there, hidden or not granted. */
import {
  invalidField,
  notFoundAnswer,
  payloadTooLarge,
  rateLimited,
  searchTimeout,
  serviceUnavailable
} from "../harness/fake-upstream.ts";
import { BY_FILE_ID, each, invalid, NOT_FOUND, only } from "./failing.ts";
import { ALONE, type Exception, FAILING, REVISION, type Row, USUAL } from "./row.ts";
import { fileId } from "./world.ts";

const FOUR = fileId("pages/secret/four.md");
const INDEX = fileId("index.md");
const ABSENT = "source-file-00000000-0000-4000-8000-00000000dead";
const NO_KNOWLEDGE_BASE = "knowledge-base-00000000-0000-4000-8000-00000000dead";
const IN_KNOWLEDGE_BASE = FAILING.filter((read) => read !== "knowledgeBases");

const besideContent = (file: string): Exception => ({
  asked: [REVISION, `getFileContentById ${file}`, `getFileById ${file}`],
  reads: 2,
  because: "in GraphQL a file's other fields answer for themselves, also while its text cannot be had"
});

export const FAILURES: readonly Row[] = [
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
