/** A folder of a test's own, behind an embedded upstream that is asked over HTTP. */
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import {
  type EmbeddedOptions,
  type EmbeddedUpstream,
  startEmbedded,
  type Warning
} from "../../src/embedded/embedded.ts";

export type Json = ReturnType<typeof JSON.parse>;

export type Files = Readonly<Record<string, string | Uint8Array>>;

export class Folder implements AsyncDisposable {
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async make(files: Files): Promise<Folder> {
    const folder = new Folder(await mkdtemp(join(tmpdir(), "embedded-")));
    await folder.write(files);
    return folder;
  }

  async write(files: Files): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(this.at(name)), { recursive: true });
      await writeFile(this.at(name), content);
    }
  }

  async remove(name: string): Promise<void> {
    await rm(this.at(name), { recursive: true });
  }

  async move(from: string, to: string): Promise<void> {
    await mkdir(dirname(this.at(to)), { recursive: true });
    await rename(this.at(from), this.at(to));
  }

  at(name: string): string {
    return join(this.path, name);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}

export interface Reply {
  readonly status: number;
  readonly body: Json;
  readonly headers: Headers;
}

export class Served implements AsyncDisposable {
  readonly folder: Folder;
  readonly upstream: EmbeddedUpstream;
  readonly warnings: Warning[];

  private constructor(folder: Folder, upstream: EmbeddedUpstream, warnings: Warning[]) {
    this.folder = folder;
    this.upstream = upstream;
    this.warnings = warnings;
  }

  /** Not watched unless the options say so: `refresh()` is when changes are seen. */
  static async start(files: Files, options: Partial<EmbeddedOptions> = {}): Promise<Served> {
    const folder = await Folder.make(files);
    const warnings: Warning[] = [];
    const onWarning = (warning: Warning) => warnings.push(warning);
    const upstream = await startEmbedded({ watch: false, onWarning, ...options, folder: folder.path });
    return new Served(folder, upstream, warnings);
  }

  /** @param path from the root, or `KB/…` below the first knowledge base, or `KB:slug/…` below the one of that slug */
  async get(path: string, init: RequestInit = {}): Promise<Reply> {
    const target = path.replace(
      /^KB(?::([^/?]+))?/,
      (_, slug?: string) => `/openapi/v2/knowledge-bases/${this.id(slug)}`
    );
    const headers = { authorization: `Bearer ${this.upstream.apiKey}`, ...(init.headers as Record<string, string>) };
    const response = await fetch(this.upstream.url + target, { ...init, headers });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? null : JSON.parse(text) };
  }

  async text(path: string): Promise<string> {
    return (await this.get(`KB/files/content?path=${encodeURIComponent(path)}`)).body.content;
  }

  async file(path: string): Promise<Json> {
    return (await this.get(`KB/files/content?path=${encodeURIComponent(path)}`)).body.file;
  }

  async search(query: string, more = ""): Promise<Json> {
    return (await this.get(`KB/files/search?query=${encodeURIComponent(query)}${more}`)).body;
  }

  async revision(): Promise<number> {
    return (await this.get("KB")).body.knowledgeBase.activeContentRevision;
  }

  id(slug?: string): string {
    const held = this.upstream.knowledgeBases;
    return (slug === undefined ? held[0] : held.find((one) => one.slug === slug))?.id ?? "none";
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.upstream.close();
    await this.folder[Symbol.asyncDispose]();
  }
}

/** Pages that only differ in their names: `n` of them in a directory. */
export function manyPages(directory: string, count: number, body = (index: number) => `# Page ${index}\n`): Files {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${directory}/page-${String(index).padStart(3, "0")}.md`, body(index)])
  );
}
