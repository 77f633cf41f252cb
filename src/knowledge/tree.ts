/** The tree of one knowledge base, page by page, and single directories. docs/invariants.md 2, 5 and 6. */
import { notFound } from "../errors.ts";
import type { Tree, TreeEntry } from "../upstream/contract.ts";
import type { Binding } from "./binding.ts";
import type { Reading } from "./budget.ts";
import { normalizePath } from "./ids.ts";
import { extraOf, ofRange, readList, type Shown } from "./list.ts";
import { LISTS } from "./lists.ts";
import { probeDirectory } from "./probe.ts";
import type { Page, PageInput, TreeArgs } from "./types.ts";
import { sees } from "./visibility.ts";
import { showTree } from "./visible-tree.ts";

const OPERATION = "listKnowledgeBaseTree";

export function listTree(binding: Binding, args: TreeArgs, page: PageInput): Promise<Page<TreeEntry, Tree>> {
  return binding.call(OPERATION, "list_tree", args.parentPath ?? null, (reading) => {
    const parentPath = args.parentPath === undefined ? undefined : normalizePath("parentPath", args.parentPath);
    const query = {
      ...(parentPath === undefined ? {} : { parentPath }),
      ...(args.entryType === undefined ? {} : { entryType: args.entryType })
    };
    const closed = !mayHoldVisible(binding, parentPath ?? "root");
    return readList(
      { cursors: binding.cursors, pageSize: binding.request.limits.pageSize },
      {
        list: LISTS.tree,
        operation: OPERATION,
        scope: binding.scope(OPERATION, { parentPath: parentPath ?? "root", entryType: args.entryType }),
        restricted: binding.access.restricted("list_tree"),
        learned: binding.learned(OPERATION),
        revision: (fresh) => binding.revision(reading, fresh),
        fetch: async (cursor, limit, revision, verbatim) => {
          // What no rule can open is not asked for: it answers like a directory that does not exist.
          if (closed) return { body: emptyTree(revision), rows: [], next: null, label: revision };
          const asked = {
            ...verbatim?.query,
            // The same again, but for a path that is not in NFC.
            ...query,
            ...(limit === undefined ? {} : { limit: String(limit) }),
            ...(cursor === null ? {} : { cursor })
          };
          const body = await binding.read(OPERATION, { query: asked, ...extraOf(verbatim) }, reading, revision);
          return { body, rows: body.items, next: body.nextCursor, label: body.activeContentRevision };
        },
        show: (entries, _body, range) =>
          ofRange(entries, range, (part) =>
            showTree(binding.access, part, (path) => probeDirectory(binding, path, reading))
          ),
        identity: (entry) => entry.id,
        finish: finishTree
      },
      page
    );
  });
}

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

async function findEntry(
  binding: Binding,
  path: string,
  parentPath: string,
  reading: Reading
): Promise<TreeEntry | null> {
  const learned = binding.learned(OPERATION).get() ?? LISTS.tree.maximum;
  // 0: the upstream takes no limit that we know of, so its own default applies.
  const limit: Record<string, string> = learned === 0 ? {} : { limit: String(learned) };
  const revision = await binding.revision(reading);
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = {
      parentPath,
      entryType: "directory",
      ...limit,
      ...(cursor ? { cursor } : {})
    };
    const body: Tree = await binding.read(OPERATION, { query }, reading, revision);
    const found = body.items.find((entry) => entry.path.normalize("NFC") === path && entry.entryType === "directory");
    if (found !== undefined) return found;
    cursor = body.nextCursor;
    if (cursor !== null && seen.has(cursor)) break;
    if (cursor !== null) seen.add(cursor);
  } while (cursor !== null);
  return null;
}

/**
 * Whether the rules leave anything to see below the path. A hidden file's path is no directory either: the upstream
 * would refuse it, and so tell that the file is there.
 */
function mayHoldVisible(binding: Binding, parentPath: string): boolean {
  const { access } = binding;
  if (parentPath === "root" || parentPath === "" || !access.restricted("list_tree")) return true;
  if (access.directory(parentPath, "list_tree") === "hidden") return false;
  return !/\.(md|json)$/i.test(parentPath) || sees(access, { path: parentPath }, "list_tree");
}

function emptyTree(revision: number | null): Tree {
  return { activeContentRevision: revision === 0 ? null : revision, items: [], nextCursor: null };
}

function finishTree({ rows, bodies, revision }: Shown<TreeEntry, Tree>): Tree {
  const body = bodies[0] ?? emptyTree(revision);
  return { ...body, items: [...rows], nextCursor: null };
}
