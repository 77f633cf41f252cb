/**
 * A reader in memory: every method answers what the test says, and writes down what it was asked. It knows one
 * knowledge base, or more where the test grants more; everything else about reading is tested with the real reader.
 */
import { invalid, notFound } from "../../src/errors.ts";
import type {
  FederatedHit,
  FileContent,
  GeneratedFile,
  GraphExpansion,
  GraphOverview,
  KnowledgeBase,
  KnowledgeBaseItem,
  KnowledgeBaseList,
  KnowledgeBaseReader,
  Limits,
  OperationName,
  Page,
  PageInput,
  Reader,
  Related,
  RelatedFile,
  Search,
  SearchHit,
  Tree,
  TreeEntry
} from "../../src/knowledge/types.ts";
import { OPERATION_NAMES } from "../../src/knowledge/types.ts";

/** What the methods answer; a function may throw instead. */
export interface Answers {
  search?: () => Search;
  tree?: () => Tree;
  file?: () => GeneratedFile;
  content?: () => FileContent;
  related?: () => Related;
  expand?: () => GraphExpansion;
  overview?: () => GraphOverview;
}

export interface Call {
  readonly method: string;
  readonly args: unknown;
  readonly page?: PageInput;
}

export interface FakeOptions {
  readonly answers?: Answers;
  /** Keys of the granted knowledge bases; their ids are `id-of-<key>`. */
  readonly keys?: readonly string[];
  readonly operations?: readonly OperationName[];
  readonly pathRules?: boolean;
  readonly limits?: Partial<Limits>;
  /** The `nextCursor` of every list. */
  readonly next?: string | null;
}

export interface FakeReader extends Reader {
  readonly calls: Call[];
}

const ANSWERS: Required<Answers> = {
  search: () => ({ activeContentRevision: 3, items: [], nextCursor: null, searchStatus: "no_candidates" }),
  tree: () => ({ activeContentRevision: 3, items: [], nextCursor: null }),
  file: () => file,
  content: () => ({ file, content: "# Guide\n" }),
  related: () => ({ activeContentRevision: 3, fileId: "file-1", items: [], nextCursor: null }),
  expand: () => ({ activeContentRevision: 3, seedFile: null, relationships: [], nextCursor: null }),
  overview: () => ({ activeContentRevision: 3, availability: "available" })
};

export const file: GeneratedFile = {
  activeContentRevision: 3,
  fileId: "file-1",
  path: "pages/guide.md",
  title: "Guide",
  inventedLater: true
};

export function fakeReader(options: FakeOptions = {}): FakeReader {
  const { keys = ["handbook"], operations = OPERATION_NAMES, pathRules = false } = options;
  const calls: Call[] = [];
  const bases = keys.map((key) => fakeKnowledgeBase(key, options, calls));
  return {
    calls,
    noteError: () => undefined,
    requestId: "req-00000000-0000-4000-8000-000000000000",
    viewer: {
      tenant: "acme",
      subject: "bot",
      limits: { pageSize: 500, ...options.limits } as Limits,
      grants: keys.map((key) => ({ knowledgeBase: key, operations, hasPathRules: pathRules }))
    },
    async knowledgeBases(page) {
      calls.push({ method: "knowledgeBases", args: null, page });
      const items = bases.map((base) => detailOf(base.key));
      const rows: KnowledgeBaseItem[] = items.map((item, index) => ({ key: keys[index]!, knowledgeBase: item }));
      return pageOf<KnowledgeBaseItem, KnowledgeBaseList>(rows, { items, nextCursor: null }, options.next);
    },
    async knowledgeBase(key) {
      calls.push({ method: "knowledgeBase", args: key });
      const base = bases.find((known) => known.key === key || known.id === key);
      if (!base) throw notFound();
      return base;
    },
    async onlyKnowledgeBase() {
      const [only, ...others] = bases;
      if (!only) throw notFound();
      if (others.length === 0) return only;
      throw invalid("knowledgeBase", `Name a knowledge base: one of ${keys.join(", ")}.`, { allowedValues: keys });
    },
    async soleKnowledgeBase() {
      const [only, ...others] = bases;
      if (!only) throw notFound();
      return others.length === 0 ? only : null;
    },
    async search(args, page) {
      calls.push({ method: "federated search", args, page });
      const pages = await Promise.all(bases.map((base) => base.search(args, page)));
      const hits = pages.map(({ rows, revision }, index) =>
        rows.map((hit) => ({ knowledgeBase: bases[index]!, hit, revision }))
      );
      const sources = pages.map(({ rows, revision }, index) => ({
        knowledgeBase: bases[index]!,
        searchStatus: "ok",
        activeContentRevision: revision,
        resultCount: rows.length,
        error: null
      }));
      return { ...pageOf<FederatedHit, never>(hits.flat(), {} as never, options.next), body: null, sources };
    },
    health: async () => ({ status: "ok" }),
    version: async () => ({ product: "focowiki", version: "0.0.0-dev", apiVersion: "v2" })
  };
}

function fakeKnowledgeBase(key: string, options: FakeOptions, calls: Call[]): KnowledgeBaseReader {
  const answers = { ...ANSWERS, ...options.answers };
  const note = (method: string, args: unknown, page?: PageInput) =>
    calls.push(page === undefined ? { method, args } : { method, args, page });
  return {
    key,
    id: `id-of-${key}`,
    may: (operation) => (options.operations ?? OPERATION_NAMES).includes(operation),
    require() {},
    detail: async () => detailOf(key),
    async tree(args, page) {
      note("tree", args, page);
      const body = answers.tree();
      return pageOf<TreeEntry, Tree>(body.items, body, options.next);
    },
    directory: async () => Promise.reject(notFound()),
    async file(fileId) {
      note("file", fileId);
      return answers.file();
    },
    async fileByPath(path) {
      note("fileByPath", path);
      return answers.file();
    },
    async content(lookup) {
      note("content", lookup);
      return answers.content();
    },
    async search(args, page) {
      note("search", args, page);
      const body = answers.search();
      return pageOf<SearchHit, Search>(body.items, body, options.next);
    },
    async related(fileId, page) {
      note("related", fileId, page);
      const body = answers.related();
      return pageOf<RelatedFile, Related>(body.items, body, options.next);
    },
    async expand(args, page) {
      note("expand", args, page);
      const body = answers.expand();
      return pageOf<RelatedFile, GraphExpansion>(body.relationships, body, options.next);
    },
    async overview() {
      note("overview", null);
      return answers.overview();
    }
  };
}

function pageOf<Row, Body>(rows: readonly Row[], body: Body, next: string | null = null): Page<Row, Body> {
  return {
    body: { ...body, nextCursor: null },
    rows,
    hasNextPage: next !== null,
    revision: 3,
    cursor: (index) => `cursor-${index}`,
    endCursor: () => next,
    nextCursor: () => next
  };
}

function detailOf(key: string): KnowledgeBase {
  return {
    knowledgeBaseId: `id-of-${key}`,
    name: `The ${key}`,
    description: "Everything about work here.",
    activeContentRevision: 3,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z"
  };
}
