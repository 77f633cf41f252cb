/** One knowledge base: a folder, what was last read of it, and the revision that this is. */
import { stat } from "node:fs/promises";
import { knowledgeBaseId } from "./ids.ts";
import type { Change } from "./navigation.ts";
import { digestOf, type Page, readPage } from "./page.ts";
import { byPath } from "./paths.ts";
import { readText } from "./read.ts";
import { type FoundFile, type Scan, scanFolder, type Warning } from "./scan.ts";
import { SearchIndex } from "./search-index.ts";
import { type Snapshot, takeSnapshot } from "./snapshot.ts";

/** How many changes `log.md` remembers. */
const LOGGED_CHANGES = 200;
/** Files that are read at the same time. */
const READS = 8;

export interface KnowledgeBaseOptions {
  readonly name: string;
  /** What warnings call the folder; `""` where it is the folder served. */
  readonly label: string;
  readonly folder: string;
  /** When the folder was made. */
  readonly createdAt: Date;
  readonly contentBytes: number;
  readonly warn: (warning: Warning) => void;
}

export class KnowledgeBase {
  readonly id: string;
  readonly name: string;
  readonly folder: string;
  /** ISO date and time. */
  readonly createdAt: string;
  readonly index = new SearchIndex();
  private readonly options: KnowledgeBaseOptions;
  private current: Snapshot;
  private changes: Change[] = [];
  /** What was read when, by path; files that cannot be served included, so that they are not read again and again. */
  private files: ReadonlyMap<string, FoundFile> = new Map();

  private constructor(options: KnowledgeBaseOptions) {
    this.options = options;
    this.id = knowledgeBaseId(options.name);
    this.name = options.name;
    this.folder = options.folder;
    this.createdAt = options.createdAt.toISOString();
    this.current = this.snapshotOf(new Map(), 0);
  }

  static async open(options: KnowledgeBaseOptions): Promise<KnowledgeBase> {
    const opened = new KnowledgeBase(options);
    await opened.rescan();
    return opened;
  }

  get snapshot(): Snapshot {
    return this.current;
  }

  /** Reads what is new or changed, and takes a new snapshot if anything is. Each such file is one revision. */
  async rescan(): Promise<void> {
    const scan = await this.scan();
    const pages = new Map<string, Page>();
    const files = new Map<string, FoundFile>();
    for (let at = 0; at < scan.files.length; at += READS) {
      const batch = scan.files.slice(at, at + READS);
      for (const [index, page] of (await Promise.all(batch.map((file) => this.read(file)))).entries()) {
        const file = batch[index];
        if (file && page !== undefined) files.set(file.path, file);
        if (page) pages.set(page.path, page);
      }
    }
    const changes = differences(this.current.pages, pages);
    this.files = files;
    if (changes.length > 0) this.publish(pages, changes);
  }

  /**
   * Whether the page's file is still the one that was read. Between a change on disk and the next snapshot a page has no
   * content, as upstream between the withdrawal of a file and its next publication.
   */
  async readable(page: Page): Promise<boolean> {
    const file = this.files.get(page.path);
    const found = file && (await stat(file.absolute).catch(() => null));
    return Boolean(found && sameFile(file, { size: found.size, changedMs: found.ctimeMs, inode: found.ino }));
  }

  private async scan(): Promise<Scan> {
    try {
      const scan = await scanFolder(this.folder, this.options.label);
      scan.warnings.forEach(this.options.warn);
      return scan;
    } catch {
      this.options.warn({ file: this.options.label || ".", reason: "the folder is gone or cannot be read" });
      return { files: [], warnings: [] };
    }
  }

  /**
   * @returns the page as it was where its file was not changed, as it is now, null where it cannot be served, or
   *   undefined where the file is gone again
   */
  private async read(file: FoundFile): Promise<Page | null | undefined> {
    const known = this.current.pages.get(file.path);
    const before = this.files.get(file.path);
    if (before && before.absolute === file.absolute && sameFile(before, file)) return known ?? null;
    const name = [this.options.label, file.path.slice("pages/".length)].filter((part) => part !== "").join("/");
    const warn = (reason: string) => this.options.warn({ file: name, reason });
    const read = await readText(file, this.options.contentBytes);
    if (read === null) return undefined;
    if ("reason" in read) {
      warn(read.reason);
      return null;
    }
    if (known?.digest === digestOf(read.text)) return known;
    const source = { knowledgeBase: this.id, path: file.path, content: read.text, sizeBytes: file.size };
    return readPage({ ...source, resourceRevision: (known?.resourceRevision ?? 0) + 1 }, warn);
  }

  private publish(pages: ReadonlyMap<string, Page>, changes: readonly Change[]): void {
    this.changes = [...changes, ...this.changes].slice(0, LOGGED_CHANGES);
    for (const { path } of changes) {
      const page = pages.get(path);
      if (page) this.index.put(page);
      else this.index.remove(path);
    }
    this.current = this.snapshotOf(pages, this.current.revision + changes.length);
  }

  private snapshotOf(pages: ReadonlyMap<string, Page>, revision: number): Snapshot {
    return takeSnapshot({
      knowledgeBaseId: this.id,
      folderName: this.name,
      revision,
      pages,
      changes: this.changes
    });
  }
}

type Stamp = Pick<FoundFile, "size" | "changedMs" | "inode">;

function sameFile(left: Stamp, right: Stamp): boolean {
  return left.size === right.size && left.changedMs === right.changedMs && left.inode === right.inode;
}

function differences(before: ReadonlyMap<string, Page>, after: ReadonlyMap<string, Page>): Change[] {
  const date = new Date().toISOString().slice(0, 10);
  const changes: Change[] = [];
  for (const { path, title, digest } of after.values()) {
    const known = before.get(path);
    if (known?.digest !== digest) changes.push({ path, title, date, kind: known ? "Updated" : "Added" });
  }
  for (const { path, title } of before.values()) {
    if (!after.has(path)) changes.push({ path, title, date, kind: "Removed" });
  }
  return changes.sort(byPath);
}
