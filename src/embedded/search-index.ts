/** The full-text index of a knowledge base's pages: BM25 over a few weighted fields. */
import MiniSearch from "minisearch";
import type { Page } from "./page.ts";
import { matchesPrefixes, termsOf } from "./tokens.ts";

export type Field = "title" | "description" | "tags" | "metadata" | "path" | "content";

export interface Match {
  readonly path: string;
  readonly score: number;
  /** The fields that matched. */
  readonly fields: ReadonlySet<Field>;
  /** The index terms that matched, in any field. */
  readonly terms: ReadonlySet<string>;
}

const WEIGHTS: Record<Field, number> = { title: 4, tags: 3, description: 2, metadata: 1.5, path: 1.5, content: 1 };

type Entry = Record<Field, string> & { readonly id: string };

export class SearchIndex {
  private readonly index = new MiniSearch<Entry>({
    fields: Object.keys(WEIGHTS),
    tokenize: termsOf,
    processTerm: (term) => term
  });

  /** Adds a page, in place of the one at the same path. */
  put(page: Page): void {
    this.remove(page.path);
    this.index.add({
      id: page.path,
      title: page.title,
      description: page.description ?? "",
      tags: page.tags.join("\n"),
      metadata: metadataOf(page).join("\n"),
      path: page.path.slice("pages/".length).replace(/\.md$/i, ""),
      content: page.body
    });
  }

  remove(path: string): void {
    if (this.index.has(path)) this.index.discard(path);
  }

  /**
   * The pages with any of the terms, best first.
   * @param terms as `queryTerms` makes them
   */
  search(terms: readonly string[], fields: readonly Field[]): Match[] {
    const found = this.index.search(terms.join("\n"), {
      fields: [...fields],
      boost: WEIGHTS,
      combineWith: "OR",
      tokenize: (text) => text.split("\n").filter((term) => term !== ""),
      prefix: matchesPrefixes
    });
    return found.map(({ id, score, match, terms: matched }) => ({
      path: String(id),
      score,
      fields: new Set(Object.values(match).flat() as Field[]),
      terms: new Set(matched)
    }));
  }
}

/** What the frontmatter says beside title, description and tags: the type, and every text in it. */
function metadataOf(page: Page): string[] {
  const { title, description, tags, ...rest } = page.frontmatter;
  const texts: string[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(collect);
  };
  collect(rest);
  return texts;
}
