/** How to explore a knowledge base, as rules for a model: one source for the prompt, the Skill and the documentation. */
import type { Viewer } from "../knowledge/types.ts";

export interface RuleOptions {
  /** Whether the caller may read `index.md`; where not, the rules never name it. */
  readonly indexOpen: boolean;
}

/** Eight rules, each complete in itself, in order. */
export function explorationRules({ indexOpen }: RuleOptions): readonly string[] {
  const overview = indexOpen
    ? "read index.md and walk the directories with list_tree"
    : "walk the directories with list_tree";
  return [
    "Start with one search: the complete question, worded so that it needs no context, in hybrid mode.",
    "Take every hit as a lead. Open it with read_file, or its read action, and read the Markdown under pages/. Only that text is evidence.",
    "Keep activeContentRevision, fileId, path and nextCursor. A cursor continues the same question on the same revision; when one is refused, ask again without it.",
    "Remember what you have read, and never read a source twice.",
    "Where evidence is missing, go on from a file you have read: its links, read_related or expand_graph. Search at most twice more, each time in words found in a source. A graphRef that an answer gave may be read; a _graph path is never made up.",
    `When a search comes back empty, or it is unclear what the knowledge base covers, ${overview}.`,
    "Stop when the sources answer the question, when nothing new turns up, or when both further searches are spent.",
    "Answer from the sources you have read and from nothing else, and cite their titles or paths. Excerpts, indexes, relations and rerank scores are hints."
  ];
}

/**
 * Whether `index.md` can be taken to be open to the caller. Path rules close it unless one names it; a caller with path
 * rules is therefore told of list_tree, which always works.
 * @param key the knowledge base's key
 */
export function indexIsOpen(viewer: Viewer, key: string): boolean {
  const grants = viewer.grants.filter((grant) => grant.knowledgeBase === key || grant.knowledgeBase === null);
  return grants.every((grant) => !grant.hasPathRules && grant.operations.includes("read_file"));
}
