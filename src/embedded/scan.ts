/** Which Markdown files a knowledge base's folder holds now. Reads names and sizes, never content. */
import { readdir, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { byPath, wellFormed } from "./paths.ts";

export interface FoundFile {
  /** The path it is served under: `pages/…`, in NFC, with slashes. */
  readonly path: string;
  /** Where it lies, links resolved. */
  readonly absolute: string;
  /** In bytes. */
  readonly size: number;
  /** When content, name or permissions last changed; unlike the time of modification, no tool sets it back. */
  readonly changedMs: number;
  readonly inode: number;
}

/** A file that is not served, and why. `file` is relative to the folder that is served. */
export interface Warning {
  readonly file: string;
  readonly reason: string;
}

export interface Scan {
  readonly files: readonly FoundFile[];
  readonly warnings: readonly Warning[];
}

/** Bounds on one knowledge base, so that a folder like `/` cannot take the process down. */
const MAX_FILES = 20_000;
const MAX_DEPTH = 32;
const MARKDOWN = /\.md$/i;

/** Whether a file or folder is never looked into: version control, editors' settings, dependencies. */
export function isIgnored(name: string): boolean {
  return name.startsWith(".") || name === "node_modules";
}

/**
 * Walks a folder. What cannot be served is left out with a warning and never stops the rest.
 * @param folder the knowledge base's folder
 * @param label what warnings call it: its name below the folder that is served, or `""`
 */
export async function scanFolder(folder: string, label = ""): Promise<Scan> {
  const walk = new Walk(await realpath(folder), label);
  await walk.directory(folder, [], []);
  return { files: walk.files.sort(byPath), warnings: walk.warnings };
}

class Walk {
  readonly files: FoundFile[] = [];
  readonly warnings: Warning[] = [];
  private readonly taken = new Set<string>();
  private readonly root: string;
  private readonly label: string;

  constructor(root: string, label: string) {
    this.root = root;
    this.label = label;
  }

  /** @param chain the real paths of the directories above, so that a link back up ends the walk */
  async directory(absolute: string, names: readonly string[], chain: readonly string[]): Promise<void> {
    const real = await this.attempt(names, () => realpath(absolute));
    if (real === null || chain.includes(real)) return;
    if (names.length > MAX_DEPTH) return this.skip(names, `it is nested deeper than ${MAX_DEPTH} folders`);
    const entries = await this.attempt(names, () => readdir(absolute, { withFileTypes: true }));
    for (const entry of entries ?? []) {
      if (isIgnored(entry.name)) continue;
      const inner = [...names, entry.name];
      const path = join(absolute, entry.name);
      if (entry.isDirectory()) await this.directory(path, inner, [...chain, real]);
      else if (entry.isSymbolicLink()) await this.link(path, inner, [...chain, real]);
      else if (MARKDOWN.test(entry.name)) await this.file(path, inner);
    }
  }

  private async link(absolute: string, names: readonly string[], chain: readonly string[]): Promise<void> {
    const target = await realpath(absolute).catch(() => null);
    const kind = target === null ? null : await stat(target).catch(() => null);
    const markdown = MARKDOWN.test(names.at(-1) ?? "");
    if (target === null || kind === null) {
      if (markdown) this.skip(names, "it is a link that leads nowhere");
    } else if (target !== this.root && !target.startsWith(this.root + sep)) {
      if (markdown || kind.isDirectory()) this.skip(names, "it is a link out of the knowledge base's folder");
    } else if (kind.isDirectory()) await this.directory(absolute, names, chain);
    else if (markdown) await this.file(target, names);
  }

  private async file(absolute: string, names: readonly string[]): Promise<void> {
    const path = ["pages", ...names].join("/").normalize("NFC");
    if (path.includes("\u{FFFD}")) return this.skip(names, "its name is not UTF-8");
    const found = await this.attempt(names, () => stat(absolute));
    if (found === null) return;
    if (!found.isFile()) return this.skip(names, "it is not a regular file");
    if (!wellFormed(path)) return this.skip(names, "its path is too long or holds characters that paths may not have");
    if (this.taken.has(path)) return this.skip(names, "another file has the same path in Unicode's composed form");
    if (this.files.length >= MAX_FILES) return this.skip([], `only its first ${MAX_FILES} files are served`);
    this.taken.add(path);
    this.files.push({ path, absolute, size: found.size, changedMs: found.ctimeMs, inode: found.ino });
  }

  /** What vanished while the folder was walked is no news; anything else that fails is a warning. */
  private async attempt<T>(names: readonly string[], step: () => Promise<T>): Promise<T | null> {
    try {
      return await step();
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : null;
      if (code !== "ENOENT") this.skip(names, `it cannot be read (${String(code)})`);
      return null;
    }
  }

  private skip(names: readonly string[], reason: string): void {
    const file = [this.label, ...names].filter((name) => name !== "").join("/") || ".";
    if (!this.warnings.some((warning) => warning.file === file && warning.reason === reason)) {
      this.warnings.push({ file, reason });
    }
  }
}
