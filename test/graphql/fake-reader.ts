/**
 * A reader in memory, for tests of the GraphQL surface alone. It keeps the reader's contract (equal reads are one call,
 * cursors are sealed when asked for) and counts what a real one would ask the upstream.
 */

import { defaultLimits } from "../../src/config/schema.ts";
import { GatewayError, invalid, notFound } from "../../src/errors.ts";
import type {
  FederatedPage,
  FederatedSearchArgs,
  FileContent,
  GeneratedFile,
  KnowledgeBase,
  KnowledgeBaseReader,
  Limits,
  OperationName,
  Page,
  PageInput,
  Reader,
  RelatedFile,
  SearchHit,
  TreeEntry
} from "../../src/knowledge/types.ts";
import { OPERATION_NAMES } from "../../src/knowledge/types.ts";

export const KNOWLEDGE_BASE: KnowledgeBase = {
  knowledgeBaseId: "knowledge-base-1",
  name: "Handbook",
  description: null,
  activeContentRevision: 17,
  createdAt: "2027-01-02T03:04:05.678Z",
  updatedAt: "2027-01-02T03:04:05.678Z"
};

export interface FakeOptions {
  readonly files?: number;
  readonly operations?: readonly OperationName[];
  readonly limits?: Partial<Limits>;
}

export function fileDetail(index: number): GeneratedFile {
  return {
    activeContentRevision: 17,
    fileId: `source-file-${index}`,
    sourceFileId: `source-file-${index}`,
    path: `pages/notes/note ${index}.md`,
    fileKind: "page",
    contentType: "text/markdown; charset=utf-8",
    sizeBytes: 2 ** 40 + index,
    title: `Note ${index}`,
    description: null,
    tags: ["note"],
    frontmatter: { nested: { order: index } },
    contentAvailable: true
  };
}

export class FakeReader implements Reader {
  readonly requestId = "req-test";
  readonly errors: string[] = [];
  readonly noteError = (code: string) => void this.errors.push(code);
  readonly viewer;
  /** Every call that would reach the upstream, in order, such as `file source-file-3`. */
  readonly calls: string[] = [];
  /** Cursors made. */
  sealed = 0;
  readonly files: GeneratedFile[];
  readonly #faults = new Map<string, unknown>();
  readonly #answers = new Map<string, Promise<unknown>>();
  readonly #operations: ReadonlySet<OperationName>;

  constructor({ files = 3, operations = OPERATION_NAMES, limits = {} }: FakeOptions = {}) {
    this.files = Array.from({ length: files }, (_, index) => fileDetail(index));
    this.#operations = new Set(operations);
    this.viewer = {
      tenant: "acme",
      subject: "tester",
      limits: { ...defaultLimits(), ...limits },
      grants: [{ knowledgeBase: "handbook", operations: [...operations], hasPathRules: false }]
    };
  }

  /** Makes a call fail, named as in `calls`. */
  fail(call: string, error: unknown): this {
    this.#faults.set(call, error);
    return this;
  }

  /** How many calls begin so. */
  count(prefix: string): number {
    return this.calls.filter((call) => call.startsWith(prefix)).length;
  }

  knowledgeBases(input: PageInput) {
    return this.#list("knowledgeBases", input, 200, [{ key: "handbook", knowledgeBase: KNOWLEDGE_BASE }], {}, null);
  }

  async knowledgeBase(key: string): Promise<KnowledgeBaseReader> {
    if (key !== "handbook" && key !== KNOWLEDGE_BASE.knowledgeBaseId) throw notFound();
    return this.#knowledgeBase;
  }

  onlyKnowledgeBase() {
    return this.knowledgeBase("handbook");
  }

  soleKnowledgeBase() {
    return this.knowledgeBase("handbook");
  }

  async search({ knowledgeBases: _, ...args }: FederatedSearchArgs, input: PageInput): Promise<FederatedPage> {
    const knowledgeBase = this.#knowledgeBase;
    const { body: _body, revision, rows, ...page } = await knowledgeBase.search(args, input);
    const source = { knowledgeBase, searchStatus: "ok", activeContentRevision: revision, error: null };
    return {
      ...page,
      body: null,
      revision: null,
      rows: rows.map((hit) => ({ knowledgeBase, hit, revision })),
      sources: [{ ...source, resultCount: rows.length }]
    };
  }

  health = async () => ({ status: "ok" });
  version = async () => ({ version: "2" });

