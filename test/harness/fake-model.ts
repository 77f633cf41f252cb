/**
 * What a fake knowledge base holds: pages as a test wrote them, the files an upstream generates around them, and ids that
 * follow from knowledge base and path alone.
 */
import { createHash, randomUUID } from "node:crypto";
import { generatedText } from "./fake-generated.ts";
import { baseName, directoriesOf, type FakePage, type FakeRelation, graphPathOf } from "./fake-pages.ts";

export * from "./fake-pages.ts";

export interface FakeKnowledgeBase {
  readonly id?: string;
  readonly name?: string;
  readonly description?: string | null;
  /** 1 where there are pages, 0 where there are none. */
  readonly revision?: number;
  readonly pages?: readonly FakePage[];
  readonly relations?: readonly FakeRelation[];
}

/** A file of the tree. `detailKind` differs from `treeKind` for `log.md` and navigation leaves, as it does upstream. */
export interface FakeFile {
  readonly id: string;
  readonly path: string;
  readonly treeKind: string;
  readonly detailKind: string;
  readonly title: string;
  readonly content: string;
  /** Null for generated files. */
  readonly page: FakePage | null;
}

/** A knowledge base whose content a test changes while the server runs. Nothing rises the revision but `publish`. */
export class KnowledgeBaseModel {
  readonly id: string;
  name: string;
  description: string | null;
  revision: number;
  readonly relations: FakeRelation[];
  readonly createdAt = "2026-01-02T03:04:05.000Z";
  /** Decides the label of an answer in place of the current revision: for answers whose rows are older or newer. */
  relabel: ((operation: string, revision: number) => number) | null = null;
  #pages: FakePage[];
  readonly #withdrawn = new Set<string>();
  #files: ReadonlyMap<string, FakeFile> | null = null;

  constructor(input: FakeKnowledgeBase) {
    this.id = input.id ?? `knowledge-base-${randomUUID()}`;
    this.name = input.name ?? "Fake handbook";
    this.description = input.description ?? null;
    this.#pages = [...(input.pages ?? [])];
    this.relations = [...(input.relations ?? [])];
    this.revision = input.revision ?? (this.#pages.length > 0 ? 1 : 0);
  }

  get pages(): readonly FakePage[] {
    return this.#pages;
  }

  /** Adds a page, or replaces the one at its path. */
  addPage(page: FakePage): this {
    const index = this.#pages.findIndex(({ path }) => path === page.path);
    if (index < 0) this.#pages.push(page);
    else this.#pages[index] = page;
    return this.#changed();
  }

  /** Removes a page from every answer; its relations stay written but lead nowhere. */
  removePage(path: string): this {
    this.#pages = this.#pages.filter((page) => page.path !== path);
    return this.#changed();
  }

  relate(relation: FakeRelation): this {
    this.relations.push(relation);
    return this.#changed();
  }

  /** While a file is withdrawn or replaced: its content is 404, its detail and listing still answer. */
  withdrawContent(path: string, withdrawn = true): this {
    if (withdrawn) this.#withdrawn.add(path);
    else this.#withdrawn.delete(path);
    return this;
  }

  contentWithdrawn(path: string): boolean {
    return this.#withdrawn.has(path);
  }

  /** Raises the revision, once for each published file. */
  publish(files = 1): this {
    this.revision += files;
    return this;
  }

  fileId(path: string): string {
    const hash = createHash("sha256").update(`${this.id}\n${path}`).digest("hex");
    return path.startsWith("pages/") && !isNavigation(path)
      ? `source-file-${uuidFrom(hash)}`
      : `generated-${hash.slice(0, 32)}`;
  }

  directoryId(path: string): string {
    const hash = createHash("sha256").update(`${this.id}\n${path}/`).digest("hex");
    return path.startsWith("pages/") ? `directory-${hash}` : `generated-directory-${hash.slice(0, 32)}`;
  }

  /** Every file by path, generated ones included; none in a knowledge base at revision 0. */
  files(): ReadonlyMap<string, FakeFile> {
    if (this.revision === 0) return new Map();
    this.#files ??= new Map(this.#build().map((file) => [file.path, file]));
    return this.#files;
  }

  fileById(id: string): FakeFile | undefined {
    for (const file of this.files().values()) if (file.id === id) return file;
    return undefined;
  }

  #changed(): this {
    this.#files = null;
    return this;
  }

  #build(): FakeFile[] {
    const pages = this.#pages.map((page) => this.#page(page));
    const directories = directoriesOf(this.#pages.map(({ path }) => path));
    const indexed = { name: this.name, pages: this.#pages, relations: this.relations };
    const generated = (path: string, treeKind: string, detailKind = treeKind): FakeFile => ({
      id: this.fileId(path),
      path,
      treeKind,
      detailKind,
      ...generatedText(path, indexed),
      page: null
    });
    return [
      ...pages,
      generated("index.md", "index"),
      generated("log.md", "log", "index"),
      generated("_index/index.md", "search_index"),
      generated("_index/catalog.json", "search_index"),
      generated("_graph/index.md", "graph_index"),
      generated("_graph/catalog.json", "graph_index"),
      generated("_graph/by-file/index.md", "graph_index"),
      ...directories.flatMap((directory) => [
        generated(`${directory}/index.md`, "index"),
        generated(`${directory}/${leafName(this.id, directory)}`, "directory_leaf", "index"),
        generated(`_index/${directory}/index.json`, "search_index"),
        generated(`${directory.replace(/^pages/, "_graph/by-directory")}/index.json`, "graph_index")
      ]),
      ...this.#pages.map(({ path }) => generated(graphPathOf(path), "graph_index"))
    ];
  }

  #page(page: FakePage): FakeFile {
    return {
      id: this.fileId(page.path),
      path: page.path,
      treeKind: "page",
      detailKind: "page",
      title: page.title ?? baseName(page.path).replace(/\.md$/, ""),
      content: page.content ?? `# ${page.title ?? baseName(page.path)}\n`,
      page
    };
  }
}

function isNavigation(path: string): boolean {
  return /(^|\/)(index|index-directory-leaf-[0-9a-f-]{36})\.md$/.test(path);
}

function leafName(knowledgeBaseId: string, directory: string): string {
  return `index-directory-leaf-${uuidFrom(createHash("sha256").update(`${knowledgeBaseId}\n${directory}`).digest("hex"))}.md`;
}

function uuidFrom(hash: string): string {
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
