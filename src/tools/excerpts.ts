/**
 * Keeps a page's excerpts within a model's budget. They are half of a compact answer and no evidence; the longest give
 * way first, so that a page of a few hits, or of short ones, is left as the upstream wrote it.
 */

/** Characters that the excerpts of one page may have together: about as much as all else of ten hits. */
const PAGE_CHARACTERS = 3_300;
/** What each may have however many hits there are. */
const LEAST_CHARACTERS = 80;

/** The excerpts, in their order, each whole or cut and ended with an ellipsis. */
export function fitExcerpts(excerpts: readonly string[]): string[] {
  const longest = longestAllowed(excerpts.map((excerpt) => excerpt.length));
  return excerpts.map((excerpt) => (excerpt.length <= longest ? excerpt : cut(excerpt, longest)));
}

/** The length at which cutting all longer ones makes the sum fit. */
function longestAllowed(lengths: readonly number[]): number {
  let room = PAGE_CHARACTERS;
  for (const [index, length] of lengths.toSorted((a, b) => a - b).entries()) {
    const share = Math.floor(room / (lengths.length - index));
    if (length > share) return Math.max(share, LEAST_CHARACTERS);
    room -= length;
  }
  return Number.POSITIVE_INFINITY;
}

/** Never within a character pair or a highlight, and between words where one ends nearby. */
function cut(excerpt: string, length: number): string {
  const start = excerpt
    .slice(0, length - 1)
    .replace(/[\ud800-\udbff]$/, "")
    .replace(/<\/?e?m?$/, "")
    .replace(/<em>[^<]*$/, "");
  return `${start.replace(/\s+\S{0,30}$/, "").trimEnd()}…`;
}
