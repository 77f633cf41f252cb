/** Tree entries as a caller may see them. Source: docs/invariants.md 2. */
import type { KnowledgeBaseAccess } from "../policy/access.ts";
import type { TreeEntry } from "../upstream/contract.ts";
import { sees, showRow } from "./visibility.ts";

const COUNTS = ["directEntryCount", "directDirectoryCount", "directFileCount", "descendantFileCount"] as const;

/** Finds out, at a bounded cost, whether a directory holds anything visible; what it cannot find out is false. */
export type Probe = (path: string) => Promise<boolean>;

/** The entries, index by index, null where hidden. */
export function showTree(
  access: KnowledgeBaseAccess,
  entries: readonly TreeEntry[],
  probe: Probe
): Promise<(TreeEntry | null)[]> {
  return Promise.all(entries.map((entry) => showEntry(access, entry, probe)));
}

async function showEntry(access: KnowledgeBaseAccess, entry: TreeEntry, probe: Probe): Promise<TreeEntry | null> {
  if (entry.entryType === "file") return sees(access, entry, "list_tree") ? showRow(access, entry) : null;
  if (!access.restricted("list_tree")) return showRow(access, entry);
  const decision = access.directory(entry.path, "list_tree");
  if (decision === "hidden" || (decision === "unknown" && !(await probe(entry.path)))) return null;
  return withoutCounts(showRow(access, entry));
}

/** The upstream counts what the caller may not see, and there are no other counts. */
function withoutCounts(entry: TreeEntry): TreeEntry {
  const shown: Record<string, unknown> = { ...entry };
  for (const count of COUNTS) if (count in shown) shown[count] = null;
  return shown as TreeEntry;
}
