/** Which paths a file may have, and how a request for one that does not exist is refused. */

/** Longer paths are refused before anything is looked up. In UTF-16 units. */
const PATH_LENGTH = 1024;

const SHAPES = [
  /^(?:index|log)\.md$/,
  /^pages\/.+\.[mM][dD]$/s,
  /^(?:_index|_graph)\/(?:.+\/)?index(?:-extension-leaf-[^/]+)?\.md$/s,
  /^(?:_index|_graph)\/catalog\.json$/,
  /^(?:_index\/(?:pages|terms)|_graph\/by-directory)\/(?:.+\/)?index\.json$/s,
  /^_index\/pages\/(?:.+\/)?([^/]+)\/\1-documents\.json$/s,
  /^_index\/terms\/([a-z]+)\/\1-terms-part-\d{4}\.json$/,
  /^_graph\/by-directory\/(?:.+\/)?([^/]+)\/\1-relationships\.json$/s,
  /^_graph\/by-file\/(?!(?:.+\/)?index\.json$).+\.json$/s
];

const DIRECTORIES = /^(?:pages|_index|_index\/(?:pages|terms)|_graph|_graph\/by-(?:file|directory))$/;
const BELOW = /^(?:pages|_index\/pages|_graph\/by-(?:file|directory))\//;
const TERMS = /^_index\/terms\/(?:han|latin|number|other)$/;
const FILE = /\.(?:md|json)$/i;

/** Whether segments and characters are those of a path: no dots, no backslash, no control characters, in NFC. */
export function wellFormed(path: string): boolean {
  if (path === "" || path.length > PATH_LENGTH || path !== path.normalize("NFC")) return false;
  if (/[\p{Cc}\\]/u.test(path)) return false;
  return path.split("/").every((segment) => segment !== "" && !/^(?:\.|%2e){1,2}$/i.test(segment));
}

/** Whether a file may have this path at all; one that may and does not exist is absent, any other is refused. */
export function mayBeFile(path: string): boolean {
  return wellFormed(path) && SHAPES.some((shape) => shape.test(path));
}

/** Whether a directory may have this path at all. */
export function mayBeDirectory(path: string): boolean {
  if (!wellFormed(path)) return false;
  return DIRECTORIES.test(path) || TERMS.test(path) || (BELOW.test(path) && !FILE.test(path));
}

export function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Order of rows everywhere: by code unit, as the upstream's collation has it. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}

/**
 * Where the relations of a page are told: `pages/a/b.md` in `_graph/by-file/a/b.json`. `policy/generated.ts` knows the same
 * of any upstream; this room is one, and may share no more with the gateway than the wire.
 */
export function graphPathOf(pagePath: string): string {
  return `_graph/by-file/${pagePath.slice("pages/".length).replace(/\.md$/i, "")}.json`;
}
