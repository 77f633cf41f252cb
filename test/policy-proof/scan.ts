/** Finds every mark in an answer, with the operations under which it was shown, however deep it is encoded. */
import { decompressSync, inflateSync } from "fflate";
import { OPERATIONS, type Operation } from "./caller.ts";
import { marksIn } from "./marks.ts";

/** A mark or an id as it was found. */
export interface Finding {
  readonly found: string;
  readonly operations: readonly Operation[];
  /** Where, for people. */
  readonly at: string;
}

/** Under these keys stands what another operation than the parent's opened. */
const OPERATIONS_AT: Readonly<Record<string, readonly Operation[]>> = {
  tree: ["list_tree"],
  children: ["list_tree"],
  search: ["search_files"],
  related: ["read_related"],
  expand: ["expand_graph"],
  relationships: ["expand_graph"],
  file: ["get_file", "read_file"],
  node: ["get_file", "read_file"],
  nodes: ["get_file", "read_file"],
  _entities: ["get_file", "read_file"]
};

const LISTING: readonly Operation[] = ["list_tree"];

/** Facts that an answer may have taken from the file's detail. */
const DETAILS = new Set(["title", "description", "tags", "frontmatter"]);

/**
 * @param value parsed JSON, or text
 * @param operations what the request as a whole was
 */
export function scan(value: unknown, operations: readonly Operation[]): Finding[] {
  const findings: Finding[] = [];
  const seen = new Set<string>();
  walk(value, operations, "$");
  return findings;

  function walk(part: unknown, under: readonly Operation[], at: string): void {
    if (typeof part === "string") {
      const once = `${under.join()} ${part}`;
      if (seen.has(once)) return;
      seen.add(once);
      for (const found of new Set(readings(part).flatMap(marksIn))) findings.push({ found, operations: under, at });
    } else if (Array.isArray(part)) {
      for (const [index, member] of part.entries()) walk(member, under, `${at}[${index}]`);
    } else if (typeof part === "object" && part !== null) {
      const opened = "__typename" in part && part.__typename === "Directory" ? LISTING : under;
      for (const [key, member] of Object.entries(part)) {
        walk(key, opened, `${at} key`);
        walk(member, operationsAt(key, member, opened), `${at}.${key}`);
      }
    }
  }
}

function operationsAt(key: string, value: unknown, under: readonly Operation[]): readonly Operation[] {
  // In lists of GraphQL, `node` and `file` are rows, and the list said already what opened them.
  const inList = under.length === 1 && (key === "node" || key === "file");
  if (key === "content" && typeof value === "string") return ["read_file"];
  if (key === "graphPaths") return [...under, "expand_graph"];
  if (DETAILS.has(key)) return [...under, "get_file"];
  return inList ? under : (OPERATIONS_AT[key] ?? under);
}

export const ANY: readonly Operation[] = OPERATIONS;

const BASE64 = /[A-Za-z0-9+/_-]{16,}={0,2}/g;
/** A raw deflate stream, and one with the header of zlib or gzip. */
const UNPACKERS = [inflateSync, decompressSync] as const;

/** A text, and everything that can be read out of it: percent-encoding, base64, compression, one inside the other. */
function readings(text: string, depth = 3): string[] {
  const found = [text];
  if (depth === 0) return found;
  const decoded = percentDecoded(text);
  if (decoded !== text) found.push(...readings(decoded, depth - 1));
  for (const [packed] of text.matchAll(BASE64)) {
    if (/^(?:[a-z]+-)*[0-9a-f-]+$/.test(packed) || packed.includes("-mk")) continue;
    const bytes = Buffer.from(packed, "base64url");
    for (const plain of [bytes, ...unpacked(bytes)]) {
      const inner = plain.toString("utf8");
      if (isReadable(inner)) found.push(...readings(inner, depth - 1));
      else found.push(plain.toString("latin1"));
    }
  }
  return found;
}

function isReadable(text: string): boolean {
  return !text.includes("\ufffd");
}

function unpacked(bytes: Uint8Array): Buffer[] {
  return UNPACKERS.flatMap((unpack) => {
    try {
      return [Buffer.from(unpack(bytes))];
    } catch {
      return [];
    }
  });
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
