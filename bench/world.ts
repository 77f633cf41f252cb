/** The knowledge base that every server of the benchmark reads: groups of fifty pages that have nothing in common. */
import { createHash } from "node:crypto";

export const KNOWLEDGE_BASE = "knowledge-base-0b0e5c1a-7a53-4a57-9d0b-3f1f0f6d2c11";
export const SLUG = "bench";
export const UPSTREAM_KEY = "upstream-key-of-the-benchmark";
export const TENANT_KEY = "tenant-key-of-the-benchmark-0123456789";
export const REVISION = 41;

/** As many as there are questions of one kind; a server that forgets in between reads each of them cold. */
export const GROUPS = 64;
const HITS = 10;
const TARGETS = 12;
const RELATED = 5;
const PAGES = 50;
const LARGE = 20 * 1024;

export interface Page {
  readonly id: string;
  readonly path: string;
  readonly title: string;
  readonly content: string;
}

export interface Group {
  readonly directory: string;
  /** The search that finds `hits`, and nothing else. */
  readonly query: string;
  readonly pages: readonly Page[];
  readonly hits: readonly Page[];
  /** The five pages that a hit is related to: twelve distinct ones for all ten hits together. */
  relatedTo(hit: Page): readonly Page[];
  /** A page of 20 KB. */
  readonly large: Page;
}

export const groups: readonly Group[] = Array.from({ length: GROUPS }, (_, number) => group(number));

function group(number: number): Group {
  const name = String(number).padStart(2, "0");
  const directory = `pages/area-${name}`;
  const pages = Array.from({ length: PAGES }, (_, index) => page(directory, name, index));
  const hits = pages.slice(0, HITS);
  const targets = pages.slice(HITS, HITS + TARGETS);
  return {
    directory,
    query: `how is subject ${name} handled`,
    pages,
    hits,
    relatedTo: (hit) =>
      Array.from({ length: RELATED }, (_, step) => targets[(hits.indexOf(hit) * RELATED + step) % TARGETS] as Page),
    large: pages[PAGES - 1] as Page
  };
}

function page(directory: string, name: string, index: number): Page {
  const path = `${directory}/page-${String(index).padStart(2, "0")}.md`;
  const title = `Subject ${name}, part ${index}`;
  const size = index === PAGES - 1 ? LARGE : 600;
  return { id: `source-file-${uuid(path)}`, path, title, content: markdown(title, size) };
}

/** Text with the line ends, quotes and characters beyond ASCII that Markdown has, cut at a size in bytes. */
function markdown(title: string, bytes: number): string {
  const paragraph = `## Why "${title}" matters\n\nA paragraph – with *emphasis*, a [link](/pages/area-00/page-01.md) and a list:\n\n- one\n- two\n\n`;
  const text = `# ${title}\n\n${paragraph.repeat(Math.ceil(bytes / paragraph.length))}`;
  return Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\uFFFD+$/, "");
}

function uuid(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
