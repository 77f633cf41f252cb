/**
 * The request target, judged before anything reads it as a path.
 *
 * WHATWG URL parsing folds `..`, `%2e%2e` and `\` away, so what a router sees could be another route than the one that
 * was asked for. What could be folded is refused instead. Source: docs/invariants.md 9, RFC 9112 section 3.2.1.
 */
import { GatewayError } from "../errors.ts";

export interface Target {
  /** Percent-encoded, as it came. */
  readonly pathname: string;
  /** With its `?`, or empty. */
  readonly search: string;
}

const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;
// What decodes to a separator or a control character.
const HIDDEN_SYNTAX = /%(?:2f|5c|[01][0-9a-f]|7f)/i;
const NOT_VISIBLE_ASCII = /[^\x21-\x7e]/;

/**
 * Splits and checks a target in origin form. Bytes that were sent without percent-encoding are read as UTF-8.
 * @param raw the target as Node.js hands it over: one character a byte
 * @throws GatewayError INVALID_PATH
 */
export function parseTarget(raw: string): Target {
  const target = NOT_VISIBLE_ASCII.test(raw) ? encodeBytes(raw) : raw;
  const mark = target.indexOf("?");
  const pathname = mark === -1 ? target : target.slice(0, mark);
  if (!pathname.startsWith("/") || target.includes("#") || pathname.includes("\\") || HIDDEN_SYNTAX.test(pathname)) {
    throw new GatewayError("INVALID_PATH");
  }
  const segments = pathname.slice(1).split("/");
  const last = segments.length - 1;
  for (const [index, segment] of segments.entries()) {
    if (DOT_SEGMENT.test(segment) || (segment === "" && index < last)) throw new GatewayError("INVALID_PATH");
  }
  if (pathname.includes("%")) decodable(pathname);
  return { pathname, search: mark === -1 ? "" : target.slice(mark) };
}

function decodable(pathname: string): void {
  try {
    decodeURIComponent(pathname);
  } catch (cause) {
    throw new GatewayError("INVALID_PATH", { cause });
  }
}

/** Percent-encodes what a client sent raw, so that `?query=` with plain UTF-8 means what its author typed. */
function encodeBytes(raw: string): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(raw, "latin1"));
    if (hasControlOrSpace(text)) throw new GatewayError("INVALID_PATH");
    return text.replace(/[^\x21-\x7e]+/g, encodeURIComponent);
  } catch (cause) {
    throw new GatewayError("INVALID_PATH", { cause });
  }
}

function hasControlOrSpace(text: string): boolean {
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    if (code <= 0x20 || (code >= 0x7f && code <= 0x9f)) return true;
  }
  return false;
}
