/** A single directory of a knowledge base. docs/invariants.md 2 and 6. */
import { notFound } from "../errors.ts";
import type { Tree, TreeEntry } from "../upstream/contract.ts";
import type { Binding } from "./binding.ts";
import type { Reading } from "./budget.ts";
import { type BodyPage, pageParameters } from "./list.ts";
import { LISTS } from "./lists.ts";
import { normalizePath } from "./paths.ts";
import type { Position } from "./position.ts";
import { probeDirectory } from "./probe.ts";
import { mayHoldVisible, readTree } from "./tree.ts";
import { showTree } from "./visible-tree.ts";
import { type Walk, walk } from "./walk.ts";

const OPERATION = "listKnowledgeBaseTree";

/** A directory's own entry, found through the listing that holds it. */
export function findDirectory(binding: Binding, path: string): Promise<TreeEntry> {
  return binding.call(OPERATION, "list_tree", path, async (reading) => {
    const asked = normalizePath("path", path);
    const parentPath = asked.includes("/") ? asked.slice(0, asked.lastIndexOf("/")) : "root";
    if (!mayHoldVisible(binding, asked)) throw notFound();
    const entry = await findEntry(binding, asked, parentPath, reading);
    const [shown] =
      entry === null ? [] : await showTree(binding.access, [entry], (at) => probeDirectory(binding, at, reading));
    if (!shown) throw notFound();
    return shown;
  });
}

/** Page by page, as large as the upstream gives them, until the entry is found. */
async function findEntry(
  binding: Binding,
  path: string,
  parentPath: string,
  reading: Reading
): Promise<TreeEntry | null> {
  const query = { parentPath, entryType: "directory" };
  const { maximum, stable } = LISTS.tree;
  const learned = binding.learned(OPERATION);
  const request = { first: maximum, maximum, stable, learned, restricted: false, exact: false, maxPages: 1 };
  let after: Position | null = null;
  do {
    const walked: Walk<TreeEntry, BodyPage<TreeEntry, Tree>> = await walk(
      {
        fetch: (cursor, limit, revision) => {
          const asked = { ...query, ...pageParameters(cursor, limit) };
          return readTree(binding, { query: asked }, reading, revision);
        },
        revision: (fresh) => binding.revision(reading, fresh),
        show: ({ rows }) => rows,
        identity: (entry) => entry.id
      },
      { ...request, after }
    );
    const found = walked.rows.find((entry) => entry.path.normalize("NFC") === path && entry.entryType === "directory");
    if (found !== undefined) return found;
    after = walked.nextPosition();
  } while (after !== null);
  return null;
}
