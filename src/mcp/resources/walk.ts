/** The walk over all files of one knowledge base, depth first, in the order of its listings. */
import type { KnowledgeBaseReader, Page, Tree, TreeEntry } from "../../knowledge/types.ts";
import { PAGE_NAMES } from "../../tools/fields.ts";
import type { Directory } from "./place.ts";

/** Rows of one listing. */
const ROWS = 50;

/** A directory that is not finished, with what is left of the rows that were read of it. */
interface Open {
  readonly path: string;
  readonly after: string | null;
  page: Page<TreeEntry, Tree> | null;
  /** Rows that were walked. */
  index: number;
}

export class FileWalk {
  readonly #knowledgeBase: KnowledgeBaseReader;
  readonly #open: Open[];
  readonly #rows: number;

  /**
   * @param directories where an earlier walk stood, the outermost first
   * @param pageSize the tenant's bound on a listing
   */
  constructor(knowledgeBase: KnowledgeBaseReader, directories: readonly Directory[], pageSize: number) {
    this.#knowledgeBase = knowledgeBase;
    this.#rows = Math.min(ROWS, pageSize);
    this.#open = directories.map(({ path, after }) => ({ path, after, page: null, index: 0 }));
  }

  get key(): string {
    return this.#knowledgeBase.key;
  }

  get done(): boolean {
    return this.#open.length === 0;
  }

  /** The next files, none perhaps, for the price of one listing. */
  async take(atMost: number): Promise<TreeEntry[]> {
    const files: TreeEntry[] = [];
    let listed = false;
    for (let here = this.#open.at(-1); here !== undefined && files.length < atMost; here = this.#open.at(-1)) {
      if (here.page === null && listed) break;
      here.page ??= await this.#list(here);
      listed = true;
      const row = here.page.rows[here.index];
      here.index += 1;
      if (row === undefined) this.#leave(here, here.page);
      else if (row.entryType === "file") files.push(row);
      else this.#open.push({ path: row.path.normalize("NFC"), after: null, page: null, index: 0 });
    }
    return files;
  }

  /** Where the walk stands. */
  directories(): Directory[] {
    return this.#open.flatMap(({ path, after, page, index }) => {
      if (page === null || index === 0) return [{ path, after }];
      const finished = index >= page.rows.length && !page.hasNextPage;
      return finished ? [] : [{ path, after: page.cursor(index - 1) }];
    });
  }

  #list({ path, after }: Open): Promise<Page<TreeEntry, Tree>> {
    const args = path === "" ? {} : { parentPath: path };
    return this.#knowledgeBase.tree(args, { first: this.#rows, after, names: PAGE_NAMES });
  }

  #leave({ path }: Open, page: Page<TreeEntry, Tree>): void {
    this.#open.pop();
    const after = page.hasNextPage ? page.endCursor() : null;
    if (after !== null) this.#open.push({ path, after, page: null, index: 0 });
  }
}
