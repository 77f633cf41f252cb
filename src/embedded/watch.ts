/** Calls back after something below a folder changed. */
import { type FSWatcher, watch } from "node:fs";
import { sep } from "node:path";
import { isIgnored } from "./scan.ts";

export interface WatchOptions {
  readonly folder: string;
  /** How long the folder must be quiet before the callback, in milliseconds. */
  readonly debounceMs: number;
  /** Must not throw; the next call waits for it. */
  readonly onChange: () => Promise<void>;
}

/** However busy the folder is, the callback is not put off longer than this many quiet times. */
const PATIENCE = 10;
/** Without events, and for those the operating system loses, a look is taken this often, in milliseconds. */
const LOOK_EVERY = 5_000;
/** A look takes at most this part of the time. */
const LOOK_SHARE = 0.05;

export class FolderWatch {
  private readonly options: WatchOptions;
  private watcher: FSWatcher | null = null;
  private quiet: NodeJS.Timeout | undefined;
  private look: NodeJS.Timeout | undefined;
  private firstEventAt: number | null = null;
  private closed = false;

  constructor(options: WatchOptions) {
    this.options = options;
    this.listen();
    this.lookLater(LOOK_EVERY);
  }

  close(): void {
    this.closed = true;
    this.watcher?.close();
    clearTimeout(this.quiet);
    clearTimeout(this.look);
  }

  private listen(): void {
    const { folder } = this.options;
    try {
      this.watcher = watch(folder, { recursive: true, persistent: false }, (_event, name) => {
        if (name === null || !name.split(sep).some(isIgnored)) this.touched();
      });
      this.watcher.on("error", () => this.deaf());
    } catch {
      this.watcher = null;
    }
  }

  /** The system may refuse to watch more folders, or the folder may go: the regular look stays, and tries again. */
  private deaf(): void {
    this.watcher?.close();
    this.watcher = null;
  }

  private touched(): void {
    if (this.closed) return;
    const { debounceMs } = this.options;
    this.firstEventAt ??= Date.now();
    const left = this.firstEventAt + debounceMs * PATIENCE - Date.now();
    clearTimeout(this.quiet);
    this.quiet = setTimeout(() => void this.changed(), Math.max(Math.min(debounceMs, left), 0)).unref();
  }

  private async changed(): Promise<void> {
    this.firstEventAt = null;
    if (!this.closed) await this.options.onChange();
  }

  private lookLater(delay: number): void {
    this.look = setTimeout(async () => {
      const started = performance.now();
      if (this.watcher === null && !this.closed) this.listen();
      await this.changed();
      const took = performance.now() - started;
      if (!this.closed) this.lookLater(Math.max(LOOK_EVERY, took / LOOK_SHARE));
    }, delay).unref();
  }
}
