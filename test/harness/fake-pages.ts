/** Pages and relations as a test wrote them, and what follows from their paths. */

export interface FakePage {
  /** Below `pages/`, in NFC. */
  readonly path: string;
  readonly title?: string;
  readonly tags?: readonly string[];
  readonly description?: string | null;
  readonly content?: string;
  readonly frontmatter?: Readonly<Record<string, unknown>>;
}

export interface FakeRelation {
  readonly from: string;
  readonly to: string;
  /** `related` where left out. */
  readonly relationType?: string;
  /** As `from` sees it: `outgoing` where left out; `to` sees the opposite. */
  readonly direction?: string;
  readonly reason?: string | null;
  /** Left out, the answer has no such field. */
  readonly weight?: number;
  /** Overrides the `relationshipDepth` that the walk gives. */
  readonly depth?: number;
}

/** The generated file that lists one page's relations. */
export function graphPathOf(pagePath: string): string {
  return `_graph/by-file/${pagePath.slice("pages/".length).replace(/\.md$/, "")}.json`;
}

export function parentOf(path: string): string {
  return path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Every directory above the paths, each once, roots first. */
export function directoriesOf(paths: Iterable<string>): string[] {
  const found = new Set<string>();
  for (const path of paths) {
    for (let parent = parentOf(path); parent !== ""; parent = parentOf(parent)) found.add(parent);
  }
  return [...found].sort();
}
