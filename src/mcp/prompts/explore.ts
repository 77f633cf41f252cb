/** The exploration rules, as a caller of this scope should hear them. */
import { explorationRules, indexIsOpen } from "../../tools/rules.ts";
import type { Scope } from "../scope.ts";

/** All eight rules, numbered, a line each. */
export function rulesFor(scope: Scope, key: string | null): string {
  const rules = explorationRules({ indexOpen: indexOpen(scope, key) });
  return rules.map((rule, index) => `${index + 1}. ${rule}`).join("\n");
}

/** What hosts may put before a model that uses this server. */
export async function instructions(scope: Scope): Promise<string> {
  const { reader, boundTo } = scope;
  const key = boundTo === null ? null : (await reader.knowledgeBase(boundTo)).key;
  const choice =
    key === null
      ? "Where there are several, search_files goes through all of them, and list_knowledge_bases names them.\n"
      : "";
  return `Read-only access to knowledge bases of Markdown files. ${choice}How to answer from them:\n${rulesFor(scope, key)}`;
}

/** Told from the grants, without a read. Where no knowledge base is chosen, it must be open in all. */
function indexOpen({ reader }: Scope, key: string | null): boolean {
  const { viewer } = reader;
  if (key !== null) return indexIsOpen(viewer, key);
  return viewer.grants.every(({ knowledgeBase }) => indexIsOpen(viewer, knowledgeBase ?? ""));
}
