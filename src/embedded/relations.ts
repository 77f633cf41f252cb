/** How pages relate: by the links between them, and by the tags that they share. */
import { resolveLink } from "./links.ts";
import type { Page } from "./page.ts";

export interface Relation {
  readonly target: Page;
  readonly relationType: "references" | "related";
  /** As seen from the page that holds the relation. */
  readonly direction: "outgoing" | "incoming" | "bidirectional";
  /** 1 for a link; for shared tags a quarter each, at most 1. */
  readonly weight: number;
  readonly reason: string;
}

export interface Relations {
  /** By path; strongest first, then by path. A page without relations has no entry. */
  readonly of: ReadonlyMap<string, readonly Relation[]>;
  /** Pairs of pages that relate. */
  readonly count: number;
}

/** A tag on more pages than this says too little about any two of them, and relates none. */
const PAGES_PER_TAG = 50;

/** Each pair of pages has one relation at most; a link is stronger than a shared tag. */
export function relate(pages: ReadonlyMap<string, Page>): Relations {
  const of = new Map<string, Relation[]>();
  const linked = links(pages);
  let count = 0;
  const add = (from: Page, relation: Relation) => {
    const held = of.get(from.path);
    if (held) held.push(relation);
    else of.set(from.path, [relation]);
  };
  for (const [path, targets] of linked) {
    for (const targetPath of targets) {
      const [from, target] = [pages.get(path), pages.get(targetPath)];
      if (!from || !target) continue;
      const mutual = linked.get(targetPath)?.has(path) ?? false;
      // A mutual link is met from both ends, and counted from one.
      if (!mutual || path < targetPath) count += 1;
      const reason = mutual ? `${from.title} and ${target.title} link to each other.` : linkReason(from, target);
      add(from, {
        target,
        relationType: "references",
        direction: mutual ? "bidirectional" : "outgoing",
        weight: 1,
        reason
      });
      if (!mutual) add(target, { target: from, relationType: "references", direction: "incoming", weight: 1, reason });
    }
  }
  for (const [left, right, tags] of sharedTags(pages)) {
    if (linked.get(left.path)?.has(right.path) || linked.get(right.path)?.has(left.path)) continue;
    count += 1;
    const weight = Math.min(tags.length / 4, 1);
    const reason = `Both are tagged ${tags.join(", ")}.`;
    add(left, { target: right, relationType: "related", direction: "bidirectional", weight, reason });
    add(right, { target: left, relationType: "related", direction: "bidirectional", weight, reason });
  }
  for (const held of of.values()) held.sort(strongestFirst);
  return { of, count };
}

function linkReason(from: Page, target: Page): string {
  return `${from.title} links to ${target.title}.`;
}

function strongestFirst(left: Relation, right: Relation): number {
  const rank = (relation: Relation) => (relation.relationType === "references" ? 1 : 0);
  const order = rank(right) - rank(left) || right.weight - left.weight;
  return order !== 0 ? order : left.target.path < right.target.path ? -1 : 1;
}

/** The pages that each page links to, itself left out. */
function links(pages: ReadonlyMap<string, Page>): Map<string, Set<string>> {
  const linked = new Map<string, Set<string>>();
  for (const page of pages.values()) {
    const targets = new Set<string>();
    for (const written of page.targets) {
      const path = resolveLink(page.path, written, (candidate) => pages.has(candidate));
      if (path !== null && path !== page.path) targets.add(path);
    }
    linked.set(page.path, targets);
  }
  return linked;
}

/** Pairs of pages with the tags that both carry, letters' case aside. */
function sharedTags(pages: ReadonlyMap<string, Page>): [Page, Page, string[]][] {
  const carriers = new Map<string, Page[]>();
  for (const page of pages.values()) {
    for (const tag of new Set(page.tags.map((written) => written.toLowerCase()))) {
      const held = carriers.get(tag);
      if (held) held.push(page);
      else carriers.set(tag, [page]);
    }
  }
  const pairs = new Map<string, [Page, Page, string[]]>();
  for (const [tag, held] of carriers) {
    if (held.length > PAGES_PER_TAG) continue;
    for (const [index, left] of held.entries()) {
      for (const right of held.slice(index + 1)) {
        const key = `${left.path}\0${right.path}`;
        const pair = pairs.get(key);
        if (pair) pair[2].push(tag);
        else pairs.set(key, [left, right, [tag]]);
      }
    }
  }
  return [...pairs.values()];
}
