/** YAML to plain values, with the line of every key. */
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument
} from "yaml";
import { error, type Finding, formatPath, type KeyPath, type Problem } from "./problems.ts";

/** Where a key stands; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface ConfigDocument {
  readonly value: unknown;
  /** The key at a path, or the nearest one above it that is in the file. */
  locate(path: KeyPath): Position;
  /** A finding with its line. */
  place(finding: Finding): Problem;
  /** Syntax errors, after which `value` is undefined, and duplicate keys. */
  readonly problems: readonly Problem[];
}

/** Aliases may repeat what is anchored; a document that grows by them without bound is refused. */
const MAX_ALIASES = 100;

/** Of a file that is no YAML the first lines that are wrong tell most. */
const MAX_SYNTAX_PROBLEMS = 5;

/**
 * @param text YAML 1.2, but for references such as `${env:NAME}`, which need no quotes even where braces mean a map
 */
export function parseConfigDocument(text: string): ConfigDocument {
  const lines = new LineCounter();
  // Duplicate keys are found below, so that they do not hide what else is wrong.
  const document = parseDocument(hideReferences(text), {
    lineCounter: lines,
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "error"
  });
  const at = (offset: number | undefined): Position => {
    const { line, col } = lines.linePos(offset ?? 0);
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const locate = (path: KeyPath): Position => at(offsetOf(document, path));
  const place = ({ path, message, severity }: Finding): Problem => ({
    path: formatPath(path),
    ...locate(path),
    message,
    severity
  });
  const syntax = [...document.errors, ...document.warnings]
    .map(
      ({ message, pos }): Problem => ({ path: "", ...at(pos[0]), message: showReferences(message), severity: "error" })
    )
    .filter(({ line }, index, all) => all.findIndex((other) => other.line === line) === index);
  if (syntax.length > 0) {
    return { value: undefined, locate, place, problems: syntax.slice(0, MAX_SYNTAX_PROBLEMS) };
  }
  const duplicates = duplicateKeys(document.contents, []).map(({ offset, ...finding }) => ({
    ...place(finding),
    ...at(offset)
  }));
  try {
    const value = document.toJS({ maxAliasCount: MAX_ALIASES, reviver: revive });
    return { value, locate, place, problems: duplicates };
  } catch {
    const tooMany = place(error([], `aliases repeat too much; at most ${MAX_ALIASES} are followed`));
    return { value: undefined, locate, place, problems: [...duplicates, tooMany] };
  }
}

/** Characters that nobody writes, as many as what they stand for, so that columns stay. */
const [OPEN, CLOSE] = ["\uE000\uE000", "\uE001"];

function hideReferences(text: string): string {
  return text.replace(/\$\{([^{}\n]*)\}/g, `${OPEN}$1${CLOSE}`);
}

function showReferences(text: string): string {
  return text.replaceAll(OPEN, "${").replaceAll(CLOSE, "}");
}

function revive(_key: unknown, value: unknown): unknown {
  return typeof value === "string" ? showReferences(value) : value;
}

function offsetOf(document: Document, path: KeyPath): number | undefined {
  let node: unknown = document.contents;
  let offset: number | undefined = isNode(node) ? node.range?.[0] : undefined;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    // Of a key that is there twice the last counts, here as in the value.
    const pair = isMap(node) ? node.items.findLast((item) => keyOf(item) === String(part)) : undefined;
    const next: unknown = pair !== undefined ? pair.value : isSeq(node) ? node.items[Number(part)] : undefined;
    const shown: unknown = pair !== undefined ? pair.key : next;
    if (!isNode(shown)) return offset;
    offset = shown.range?.[0];
    node = next;
  }
  return offset;
}

function duplicateKeys(node: Node | unknown, path: KeyPath): (Finding & { offset: number | undefined })[] {
  if (isSeq(node)) return node.items.flatMap((item, index) => duplicateKeys(item, [...path, index]));
  if (!isMap(node)) return [];
  const seen = new Set<string>();
  return node.items.flatMap((pair) => {
    const key = keyOf(pair);
    const below = duplicateKeys(pair.value, [...path, key]);
    if (!seen.has(key)) {
      seen.add(key);
      return below;
    }
    const offset = isNode(pair.key) ? pair.key.range?.[0] : undefined;
    return [{ ...error([...path, key], "the key is there twice"), offset }, ...below];
  });
}

function keyOf(pair: Pair): string {
  return String(isScalar(pair.key) ? pair.key.value : pair.key);
}
