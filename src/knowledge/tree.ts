/** The tree of one knowledge base, page by page. docs/invariants.md 2, 5 and 6. */
import type { Tree, TreeEntry } from "../upstream/contract.ts";
import type { OperationInput } from "../upstream/operations.ts";
import type { Binding } from "./binding.ts";
import type { Reading } from "./budget.ts";
import { type BodyPage, extraOf, ofRange, pageParameters, readList, type Shown } from "./list.ts";
import { LISTS } from "./lists.ts";
import { normalizePath } from "./paths.ts";
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
          // The caller's own parameters say the same as ours, but for a path that is not in NFC.
          const asked = { ...verbatim?.query, ...query, ...pageParameters(cursor, limit) };
          return readTree(binding, { query: asked, ...extraOf(verbatim) }, reading, revision);
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

/** One page of a directory, as it is read at the revision known before. */
export async function readTree(
  binding: Binding,
  input: OperationInput,
  reading: Reading,
  revision: number | null
): Promise<BodyPage<TreeEntry, Tree>> {
  const body = await binding.read(OPERATION, input, reading, revision);
  return { body, rows: body.items, next: body.nextCursor, label: body.activeContentRevision };
}

/**
 * Whether the rules leave anything to see below the path. A hidden file's path is no directory either: the upstream
 * would refuse it, and so tell that the file is there.
 */
export function mayHoldVisible(binding: Binding, parentPath: string): boolean {
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
