/** What a page's Markdown points to, and where that is. */
import type { Nodes } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { visit } from "unist-util-visit";

export interface Outline {
  /** The text of the first heading of level one; null where there is none. */
  readonly heading: string | null;
  /** Targets of links, as written, each once. Images are not links. */
  readonly targets: readonly string[];
}

/** Parsing is not free: what stands after this many characters of a page is not looked at for links. */
const PARSED_CHARACTERS = 1_048_576;

/** @returns null where the text is nested too deep to be parsed */
export function outlineOf(markdown: string): Outline | null {
  try {
    return outline(fromMarkdown(markdown.slice(0, PARSED_CHARACTERS)));
  } catch {
    return null;
  }
}

function outline(tree: Nodes): Outline {
  let heading: string | null = null;
  const targets = new Set<string>();
  const definitions = new Map<string, string>();
  const references = new Set<string>();
  visit(tree, (node) => {
    if (node.type === "heading" && node.depth === 1 && heading === null) heading = plainText(node) || null;
    if (node.type === "link") targets.add(node.url);
    if (node.type === "definition") definitions.set(node.identifier, node.url);
    if (node.type === "linkReference") references.add(node.identifier);
  });
  for (const identifier of references) {
    const url = definitions.get(identifier);
    if (url !== undefined) targets.add(url);
  }
  return { heading, targets: [...targets] };
}

function plainText(tree: Nodes): string {
  let text = "";
  visit(tree, (node) => {
    if (node.type === "text" || node.type === "inlineCode") text += node.value;
  });
  return text.replace(/\s+/g, " ").trim();
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
