/** The files that tell how pages relate: `_graph/index.md`, and `_graph/by-file/…json` for each page with relations. */
import type { GeneratedSource } from "./document.ts";
import type { Page } from "./page.ts";
import { graphPathOf } from "./paths.ts";
import type { Relation, Relations } from "./relations.ts";

const FORMAT_VERSION = 2;

/** Names no page: a gateway may show it where pages are hidden. */
export function graphIndex(relations: Relations): GeneratedSource {
  const content = [
    "# How pages relate",
    "",
    `${relations.count} pairs of pages relate: one links to the other, or both carry the same tag.`,
    "",
    "For a page at `pages/a/b.md` that has relations, `_graph/by-file/a/b.json` lists them.",
    "",
    "[Up](../index.md)",
    ""
  ].join("\n");
  return { path: "_graph/index.md", title: "How pages relate", fileKind: "graph_index", make: () => content };
}

export function graphFiles(pages: readonly Page[], relations: Relations): GeneratedSource[] {
  return pages.flatMap((page) => {
    const held = relations.of.get(page.path);
    return held === undefined ? [] : [graphFile(page, held)];
  });
}

function graphFile(page: Page, relations: readonly Relation[]): GeneratedSource {
  const title = `Relations of ${page.title}`;
  return {
    path: graphPathOf(page.path),
    title,
    fileKind: "graph_index",
    make: () =>
      `${JSON.stringify({
        formatVersion: FORMAT_VERSION,
        title,
        path: page.path,
        relationships: relations.map((relation) => ({
          targetPath: relation.target.path,
          targetTitle: relation.target.title,
          direction: relation.direction,
          relationType: relation.relationType,
          weight: relation.weight,
          reason: relation.reason,
          evidence: evidence(page, relation)
        }))
      })}\n`
  };
}

/** The pages in which the relation is written down. */
function evidence(page: Page, { direction, target }: Relation): { path: string }[] {
  if (direction === "outgoing") return [{ path: page.path }];
  if (direction === "incoming") return [{ path: target.path }];
  return [{ path: page.path }, { path: target.path }];
}
