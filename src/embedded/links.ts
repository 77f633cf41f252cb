/** What a page's Markdown points to, and where that is. */
import MarkdownIt, { type Token } from "markdown-it";

export interface Outline {
  /** The text of the first heading of level one; null where there is none. */
  readonly heading: string | null;
  /** Targets of links, each once. Images are not links. */
  readonly targets: readonly string[];
}

/** CommonMark, with HTML left alone. Nesting is bounded by the parser, so that no text takes it long. */
const parser = new MarkdownIt("commonmark");

export function outlineOf(markdown: string): Outline {
  let heading: string | null = null;
  const targets = new Set<string>();
  let level: string | null = null;
  for (const { type, tag, children } of parser.parse(markdown, {})) {
    if (type === "heading_open") level = tag;
    if (type === "heading_close") level = null;
    if (type !== "inline" || children === null) continue;
    if (level === "h1" && heading === null) heading = plainText(children) || null;
    for (const child of children) {
      const target = child.type === "link_open" ? child.attrGet("href") : null;
      if (target) targets.add(String(target));
    }
  }
  return { heading, targets: [...targets] };
}

function plainText(tokens: readonly Token[]): string {
  const parts = tokens.map(({ type, content }) => {
    if (type === "softbreak" || type === "hardbreak") return " ";
    return type === "text" || type === "code_inline" || type === "text_special" ? content : "";
  });
  return parts.join("").replace(/\s+/g, " ").trim();
}

const ELSEWHERE = /^(?:[a-z][a-z\d+.-]*:|\/\/|#|\?|$)/i;

/**
 * The page that a link leads to.
 * @param from the linking page's path, `pages/…`
 * @param target as written: relative to the page, or to the knowledge base's root where it begins with a slash; the
 *   `.md` may be left out, and a directory means its `index.md` or `README.md`
 * @param exists whether a page has this path
 */
export function resolveLink(from: string, target: string, exists: (path: string) => boolean): string | null {
  if (ELSEWHERE.test(target)) return null;
  const written = decode(target.replace(/[?#].*$/s, "")).normalize("NFC");
  const base = written.startsWith("/") ? ["pages"] : from.split("/").slice(0, -1);
  const path = walk(base, written);
  if (path === null) return null;
  const candidates = [path, `${path}.md`, `${path}/index.md`, `${path}/README.md`];
  return candidates.find(exists) ?? null;
}

function walk(base: readonly string[], relative: string): string | null {
  const segments = [...base];
  for (const segment of relative.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment !== "..") segments.push(segment);
    // The root, `pages`, cannot be left.
    else if (segments.length > 1) segments.pop();
    else return null;
  }
  return segments.join("/");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
