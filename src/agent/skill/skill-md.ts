/** SKILL.md: when a model should use the Skill, and the exploration rules that every surface gives. */
import { explorationRules } from "../../tools/rules.ts";
import type { SkillOptions } from "./skill.ts";
import { toolsUrl } from "./urls.ts";

/** The format's bound on a description, which a knowledge base's own must not pass. */
const DESCRIPTION_ROOM = 500;

export function skillMd(skill: string, options: SkillOptions): string {
  const { name, description, baseUrl } = options;
  const about = [oneLine(name), oneLine(description ?? "")].filter((part) => part !== "").join(": ");
  const purpose =
    `Answer questions from the knowledge base "${cut(about)}". ` +
    "Use when a question may be answered by its documents, or when its files are to be found, read or cited.";
  const rules = explorationRules(options).map((rule, index) => `${index + 1}. ${rule}`);
  return `---
name: ${skill}
description: ${JSON.stringify(purpose)}
---

# Read a knowledge base over HTTP

The knowledge base is a tree of Markdown files behind a gateway at ${baseUrl}. Everything here is a read. Requests carry
the key that the environment variable \`FOCOWIKI_GATEWAY_KEY\` holds; never print it, and never put it into a URL.

## First request

\`\`\`sh
curl -sS ${toolsUrl(options)}/search_files \\
  -H "Authorization: Bearer $FOCOWIKI_GATEWAY_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "the complete question"}'
\`\`\`

Then read what the best hits point to:

\`\`\`sh
curl -sS ${toolsUrl(options)}/read_file \\
  -H "Authorization: Bearer $FOCOWIKI_GATEWAY_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"fileId": "the fileId of a hit"}'
\`\`\`

## Rules

${rules.join("\n")}

## More

- [references/http-contract.md](references/http-contract.md): every tool, its arguments and answers, links, errors.
- [references/exploration-rules.md](references/exploration-rules.md): the rules as a procedure, with what to keep.
- [references/answer-style.md](references/answer-style.md): how to write the answer and cite.
`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function cut(text: string): string {
  const characters = Array.from(text.replaceAll('"', "'"));
  return characters.length <= DESCRIPTION_ROOM
    ? text.replaceAll('"', "'")
    : `${characters.slice(0, DESCRIPTION_ROOM).join("")}…`;
}
