/** How a page is understood: frontmatter, signals, links, words. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { excerptOf } from "../../src/embedded/excerpt.ts";
import { splitFrontmatter, tagsOf } from "../../src/embedded/frontmatter.ts";
import * as ids from "../../src/embedded/ids.ts";
import { outlineOf, resolveLink } from "../../src/embedded/links.ts";
import { okfSignals } from "../../src/embedded/okf.ts";
import { mayBeDirectory, mayBeFile } from "../../src/embedded/paths.ts";
import { slugsOf } from "../../src/embedded/slug.ts";
import { queryTerms, termsOf, tokensOf } from "../../src/embedded/tokens.ts";

describe("frontmatter", () => {
  test.for<[string, string, Record<string, unknown>, string]>([
    ["a block", "---\na: 1\n---\nbody", { a: 1 }, "body"],
    ["an empty block", "---\n---\nbody", {}, "body"],
    ["a block that dots end", "---\na: x\n...\nbody", { a: "x" }, "body"],
    ["lines of DOS", "---\r\na: x\r\n---\r\nbody\r\n", { a: "x" }, "body\r\n"],
    ["dates, which stay text", "---\nd: 2027-06-30\n---\n", { d: "2027-06-30" }, ""],
    ["yes and no, which stay text", "---\nd: yes\nn: no\n---\n", { d: "yes", n: "no" }, ""],
    ["no block", "# A\n\n---\na: 1\n---\n", {}, "# A\n\n---\na: 1\n---\n"],
    ["a block that does not end", "---\na: 1\nbody", {}, "---\na: 1\nbody"],
    ["a rule", "----\na: 1\n----\n", {}, "----\na: 1\n----\n"]
  ])("%s", ([, text, frontmatter, body]) => {
    expect(splitFrontmatter(text)).toEqual({ frontmatter, body, problem: null });
  });

  test("what is a number or nothing in YAML survives JSON", () => {
    const { frontmatter } = splitFrontmatter("---\nnan: .nan\nbig: 12345678901234567890\nnothing: ~\n---\n");
    expect(JSON.parse(JSON.stringify(frontmatter))).toEqual(frontmatter);
  });

  test("a key of a prototype is a key", () => {
    const { frontmatter } = splitFrontmatter("---\n__proto__: { polluted: true }\nconstructor: x\n---\n");
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect(frontmatter.constructor).toBe("x");
  });

  test.for<[unknown, string[]]>([
    [
      ["a", "b", "a"],
      ["a", "b"]
    ],
    ["a, b,,", ["a", "b"]],
    [
      [1, true, " c ", null, {}],
      ["1", "true", "c"]
    ],
    [{ a: 1 }, []],
    [undefined, []]
  ])("tags %j are %j", ([tags, expected]) => expect(tagsOf({ tags })).toEqual(expected));
});

describe("okf signals", () => {
  const TODAY = "2026-11-30";
  const NONE = {
    effectiveStatus: "stable",
    trustTier: "unverified",
    isStale: null,
    staleAfter: null,
    generatedAt: null,
    generatedAtSource: null,
    latestVerifiedAt: null,
    sourceCount: 0
  };

  test.for<[string, Record<string, unknown>, Record<string, unknown>]>([
    ["nothing", {}, {}],
    ["a status", { status: "draft" }, { effectiveStatus: "draft" }],
    ["an unknown status", { status: "final" }, { effectiveStatus: null }],
    [
      "a machine's verification",
      { verified: [{ by: "process:x", at: "2026-01-01" }] },
      { trustTier: "machine-confirmed", latestVerifiedAt: "2026-01-01T00:00:00.000Z" }
    ],
    [
      "a person's among others, the latest counts",
      {
        verified: [
          { by: "human:jane", at: "2026-01-01T00:00:00Z" },
          { by: "process:x", at: "2026-02-01T00:00:00Z" }
        ]
      },
      { trustTier: "human-reviewed", latestVerifiedAt: "2026-02-01T00:00:00.000Z" }
    ],
    ["a verification that is no list", { verified: { by: "human:jane" } }, { trustTier: "human-reviewed" }],
    ["verifications without an actor", { verified: [{ at: "2026-01-01" }, "jane", null] }, {}],
    ["the last fresh day", { stale_after: TODAY }, { staleAfter: TODAY, isStale: false }],
    ["the day after", { stale_after: "2026-11-29" }, { staleAfter: "2026-11-29", isStale: true }],
    ["a date that is none", { stale_after: "soon" }, {}],
    ["a month that is none", { stale_after: "2026-13-01" }, {}],
    [
      "generated",
      { generated: { by: "bot", at: "2026-06-01T00:00:00Z" } },
      { generatedAt: "2026-06-01T00:00:00.000Z", generatedAtSource: "generated" }
    ],
    [
      "the older timestamp",
      { timestamp: "2026-06-01" },
      { generatedAt: "2026-06-01T00:00:00.000Z", generatedAtSource: "legacy_timestamp" }
    ],
    [
      "sources that can be cited",
      {
        sources: [
          { id: "a", resource: "x" },
          { id: "b", resource: "y" }
        ]
      },
      { sourceCount: 2 }
    ],
    ["a source without an id, as it was recorded", { sources: [{ title: "a", resource: "x" }] }, { sourceCount: null }],
    ["sources that are no list", { sources: "a" }, { sourceCount: null }]
  ])("%s", ([, frontmatter, expected]) => {
    expect(okfSignals(frontmatter, TODAY)).toEqual({ ...NONE, ...expected });
  });
});

describe("links", () => {
  const EXISTING = new Set([
    "pages/a/b.md",
    "pages/a/c d.md",
    "pages/e.md",
    "pages/a/f/index.md",
    "pages/g/README.md",
    "pages/h#1 (x).md",
    "pages/指南.md"
  ]);
  const resolve = (target: string) => resolveLink("pages/a/b.md", target, (path) => EXISTING.has(path));

  test.for<[string, string | null]>([
    ["c%20d.md", "pages/a/c d.md"],
    ["./c d.md#heading", "pages/a/c d.md"],
    ["../e.md?x=1", "pages/e.md"],
    ["../e", "pages/e.md"],
    ["/e.md", "pages/e.md"],
    ["f/", "pages/a/f/index.md"],
    ["../g", "pages/g/README.md"],
    ["../h%231%20(x).md", "pages/h#1 (x).md"],
    ["../%E6%8C%87%E5%8D%97.md", "pages/指南.md"],
    ["../../../e.md", null],
    ["../missing.md", null],
    ["https://example.org/e.md", null],
    ["//example.org/e.md", null],
    ["mailto:x@example.org", null],
    ["#top", null],
    ["", null],
    ["%zz", null]
  ])("%s leads to %s", ([target, expected]) => expect(resolve(target)).toBe(expected));

  test("of every kind are seen; images, code and comments are not", () => {
    const markdown = [
      "# The *first* `heading`",
      "# Second",
      "[inline](a.md) ![image](b.png) [reference][r] [r] <https://example.org/>",
      "| [cell](c.md) | [angle](<d e.md>) |",
      "`[code](f.md)`",
      "```\n[fenced](g.md)\n```",
      "<!-- [comment](h.md) -->",
      "",
      "[r]: i.md 'title'",
      "[unused]: j.md"
    ].join("\n");
    expect(outlineOf(markdown)).toEqual({
      heading: "The first heading",
      targets: ["a.md", "i.md", "https://example.org/", "c.md", "d%20e.md"]
    });
  });
});

describe("words", () => {
  test("are folded, stemmed, and cut into pairs where there are no spaces", () => {
    expect(termsOf("Restored backups, CAFÉ 7")).toEqual(["restor", "backup", "cafe", "7"]);
    expect(termsOf("缓存一致性 ok")).toEqual(["缓存", "存一", "一致", "致性", "ok"]);
    expect(termsOf("が一")).toEqual(["が一"]);
    expect(termsOf("猫 🎉")).toEqual(["猫", "🎉"]);
    expect(termsOf("𠮷野家")).toEqual(["𠮷野", "野家"]);
  });

  test("of a question are those that tell something", () => {
    expect(queryTerms("How do I restore a backup after it was lost?")).toEqual(["restor", "backup", "lost"]);
    expect(queryTerms("the the")).toEqual(["the"]);
    expect(queryTerms("???")).toEqual([]);
  });

  test("stand where their tokens say, one after the other", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), (text) => {
        let last = -1;
        for (const { start, end, term } of tokensOf(text)) {
          expect(term).not.toBe("");
          expect(start).toBeGreaterThan(last);
          expect(end).toBeGreaterThan(start);
          expect(end).toBeLessThanOrEqual(text.length);
          last = start;
        }
      })
    );
  });
});

describe("an excerpt", () => {
  const terms = (...words: string[]) => new Set(words.flatMap(termsOf));

  test("marks what matched, and overlapping pairs as one", () => {
    expect(excerptOf("One restored backup.", terms("restore", "backup"))).toBe(
      "One <em>restored</em> <em>backup</em>."
    );
    expect(excerptOf("说明缓存一致性。", terms("缓存一致性"))).toBe("说明<em>缓存一致性</em>。");
    expect(excerptOf("nothing", terms("else"))).toBeNull();
  });

  test.each([
    [
      "[Backup guide](/pages/backup(2).md) of a backup",
      "[<em>Backup</em> guide](/pages/backup(2).md) of a <em>backup</em>"
    ],
    ["[how](<../backup here.md>), backup", "[how](<../backup here.md>), <em>backup</em>"],
    ["see https://example.com/backup?x=backup) backup", "see https://example.com/backup?x=backup) <em>backup</em>"],
    ["[b]: ../backup.md 'Backup'", "[b]: ../backup.md '<em>Backup</em>'"],
    ["only [here](backup.md)", "only [here](backup.md)"]
  ])("of %j has no mark in a link's target", (source, expected) => {
    expect(excerptOf(source, terms("backup"))).toBe(expected);
  });

  test("comes from where most of the terms stand together", () => {
    const filler = "filler words that tell nothing\n".repeat(40);
    const source = `backup\n${filler}how to restore a backup after a deployment\n${filler}restore`;
    const excerpt = excerptOf(source, terms("restore", "backup", "deployment")) ?? "";
    expect(excerpt).toContain("how to <em>restore</em> a <em>backup</em> after a <em>deployment</em>");
    expect(excerpt.length).toBeLessThan(700);
  });

  test("is a part of its source, whole characters only, once the marks are taken away", () => {
    const words = fc.constantFrom("backup", "缓存", "🎉🎉", "restore ", "\n", " ", "𠮷野家", "x".repeat(90));
    fc.assert(
      fc.property(fc.array(words, { maxLength: 120 }), (parts) => {
        const source = parts.join("");
        const excerpt = excerptOf(source, terms("backup", "缓存", "野家"));
        const plain = (excerpt ?? "").replaceAll(/<\/?em>/g, "");
        expect(source).toContain(plain);
        expect(plain).toBe(Buffer.from(plain).toString());
        expect(plain.length).toBeLessThan(800);
      })
    );
  });
});

describe("paths", () => {
  test.for([
    "index.md",
    "log.md",
    "pages/a.md",
    "pages/a/B.MD",
    "_graph/index.md",
    "_graph/by-file/a/b.json",
    "_index/catalog.json",
    "_index/terms/latin/latin-terms-part-0001.json",
    "_graph/by-directory/a/a-relationships.json"
  ])("%s may be a file", (path) => expect(mayBeFile(path)).toBe(true));
  test.for([
    "",
    "INDEX.md",
    "pages",
    "pages/a.txt",
    "PAGES/a.md",
    "pages//a.md",
    "pages/./a.md",
    "pages/%2e%2e/a.md",
    "pages/a\\b.md",
    "pages/a\u0000.md",
    "pages/e\u0301.md",
    "_graph/by-file/index.json",
    "_index/other.json",
    `pages/${"a".repeat(1_100)}.md`
  ])("%j may not", (path) => expect(mayBeFile(path)).toBe(false));
  test.for<[string, boolean]>([
    ["pages", true],
    ["pages/a/b", true],
    ["_index/terms/han", true],
    ["_graph/by-file/a", true],
    ["", false],
    ["root", false],
    ["pages/", false],
    ["pages/a.md", false],
    ["_index/terms/klingon", false],
    ["other", false]
  ])("%j as a directory: %j", ([path, expected]) => expect(mayBeDirectory(path)).toBe(expected));
});

test("ids have the upstream's forms, and tell kinds, knowledge bases and paths apart", () => {
  const uuid = "[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
  const made = [
    ids.knowledgeBaseId("a"),
    ids.sourceFileId("a", "b"),
    ids.generatedFileId("a", "b"),
    ids.directoryId("a", "b"),
    ids.generatedDirectoryId("a", "b")
  ];
  const forms = [
    `knowledge-base-${uuid}`,
    `source-file-${uuid}`,
    "generated-[0-9a-f]{32}",
    "directory-[0-9a-f]{64}",
    "generated-directory-[0-9a-f]{32}"
  ];
  for (const [index, id] of made.entries()) expect(id).toMatch(new RegExp(`^${forms[index]}$`));
  expect(ids.sourceFileId("a", "b")).toBe(made[1]);
  expect(new Set([...made, ids.sourceFileId("a", "c"), ids.sourceFileId("c", "b")]).size).toBe(7);
});

test("slugs are fit for the configuration, and each stands once", () => {
  expect(
    slugsOf(["Hand Book", "hand-book", "Éngineering", "指南", "search", "x".repeat(80), "x".repeat(81), "..a.."])
  ).toEqual([
    "hand-book",
    "hand-book-2",
    "engineering",
    "knowledge",
    "search-pages",
    "x".repeat(64),
    `${"x".repeat(56)}-2`,
    "a"
  ]);
});
