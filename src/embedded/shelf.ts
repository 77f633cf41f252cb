/** The knowledge bases of the folder that is served, kept up to date. */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { KnowledgeBase } from "./knowledge-base.ts";
import { isIgnored, scanFolder, type Warning } from "./scan.ts";

export interface ShelfOptions {
  readonly folder: string;
  readonly contentBytes: number;
  readonly onWarning: (warning: Warning) => void;
}

/** Warnings that are remembered so that none is given twice. */
const REMEMBERED_WARNINGS = 10_000;

interface Place {
  readonly name: string;
  readonly label: string;
  readonly folder: string;
}

export class Shelf {
  private readonly options: ShelfOptions;
  private readonly warned = new Set<string>();
  private readonly held = new Map<string, KnowledgeBase>();
  /** Decided once: a folder that began as one knowledge base stays one. */
  private single: boolean | undefined;
  private running: Promise<void> | null = null;
  private queued: Promise<void> | null = null;

  private constructor(options: ShelfOptions) {
    this.options = options;
  }

  /** @throws Error where the folder does not exist or is none */
  static async open(options: ShelfOptions): Promise<Shelf> {
    const shelf = new Shelf({ ...options, folder: await realpath(options.folder) });
    await readdir(shelf.options.folder);
    await shelf.refresh();
    return shelf;
  }

  /** In the order of their ids, as a listing gives them. */
  list(): KnowledgeBase[] {
    return [...this.held.values()].sort((left, right) => (left.id < right.id ? -1 : 1));
  }

  get(id: string): KnowledgeBase | undefined {
    return this.held.get(id);
  }

  /** Brings everything up to what is on disk when this is called. Scans never run beside each other. */
  refresh(): Promise<void> {
    if (this.running === null) {
      this.running = this.scan().finally(() => {
        this.running = null;
      });
      return this.running;
    }
    // A scan under way may have passed what changed since; all who ask in the meantime share the next one.
    this.queued ??= this.running
      .catch(() => undefined)
      .then(() => {
        this.queued = null;
        return this.refresh();
      });
    return this.queued;
  }

  private async scan(): Promise<void> {
    const places = await this.places();
    const known = new Map([...this.held.values()].map((held) => [held.name, held]));
    for (const place of places) {
      const held = known.get(place.name);
      known.delete(place.name);
      if (held) await held.rescan();
      else await this.add(place);
    }
    for (const gone of known.values()) this.held.delete(gone.id);
  }

  private async add(place: Place): Promise<void> {
    const { birthtime, mtime } = await stat(place.folder);
    const knowledgeBase = await KnowledgeBase.open({
      ...place,
      // Some file systems do not know when a folder was made, and say 1970.
      createdAt: birthtime.getTime() > 0 ? birthtime : mtime,
      contentBytes: this.options.contentBytes,
      warn: (warning) => this.warn(warning)
    });
    this.held.set(knowledgeBase.id, knowledgeBase);
  }

  /** Each direct subfolder with Markdown in it, or with nothing in it yet; the folder itself where there is none. */
  private async places(): Promise<Place[]> {
    const { folder } = this.options;
    const whole = { name: basename(folder) || "knowledge", label: "", folder };
    if (this.single) return [whole];
    const places: Place[] = [];
    const loose: string[] = [];
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
      if (isIgnored(entry.name)) continue;
      const inner = join(folder, entry.name);
      const target = await realpath(inner).catch(() => null);
      const found = target === null ? null : await stat(target).catch(() => null);
      if (found?.isFile() && /\.md$/i.test(entry.name)) loose.push(entry.name);
      if (target === null || !found?.isDirectory()) continue;
      if (!target.startsWith(folder + sep)) {
        this.warn({ file: entry.name, reason: "it is a link out of the folder that is served" });
      } else if (await this.holdsKnowledge(inner)) {
        places.push({ name: entry.name.normalize("NFC"), label: entry.name, folder: inner });
      }
    }
    this.single ??= places.length === 0;
    if (this.single) return [whole];
    for (const file of loose) {
      this.warn({ file, reason: "it lies beside the knowledge bases, and not in one: move it into a subfolder" });
    }
    return places;
  }

  private async holdsKnowledge(folder: string): Promise<boolean> {
    if ([...this.held.values()].some((held) => held.folder === folder)) return true;
    const scan = await scanFolder(folder).catch(() => null);
    if (scan === null || scan.files.length > 0) return scan !== null;
    return (await readdir(folder)).length === 0;
  }

  /** Once for each file and reason. */
  private warn(warning: Warning): void {
    const key = `${warning.file}\0${warning.reason}`;
    if (this.warned.has(key) || this.warned.size >= REMEMBERED_WARNINGS) return;
    this.warned.add(key);
    this.options.onWarning(warning);
  }
}
