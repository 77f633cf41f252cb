/** The URIs of knowledge files: `focowiki://{kb}/{path}`, each segment percent-encoded. Source: RFC 3986. */
import { invalid } from "../../errors.ts";

const URI = /^focowiki:\/\/(?<key>[^/?#]+)\/(?<path>[^?#]+)(?:\?offset=(?<offset>\d{1,15}))?$/;

export interface ResourceAddress {
  /** A knowledge base's key: slug or upstream id. */
  readonly key: string;
  readonly path: string;
  /** Characters to skip, in a URI that continues a long file. */
  readonly offset?: number;
}

export function resourceUri({ key, path, offset }: ResourceAddress): string {
  const encoded = path.split("/").map(encodeURIComponent).join("/");
  return `focowiki://${encodeURIComponent(key)}/${encoded}${offset === undefined ? "" : `?offset=${offset}`}`;
}

/**
 * Read as it is written: no `..` is folded. A path whose slashes are encoded too, as RFC 6570 expands the template, is
 * the same path.
 * @throws VALIDATION_ERROR naming `uri`
 */
export function parseResourceUri(uri: string): ResourceAddress {
  const { key, path, offset } = URI.exec(uri)?.groups ?? {};
  if (key === undefined || path === undefined) throw malformed();
  try {
    const address = { key: decodeURIComponent(key), path: decodeURIComponent(path) };
    return offset === undefined ? address : { ...address, offset: Number(offset) };
  } catch {
    throw malformed();
  }
}

/** What upstreams serve is Markdown, but for the machine's half of indexes and graphs. */
export function mediaTypeOf(path: string): string {
  return path.endsWith(".json") ? "application/json" : "text/markdown";
}

function malformed(): Error {
  return invalid("uri", "uri must be like focowiki://handbook/pages/guide.md, percent-encoded; see resources/list.");
}
