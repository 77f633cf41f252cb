/** The part of a page's source that shows why it was found, with `<em>` around what matched. */
import { type Token, tokensOf } from "./tokens.ts";

/** UTF-16 units: the length to aim for, how far a border may move to a better place, and how much is looked through. */
const LENGTH = 400;
const REACH = 80;
const SEARCHED = 1_048_576;

/**
 * @param terms index terms
 * @returns null where none of them stands in the source
 */
export function excerptOf(source: string, terms: ReadonlySet<string>): string | null {
  const searched = source.slice(0, SEARCHED);
  const all = [...tokensOf(searched)].filter(({ term }) => terms.has(term));
  const hits = all.length === 0 ? all : outsideTargets(searched, all);
  const [first, last] = densest(hits.length === 0 ? all : hits);
  if (first === undefined || last === undefined) return null;
  const room = Math.max(LENGTH - (last.end - first.start), 0);
  const start = startNear(source, first.start - Math.floor(room / 4));
  const end = endNear(source, Math.max(start + LENGTH, last.end));
  return mark(source, start, end, hits);
}

/** The target of an inline link, one of a link reference definition, a bare URL. Source: CommonMark 0.31, section 6.3. */
const TARGET =
  /(?<=\]\()(?:<[^>\n]*>|[^()\s]*(?:\([^()\s]*\)[^()\s]*)*)|(?<=^ {0,3}\[[^\]\n]{1,200}\]:[ \t]*)\S+|https?:\/\/[^\s<>"')\]]+/gm;

/** A mark inside a link's target would break the link. */
function outsideTargets(source: string, hits: readonly Token[]): Token[] {
  const targets = Array.from(source.matchAll(TARGET), ({ 0: { length }, index }) => ({
    start: index,
    end: index + length
  }));
  let next = 0;
  return hits.filter((hit) => {
    while (next < targets.length && (targets[next]?.end ?? 0) <= hit.start) next += 1;
    const target = targets[next];
    return target === undefined || hit.end <= target.start;
  });
}

/** The first and last hit of the window that holds the most different terms; of equals, the earliest. */
function densest(hits: readonly Token[]): [Token?, Token?] {
  let best: [Token?, Token?] = [];
  let most = 0;
  let left = 0;
  const held = new Map<string, number>();
  for (const hit of hits) {
    held.set(hit.term, (held.get(hit.term) ?? 0) + 1);
    for (let from = hits[left]; from && hit.end - from.start > LENGTH; from = hits[left]) {
      const count = (held.get(from.term) ?? 1) - 1;
      if (count === 0) held.delete(from.term);
      else held.set(from.term, count);
      left += 1;
    }
    if (held.size > most) {
      most = held.size;
      best = [hits[left] ?? hit, hit];
    }
  }
  return best;
}

/** The beginning of the line, or else of the word, that lies a little before. */
function startNear(source: string, position: number): number {
  if (position <= REACH) return 0;
  const before = source.slice(position - REACH, position);
  const line = before.lastIndexOf("\n");
  if (line >= 0) return position - REACH + line + 1;
  const space = before.lastIndexOf(" ");
  return space >= 0 ? position - REACH + space + 1 : wholeCharacter(source, position);
}

/** The end of the line, or else of the word, that lies a little after. */
function endNear(source: string, position: number): number {
  if (position + REACH >= source.length) return source.trimEnd().length;
  const after = source.slice(position, position + REACH);
  const line = after.search(/\r?\n/);
  if (line >= 0) return position + line;
  const space = after.indexOf(" ");
  return space >= 0 ? position + space : wholeCharacter(source, position);
}

/** Never between the two halves of a surrogate pair. */
function wholeCharacter(source: string, position: number): number {
  return /[\uDC00-\uDFFF]/.test(source.charAt(position)) ? position - 1 : position;
}

/** Hits that touch or overlap, as pairs of characters do, share one mark. */
function mark(source: string, start: number, end: number, hits: readonly Token[]): string {
  let marked = "";
  let written = start;
  let open: { start: number; end: number } | null = null;
  const close = () => {
    if (open === null) return;
    marked += `${source.slice(written, open.start)}<em>${source.slice(open.start, open.end)}</em>`;
    written = open.end;
    open = null;
  };
  for (const hit of hits) {
    if (hit.start < start || hit.end > end) continue;
    if (open !== null && hit.start <= open.end) open = { start: open.start, end: Math.max(open.end, hit.end) };
    else {
      close();
      open = { start: hit.start, end: hit.end };
    }
  }
  close();
  return (marked + source.slice(written, end)).trim();
}
