/**
 * The text of the files that an upstream makes. Each names what the real one names, in the real one's shapes: that is what
 * makes them side doors.
 */
import { posix } from "node:path";
import { baseName, directoriesOf, type FakePage, type FakeRelation, graphPathOf, parentOf } from "./fake-pages.ts";

export interface Indexed {
  readonly name: string;
  readonly pages: readonly FakePage[];
  readonly relations: readonly FakeRelation[];
}

/** @returns the title and the content of a generated file */
export function generatedText(path: string, indexed: Indexed): { title: string; content: string } {
  const page = indexed.pages.find((candidate) => graphPathOf(candidate.path) === path);
  if (page !== undefined) return graphOfPage(page, indexed);
  if (path === "index.md") return entrance(indexed);
  if (path === "log.md") return log(indexed);
  const directory = parentOf(path);
  if (directory === "_index" || directory === "_graph") return kinds(path);
  if (directory.startsWith("_graph/by-directory")) {
    return graphOfDirectory(directory.replace("_graph/by-directory", "pages"), indexed);
  }
  if (directory.startsWith("_graph/by-file")) return listing(path, indexed.pages.map(graphOf), "Relationships by file");
  if (directory.startsWith("_index/")) return indexOfDirectory(directory.replace("_index/", ""), indexed);
  return navigation(path, indexed);
}

function entrance({ name, pages, relations }: Indexed) {
  const top = new Set(pages.map(({ path }) => path.split("/")[1])).size;
  const links = [
    `- [Browse documents](pages/index.md) - ${top} top-level entries.`,
    `- [Relationship graph](_graph/index.md) - ${relations.length} accepted relationships.`,
    "- [Update history](log.md)",
    "- [Machine-readable indexes](_index/index.md)"
  ];
  return { title: name, content: `# ${name}\n\n## Explore\n\n${links.join("\n")}\n` };
}

function log({ pages }: Indexed) {
  const lines = pages.map(
    (page) => `* **Updated page**: Updated ${page.path}. [${titleOf(page)}](${linkTo(page.path)})`
  );
  return { title: "Directory Update Log", content: `# Directory Update Log\n\n${lines.join("\n")}\n` };
}

/** The files in the two entrances name kinds of index, and no page. */
function kinds(path: string) {
  const title = path.startsWith("_graph") ? "Relationship graph" : "Machine-readable indexes";
  const content = path.endsWith(".json")
    ? JSON.stringify({ formatVersion: 2, title, resources: [{ title: "By file", path: "_graph/by-file/index.md" }] })
    : `# ${title}\n\n[Knowledge base](../index.md) · [Documents](../pages/index.md)\n`;
  return { title, content };
}

function graphOfPage(page: FakePage, { pages, relations }: Indexed) {
  const related = relations.flatMap(({ from, to, relationType = "related", direction = "outgoing", reason = null }) => {
    const targetPath = from === page.path ? to : to === page.path ? from : null;
    const target = pages.find(({ path }) => path === targetPath);
    if (target === undefined) return [];
    const evidence = [page, target].map(({ path, content }) => ({ path, excerpt: content ?? "" }));
    return [{ targetPath, targetTitle: titleOf(target), direction, relationType, weight: 1, reason, evidence }];
  });
  const directory = parentOf(page.path);
  const content = {
    formatVersion: 2,
    title: `${titleOf(page)} relationships`,
    path: page.path,
    indexPath: `_index/${directory}/index.json`,
    directoryGraphPath: `${directory.replace(/^pages/, "_graph/by-directory")}/index.json`,
    relationships: related
  };
  return { title: content.title, content: JSON.stringify(content) };
}

function graphOfDirectory(directory: string, { pages, relations }: Indexed) {
  const titles = new Map(pages.map((page) => [page.path, titleOf(page)]));
  const content = {
    formatVersion: 2,
    title: `${baseName(directory)} relationships`,
    scopePath: directory,
    childDirectories: childrenOf(directory, pages).map((scopePath) => ({ title: baseName(scopePath), scopePath })),
    relationships: relations
      .filter(({ from, to }) => parentOf(from) === directory && titles.has(from) && titles.has(to))
      .map(({ from, to, reason = null }) => ({
        from,
        to,
        fromTitle: titles.get(from),
        toTitle: titles.get(to),
        reason
      }))
  };
  return { title: content.title, content: JSON.stringify(content) };
}

function indexOfDirectory(directory: string, { pages }: Indexed) {
  const content = {
    formatVersion: 2,
    title: baseName(directory),
    scopePath: directory,
    childDirectories: childrenOf(directory, pages).map((path) => ({ path: `_index/${path}/index.json` })),
    documents: pages
      .filter(({ path }) => parentOf(path) === directory)
      .map((page) => ({ path: page.path, title: titleOf(page), description: page.description ?? null }))
  };
  return { title: content.title, content: JSON.stringify(content) };
}

/** The index of a directory below `pages`, or the leaf that holds its entries. */
function navigation(path: string, { pages }: Indexed) {
  const directory = parentOf(path);
  const entries = [
    ...childrenOf(directory, pages).map((child) => `${child}/index.md`),
    ...pages.map((page) => page.path).filter((page) => parentOf(page) === directory)
  ];
  return listing(path, entries, `${baseName(directory)} entries`);
}

function listing(path: string, entries: readonly string[], title: string) {
  const links = entries.map((entry) => `- [${baseName(entry)}](${linkTo(posix.relative(parentOf(path), entry))})`);
  return { title, content: `# ${title}\n\n[Parent directory](../index.md)\n\n${links.join("\n")}\n` };
}

function childrenOf(directory: string, pages: readonly FakePage[]): string[] {
  return directoriesOf(pages.map(({ path }) => path)).filter((path) => parentOf(path) === directory);
}

function graphOf({ path }: FakePage): string {
  return graphPathOf(path);
}

function titleOf({ title, path }: FakePage): string {
  return title ?? baseName(path).replace(/\.md$/, "");
}

/** Parentheses too, as the upstream writes them: a link ends at one. */
function linkTo(path: string): string {
  return path
    .split("/")
    .map((segment) => encodeURIComponent(segment).replaceAll("(", "%28").replaceAll(")", "%29"))
    .join("/");
}
