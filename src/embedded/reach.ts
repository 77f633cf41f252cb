/** The way outward from a page, relation by relation. */
import type { RelatedFile } from "../upstream/contract.ts";
import type { Page } from "./page.ts";
import { graphPathOf } from "./paths.ts";
import type { Relation } from "./relations.ts";
import type { Snapshot } from "./snapshot.ts";
import { relatedFile } from "./wire.ts";

export const MAX_DEPTH = 2;
export const MAX_FANOUT = 25;

/** One relation on the way outward. */
export interface Step {
  readonly from: Page;
  readonly relation: Relation;
  readonly depth: number;
}

/**
 * Breadth first: of each page the strongest `fanout` relations, those that lead back to the seed left out. A page is
 * expanded once, at the depth where it was first reached.
 */
export function reach(snapshot: Snapshot, seed: Page, depth: number, fanout: number): Step[] {
  const steps: Step[] = [];
  const expanded = new Set([seed.path]);
  let level: Page[] = [seed];
  for (let at = 1; at <= depth; at += 1) {
    const next: Page[] = [];
    for (const from of level) {
      const relations = (snapshot.relations.of.get(from.path) ?? []).filter(({ target }) => target !== seed);
      for (const relation of relations.slice(0, fanout)) {
        steps.push({ from, relation, depth: at });
        if (expanded.has(relation.target.path)) continue;
        expanded.add(relation.target.path);
        next.push(relation.target);
      }
    }
    level = next;
  }
  return steps;
}

export function reachedFile(snapshot: Snapshot, { from, relation, depth }: Step): RelatedFile {
  return relatedFile(snapshot, from, relation, depth);
}

/** The graph files of the seed and of what was reached, each once. A page without relations has none. */
export function graphPaths(snapshot: Snapshot, seed: Page, steps: readonly Step[]): string[] {
  const pages = [seed, ...steps.map(({ relation }) => relation.target)].filter(({ path }) =>
    snapshot.relations.of.has(path)
  );
  return [...new Set(pages.map(({ path }) => graphPathOf(path)))];
}
