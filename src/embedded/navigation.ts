/**
 * The files that lead a reader through a knowledge base: the root's index, an index for each directory, the log.
 *
 * The root's index and the graph's name no page, only what a reader may start with: a gateway may show those two where
 * pages are hidden.
 */
import type { GeneratedSource } from "./document.ts";
import type { Page } from "./page.ts";
import { byPath, nameOf, parentOf } from "./paths.ts";

export interface Change {
  readonly path: string;
  readonly title: string;
  readonly kind: "Added" | "Updated" | "Removed";
  /** `YYYY-MM-DD`. */
  readonly date: string;
}

export interface Introduction {
  readonly name: string;
  readonly description: string | null;
}

/** The root's `index.md`. */
export function rootIndex(about: Introduction, pageCount: number, relationCount: number): GeneratedSource {
  const lines = [
    "---",
    'okf_version: "0.2"',
    "---",
    `# ${about.name}`,
    "",
    ...(about.description === null ? [] : [about.description, ""]),
    `- [All pages](pages/index.md): ${pageCount}`,
    `- [How pages relate](_graph/index.md): ${relationCount} relations`,
    "- [What changed](log.md)"
  ];
  return { path: "index.md", title: about.name, fileKind: "index", make: () => text(lines) };
}

/** `log.md`: changes, the latest first, a heading a day. */
export function changeLog(changes: readonly Change[]): GeneratedSource {
  return {
    path: "log.md",
    title: "Change log",
    fileKind: "index",
    treeKind: "log",
    make: () => {
      const lines = ["# Change log"];
      let date = "";
      for (const change of changes) {
        if (change.date !== date) lines.push("", `## ${change.date}`, "");
        date = change.date;
        const page = change.kind === "Removed" ? change.title : `[${change.title}](${link(change.path)})`;
        lines.push(`- ${change.kind}: ${page}`);
      }
      return text(lines);
    }
  };
}

/**
 * `index.md` of `pages` and of every directory below it, where the folder has none of its own.
 * @param taken whether a page has this path
 */
export function directoryIndexes(pages: readonly Page[], taken: (path: string) => boolean): GeneratedSource[] {
  const directories = new Map<string, { pages: Page[]; directories: Set<string> }>([
    ["pages", { pages: [], directories: new Set() }]
  ]);
  const open = (path: string) => {
    const known = directories.get(path);
    if (known) return known;
    const made = { pages: [], directories: new Set<string>() };
    directories.set(path, made);
    open(parentOf(path)).directories.add(path);
    return made;
  };
  for (const page of pages) open(parentOf(page.path)).pages.push(page);
  return [...directories]
    .filter(([path]) => !taken(`${path}/index.md`))
    .map(([path, held]) => directoryIndex(path, [...held.directories].sort(), held.pages.sort(byPath)));
}

function directoryIndex(path: string, directories: readonly string[], pages: readonly Page[]): GeneratedSource {
  const title = path === "pages" ? "Pages" : nameOf(path);
  return {
    path: `${path}/index.md`,
    title,
    fileKind: "index",
    make: () =>
      text([
        `# ${title}`,
        "",
        "[Up](../index.md)",
        "",
        ...directories.map((directory) => `- [${nameOf(directory)}/](${link(nameOf(directory))}/index.md)`),
        ...pages.map((page) => {
          const about = page.description === null ? "" : `: ${page.description}`;
          return `- [${page.title}](${link(nameOf(page.path))})${about}`;
        })
      ])
  };
}

/** A path as a Markdown link's target: parentheses would end it. */
function link(path: string): string {
  return path
    .split("/")
    .map((segment) => encodeURIComponent(segment).replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29")))
    .join("/");
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
