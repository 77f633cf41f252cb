/**
 * Finds out whether a directory holds anything that the caller may see, where the rules alone do not tell.
 *
 * At most `directoryProbeCalls` upstream calls; what they cannot find out is hidden. An upstream that fails is an error,
 * not a hidden directory. Source: docs/invariants.md 2 and 3.
 */
import type { Tree } from "../upstream/contract.ts";
import type { Binding } from "./binding.ts";
import type { Reading } from "./budget.ts";
import { sees } from "./visibility.ts";

export async function probeDirectory(binding: Binding, path: string, reading: Reading): Promise<boolean> {
  const revision = await binding.revision(reading);
  const waiting: { readonly path: string; readonly cursor: string | null }[] = [{ path, cursor: null }];
  for (let calls = 0; calls < binding.request.limits.directoryProbeCalls; calls += 1) {
    const next = waiting.shift();
    if (next === undefined) return false;
    // Without a limit, since a deployment may refuse any but its own default.
    const query: Record<string, string> = { parentPath: next.path, ...(next.cursor ? { cursor: next.cursor } : {}) };
    const tree: Tree = await binding.read("listKnowledgeBaseTree", { query }, reading, revision);
    for (const entry of tree.items) {
      if (entry.entryType === "file") {
        if (sees(binding.access, entry, "list_tree")) return true;
        continue;
      }
      const decision = binding.access.directory(entry.path, "list_tree");
      if (decision === "visible") return true;
      if (decision === "unknown") waiting.push({ path: entry.path, cursor: null });
    }
    if (tree.nextCursor !== null) waiting.push({ path: next.path, cursor: tree.nextCursor });
  }
  return false;
}
