import type { RuleOptions } from "../../tools/rules.ts";

/** The rules of SKILL.md as a procedure. They stand there once; this says how to go about them. */
export function explorationGuide({ indexOpen }: RuleOptions): string {
  const overview = indexOpen
    ? 'Read `{"path": "index.md"}` with read_file, then list_tree with `{"parentPath": "pages"}` and its directories.'
    : 'Call list_tree with `{"parentPath": "pages"}` and walk its directories by their `path`.';
  return `# Exploring

## Keep while you work

- the question, as the user means it, in one sentence that stands alone;
- \`activeContentRevision\` of the answers: where it changes, what was listed before may be out of date;
- for each file read: \`fileId\`, \`path\`, title, and the passages that matter;
- searches made: one to begin, and no more than two after it;
- \`nextCursor\` of a list that you may want to continue.

## Procedure

1. Search with the question. Read the excerpts only to choose which hits to open, one to three of them.
2. Read each chosen file with read_file, unless its \`fileId\` is on your list already.
3. Ask: does what I have read answer every part of the question? If so, write the answer.
4. If a part is missing, look at the links in the text you have read. A relative link such as \`../guide.md\` is a path
   beside the file that holds it: resolve it to a path under \`pages/\` and read that.
5. No link helps: read_related from the file that comes closest, or expand_graph with depth 2. Read what they name.
6. Still missing: search once more, in terms that a source uses and the question did not. Twice at most.
7. Then stop, and answer what the sources cover. Say which part they leave open.

## When a search finds nothing

\`searchStatus: "no_candidates"\` is an answer: nothing matched. ${overview}
Names of files and directories often give the words to search with. An error such as \`SEARCH_UNAVAILABLE\` says nothing
about the documents; do not report it as "nothing found".

## What is not evidence

Excerpts are cut and marked up. Relations and their reasons, scores, index and graph files, and descriptions were made
by a machine. Use them to decide what to read next; never quote them.
`;
}
