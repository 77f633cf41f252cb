/**
 * The files that the upstream makes itself, recognised by their paths, and the pages that they tell of.
 *
 * Uploaded files live under `pages/`. Beside them stand `index.md`, `log.md`, `_index/**` and `_graph/**`, and in every
 * directory below `pages/` an `index.md` with its leaves. Source: docs/invariants.md 2.
 */

/** Navigation: `index.md` and the leaves that long listings are split into. */
const NAVIGATION = /^index(-(directory|extension)-leaf-[^/]*)?\.md$/;

/**
 * Whether a path is one of the upstream's own files. A path says enough where an answer does not: an uploaded file has
 * none of these names.
 */
export function isGeneratedPath(path: string): boolean {
  return !path.startsWith("pages/") || NAVIGATION.test(path.slice(path.lastIndexOf("/") + 1));
}

/** Where the upstream lists the relations of a page: `pages/a/b.md` in `_graph/by-file/a/b.json`. */
export function graphPathOf(page: string): string {
  return `_graph/by-file/${page.replace(/^pages\//, "").replace(/\.md$/i, "")}.json`;
}

/** The page whose relations a graph file lists, the inverse of {@link graphPathOf}; null for any other path. */
export function graphRefPage(path: string): string | null {
  const match = /^_graph\/by-file\/(.+)\.json$/s.exec(path);
  return match === null ? null : `pages/${match[1]}.md`;
}

/** What a generated file is made from. */
export type Origin =
  /** Texts that are the same for every knowledge base, and counts. */
  | { readonly kind: "none" }
  | { readonly kind: "page"; readonly path: string }
  /** All pages of a directory below `pages`, or of `pages` itself. */
  | { readonly kind: "directory"; readonly path: string }
  /** All pages, whatever directory the file itself is in. */
  | { readonly kind: "everything" };

const EVERYTHING: Origin = { kind: "everything" };

/** @param path a generated file's; what is not known is taken to be made from every page */
export function originOf(path: string): Origin {
  const page = graphRefPage(path);
  if (page !== null && !isGeneratedPath(page)) return { kind: "page", path: page };
  const slash = path.lastIndexOf("/");
  const directory = path.slice(0, Math.max(slash, 0));
  const name = path.slice(slash + 1);
  const entry = NAVIGATION.test(name) || name === "catalog.json";
  if (entry && (directory === "" || isEntrance(directory))) return { kind: "none" };
  return originOfDirectory(directory);
}

/** The two directories whose own files name no page, only what kinds of index there are. */
export function isEntrance(directory: string): boolean {
  return directory === "_index" || directory === "_graph";
}

/** What the files of a directory are made from; those of its own directories from parts of that. */
export function originOfDirectory(directory: string): Origin {
  const match = /^(?:_graph\/by-file|_graph\/by-directory|_index\/pages|pages)(\/.+)?$/s.exec(directory);
  return match === null ? EVERYTHING : { kind: "directory", path: `pages${match[1] ?? ""}` };
}

/** What the mere name of a path tells of. */
export interface Subject {
  /** `none`: what stands in every knowledge base. `unknown`: no path that upstreams are known to make. */
  readonly kind: "page" | "directory" | "none" | "unknown";
  readonly path: string;
}

/** Files about one directory, named after their kind or after the directory itself. */
const ABOUT_DIRECTORY = /(?:^|\/)(?:(?:index|catalog)\.json|([^/]+)\/\1-(?:documents|relationships)\.json)$/;
const TERMS = /^_index\/terms(?:\/([a-z]+)(?:\/index\.json|\/\1-terms-part-\d+\.json)?)?$/;

/** @param path of a file or a directory, uploaded or generated */
export function subjectOf(path: string): Subject {
  const page = path.startsWith("pages/") && path.endsWith(".md") ? path : graphRefPage(path);
  if (page !== null && !isGeneratedPath(page)) return { kind: "page", path: page };
  const slash = path.lastIndexOf("/");
  const isFile = NAVIGATION.test(path.slice(slash + 1)) || ABOUT_DIRECTORY.test(path);
  const directory = isFile ? path.slice(0, Math.max(slash, 0)) : path;
  if (path === "log.md" || TERMS.test(directory) || TERMS.test(path)) return { kind: "none", path };
  if (directory === "" || isEntrance(directory)) return { kind: "none", path };
  if (!isFile && /\.(?:md|json)$/i.test(path)) return { kind: "unknown", path };
  const origin = originOfDirectory(directory);
  if (origin.kind !== "directory") return { kind: "unknown", path };
  return { kind: origin.path === "pages" ? "none" : "directory", path: origin.path };
}