  readonly #knowledgeBase: KnowledgeBaseReader = {
    key: "handbook",
    id: KNOWLEDGE_BASE.knowledgeBaseId,
    may: (operation) => this.#operations.has(operation),
    require: (operation) => this.#require(operation),
    detail: () => this.#call("detail", () => KNOWLEDGE_BASE),
    tree: async (args, input) => {
      this.#require("list_tree");
      return this.#list(`tree ${args.parentPath ?? ""} ${args.entryType ?? ""}`, input, 500, this.#entries(), {});
    },
    directory: async (path) => {
      this.#require("list_tree");
      return this.#call(`directory ${path}`, () => directoryEntry(path));
    },
    file: async (fileId) => {
      this.#require("get_file");
      return this.#call(`file ${fileId}`, () => this.#find(fileId));
    },
    fileByPath: async (path) => {
      this.#require("get_file");
      return this.#call(`content ${path}`, () => this.#find(path));
    },
    content: async (lookup) => {
      this.#require("read_file");
      const key = "fileId" in lookup ? lookup.fileId : lookup.path;
      return this.#call(`content ${key}`, (): FileContent => {
        const file = this.#find(key);
        return { file, content: `# ${file.title}` };
      });
    },
    search: async (args, input) => {
      this.#require("search_files");
      const { query, ...rest } = args;
      return this.#list(`search ${query} ${JSON.stringify(rest)}`, input, 50, this.#hits(), { searchStatus: "ok" });
    },
    related: async (fileId, input) => {
      this.#require("read_related");
      return this.#list(`related ${fileId}`, input, 200, this.#relations(fileId), { fileId });
    },
    expand: async ({ fileId, ...args }, input) => {
      this.#require("expand_graph");
      const seedFile = fileId === "source-file-0" ? this.files[0] : null;
      const body = { seedFile, graphPaths: ["_graph/by-file/a.json"], resultSummary: { depth: args.depth ?? 1 } };
      return this.#list(`expand ${fileId} ${JSON.stringify(args)}`, input, 200, this.#relations(fileId), body);
    },
    overview: async () => {
      this.#require("expand_graph");
      return this.#call("overview", () => ({ activeContentRevision: 17, availability: "available" }));
    }
  };

  #require(operation: OperationName): void {
    if (!this.#operations.has(operation)) throw new GatewayError("FORBIDDEN");
  }

  #find(key: string): GeneratedFile {
    const file = this.files.find(({ fileId, path }) => fileId === key || path === key);
    if (file === undefined) throw notFound();
    return file;
  }

  async #call<T>(name: string, answer: () => T): Promise<T> {
    const known = this.#answers.get(name) as Promise<T> | undefined;
    if (known !== undefined) return known;
    this.calls.push(name);
    const made = (async () => {
      if (this.#faults.has(name)) throw this.#faults.get(name);
      return answer();
    })();
    this.#answers.set(name, made);
    return made;
  }

  async #list<Row, Body>(
    name: string,
    { first, after }: PageInput,
    maximum: number,
    rows: readonly Row[],
    body: Body,
    revision: number | null = 17
    // The wire's other members are not what these tests are about.
  ): Promise<Page<Row, never>> {
    const most = Math.min(maximum, this.viewer.limits.pageSize);
    if (first !== undefined && (first < 0 || first > most)) {
      throw invalid("first", `first is 0 to ${most}.`, { limit: most });
    }
    const size = first ?? 50;
    const start = after ? Number(after.slice(1)) : 0;
    if (size > 0) await this.#call(`${name} ${start}+${size}`, () => undefined);
    const page = rows.slice(start, start + size);
    const seal = (index: number) => {
      this.sealed += 1;
      return `c${start + index + 1}`;
    };
    return {
      body: (size === 0 ? null : { ...body, activeContentRevision: revision }) as never,
      rows: page,
      hasNextPage: start + size < rows.length,
      revision,
      cursor: seal,
      endCursor: () => (page.length === 0 ? (after ?? null) : seal(page.length - 1)),
      nextCursor: () => null
    };
  }

  #entries(): TreeEntry[] {
    const files = this.files.map((file): TreeEntry => {
      const { fileId, sourceFileId, path, fileKind, contentAvailable } = file;
      const entry = { id: fileId, fileId, sourceFileId, path, fileKind, contentAvailable, entryType: "file" as const };
      return { ...entry, name: path.split("/").at(-1) ?? "", parentPath: "pages/notes" };
    });
    return [directoryEntry("pages/notes/deep"), ...files];
  }

  #hits(): SearchHit[] {
    return this.files.map((file, index) => {
      const { fileId, sourceFileId, path, fileKind, title, description, tags, frontmatter } = file;
      const graphContext = { graphRef: null, depth: 1, relationships: this.#relations(fileId), graphPaths: [] };
      const hit = { fileId, sourceFileId, path, fileKind, title, description, tags, frontmatter, graphContext };
      return { ...hit, score: 1 / (index + 1), matchType: "hybrid", matchedFields: ["title"] };
    });
  }

  /** As newer releases send them: without weight, with open sets, with nulls. */
  #relations(from: string): RelatedFile[] {
    return this.files
      .filter(({ fileId }) => fileId !== from)
      .map(({ fileId, sourceFileId, path, title }) => ({
        ...{ fileId, sourceFileId, path, title, fromFileId: from, relationshipDepth: 1 },
        ...{ relationType: "cites_loosely", direction: "bidirectional", reason: null }
      }));
  }
}

function directoryEntry(path: string): TreeEntry {
  const segments = path.split("/");
  return {
    id: `directory-${path}`,
    fileId: null,
    path,
    name: segments.at(-1) ?? "",
    parentPath: segments.slice(0, -1).join("/"),
    entryType: "directory",
    directFileCount: 2,
    descendantFileCount: null
  };
}
