/** Every way in which Markdown can lead to a page, and every way in which a target can be spelt. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { decideText } from "../../src/policy/generated-text.ts";
import { createAccess } from "../../src/policy/grants.ts";
import { acme } from "../policy/configs.ts";

const FILE = "_graph/by-file/notes/index.md";
const [access] = createAccess(
  acme({ knowledgeBases: ["handbook"], paths: { allow: ["pages/**", "_graph/**"], deny: ["pages/hr/**"] } }),
  { tenant: "acme", subject: "bot" }
).named;

function isShown(text: string): boolean {
  if (access === undefined) throw new Error("the grant names a knowledge base");
  return decideText(access, { path: FILE, generated: true }, text, "read_file").allowed;
}

/** Link syntax of CommonMark, whose target a parser finds. */
const LINKS: readonly ((target: string) => string)[] = [
  (target) => `[a](${target})`,
  (target) => `[a](<${target}>)`,
  (target) => `[a]( ${target} "title" )`,
  (target) => `[a](${target} 'title')`,
  (target) => `[a [b] \\] c](${target})`,
  (target) => `[a][id]\n\n[id]: ${target}`,
  (target) => `[id][]\n\n[id]: <${target}> "title"`,
  (target) => `[ID]\n\n[id]:\n  ${target}`,
  (target) => `no link\n\n[unused]: ${target}`,
  (target) => `[![alt](/pages/notes/a.md)](${target})`,
  (target) => `![alt](${target})`,
  (target) => `[*a* \`]\` b](${target})`,
  (target) => `# [a](${target})`,
  (target) => `[a](${target})\n===`
];

/** What no parser can tell the target of, or no reader would take for a link, and still shows it. */
const DOUBTFUL: readonly ((target: string) => string)[] = [
  (target) => `![alt [b](${target})](/pages/notes/a.md)`,
  (target) => `<a href="${target}">a</a>`,
  (target) => `text <img src='${target}'> text`,
  (target) => `<!-- ${target} -->`,
  (target) => `<div>\n${target}\n</div>`,
  (target) => `<https://example.com/${target}>`,
  (target) => `[a](https://example.com/${target})`,
  (target) => `[a](//example.com/${target})`,
  (target) => `[a](?path=${target})`,
  (target) => `[a](#${target})`,
  (target) => `[a](javascript:${target})`,
  (target) => `a] b](${target})`,
  (target) => `[a\\](${target})`,
  (target) => `\`[a](${target})\``,
  (target) => `    [a](${target})`,
  (target) => `~~~\n[a](${target})\n~~~`,
  (target) => `[a](${target} "title`,
  (target) => `${">".repeat(120)} [a](${target})`,
  (target) => `${"[".repeat(120)}a${`](${target})`.repeat(120)}`
];

const BLOCKS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => `- ${text.replaceAll("\n", "\n  ")}`,
  (text) => `> ${text.replaceAll("\n", "\n> ")}`,
  (text) => `---\ntitle: x\n---\n\n${text}`,
  (text) => `[a](/pages/notes/a.md)\n\n${text}\n\n[b](b.json)`
];

const SPELLINGS: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `%${hex(character)}`,
  (character) => `%${hex(character).toUpperCase()}`,
  (character) => `&#x${hex(character)};`,
  (character) => `&#${character.charCodeAt(0)};`,
  (character) => ({ ".": "&period;", "/": "&sol;" })[character] ?? character,
  (character) => (/[./]/.test(character) ? `\\${character}` : character)
];

function hex(character: string): string {
  return character.charCodeAt(0).toString(16);
}

/** One target in many spellings, each character in one of its own. */
function spelt(...targets: string[]): fc.Arbitrary<string> {
  return fc
    .constantFrom(...targets)
    .chain((target) => fc.tuple(...[...target].map((c) => fc.constantFrom(...SPELLINGS.map((spell) => spell(c))))))
    .map((characters) => characters.join(""));
}

const hidden = spelt("/pages/hr/pay.md", "../hr/pay.json", "../../../pages/hr/pay.md", "./../hr/index.md", "/pages/hr");
const visible = spelt("/pages/notes/a.md", "a.json", "../../../pages/notes/a.md", "./index.md");

it("invariant 2: no link in a generated file leads to a hidden page", () => {
  const texts = fc
    .tuple(fc.constantFrom(...BLOCKS), fc.constantFrom(...LINKS, ...DOUBTFUL), hidden)
    .map(([block, link, target]) => block(link(target)));
  fc.assert(
    fc.property(texts, (text) => {
      expect(isShown(text)).toBe(false);
    }),
    { numRuns: 3000 }
  );
});

it("a generated file whose links lead to visible pages is shown, however they are written", () => {
  const texts = fc
    .tuple(fc.constantFrom(...BLOCKS), fc.constantFrom(...LINKS), visible)
    .map(([block, link, target]) => block(link(target)));
  fc.assert(
    fc.property(texts, (text) => {
      expect(isShown(text)).toBe(true);
    }),
    { numRuns: 3000 }
  );
});

it.each([
  ["leads out of the knowledge base", "[a](../../../../pages/hr/pay.md)"],
  ["leads where no upstream is known to keep a file", "[a](/_graph/by-team/hr.md)"],
  ["names a directory of graph files", "[a](/_graph/by-directory/hr)"],
  ["is a path in prose", "see pages/hr/pay.md"],
  ["is a path in a link's text", "[pages/hr/pay.md](/pages/notes/a.md)"],
  ["is a path in a link's title", '[a](/pages/notes/a.md "pages/hr/pay.md")'],
  ["is a path beside a link to its beginning", "[a](/pages) pages/hr/pay.md"],
  ["leads out of it and in again by the root", "[a](/../index.md)"],
  ["leads to a directory by a path in another form", "[a](/_graph/./by-directory/index.md)"],
  ["cannot be decoded", "[a](%ff)"]
])("invariant 2: a generated file is closed where its text %s", (_, text) => {
  expect(isShown(text)).toBe(false);
});
