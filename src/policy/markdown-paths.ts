/**
 * The paths that a generated Markdown file names, read by a parser and by nothing else. What the parser leaves in doubt
 * makes the whole text unknown, which closes the file. Source: docs/invariants.md 2.
 */
import { posix } from "node:path";
import MarkdownIt, { type Token } from "markdown-it";
import { isCanonicalPath } from "./paths.ts";

/** CommonMark with raw HTML, which is then refused. Targets are kept as written, whatever they lead to. */
const parser = new MarkdownIt("commonmark");
parser.validateLink = () => true;
parser.normalizeLink = (target) => target;

/** The parser skips what is nested deeper than twice this; generated lists are flat. */
const DEEPEST = 10;
/** Another host, another scheme, this file, a query, or a separator that only some readers take for one. */
const ELSEWHERE = /^[a-z][a-z\d+.-]*:|^\/\/|[?#\\]/i;
/** A link that is none, as where its text holds half of a pair of brackets: its target stays legible. */
const BROKEN_LINK = /\]\s*[(:]/;
const PATH_IN_PROSE = /(?:pages|_index|_graph)\//;
const FILE = /^(?:pages|_index|_graph)\/.+\.(?:md|json)$/s;

/** What one token says: targets of links and images, and text that a reader sees. */
interface Said {
  readonly targets: string[];
  readonly prose: string[];
}

/**
 * @param file the file's own path, from which relative targets lead
 * @returns paths from the root, in no order; null where any part of the text cannot be understood
 */
export function pathsInMarkdown(file: string, text: string): readonly string[] | null {
  const env: { references?: Readonly<Record<string, { readonly href: string; readonly title: string }>> } = {};
  const blocks: Said[] = [];
  for (const token of parser.parse(text, env)) {
    const said = sayingOf(token);
    if (said === null) return null;
    blocks.push(said);
  }
  // A definition that no link uses is invisible once rendered, and still in the text.
  for (const [label, { href, title }] of Object.entries(env.references ?? {})) {
    blocks.push({ targets: [href], prose: [label, title] });
  }
  const paths: string[] = [];
  for (const { targets, prose } of blocks) {
    const named = targets.map((target) => pathOf(file, target));
    if (!named.every((path) => path !== null)) return null;
    // A log tells each path beside its link.
    const told = named.filter((path) => FILE.test(path));
    const rest = told.reduce((left, path) => left.replaceAll(path, ""), prose.join("\n"));
    if (BROKEN_LINK.test(rest) || PATH_IN_PROSE.test(rest)) return null;
    paths.push(...named);
  }
  return paths;
}

/** Null for raw HTML, and for what is nested so deep that the parser may have skipped what is below. */
function sayingOf(token: Token): Said | null {
  const said: Said = { targets: [], prose: [] };
  const pending = [token];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (next.level >= DEEPEST || next.type === "html_block" || next.type === "html_inline") return null;
    if (next.type !== "inline") said.prose.unshift(next.content, next.info);
    for (const [name, value] of next.attrs ?? []) {
      if (name === "href" || name === "src") said.targets.push(String(value));
      else said.prose.push(String(value));
    }
    pending.push(...(next.children ?? []));
  }
  return said;
}

function pathOf(file: string, target: string): string | null {
  if (ELSEWHERE.test(target)) return null;
  try {
    const written = decodeURIComponent(target).normalize("NFC");
    const path = written.startsWith("/") ? written.slice(1) : posix.join(posix.dirname(file), written);
    return isCanonicalPath(path) ? path : null;
  } catch {
    return null;
  }
}
