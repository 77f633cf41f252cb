import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { createAccess } from "../../src/policy/grants.ts";
import { acme, type GrantInput } from "./configs.ts";

/** Few names, so that rules and trees meet often. */
const names = ["a", "b", "hr", ".c", "[d]", "e f (v1)", "A"];
const stems = ["x", "y", ".z", "intro", "[d]"];
const name = fc.constantFrom(...names);
const directory = fc.array(name, { maxLength: 3 }).map((segments) => ["pages", ...segments].join("/"));
const page = fc.tuple(directory, fc.constantFrom(...stems)).map(([parent, stem]) => `${parent}/${stem}.md`);

const segment = fc.oneof(
  { weight: 6, arbitrary: name },
  { weight: 3, arbitrary: fc.constantFrom("**", "*") },
  {
    weight: 2,
    arbitrary: fc.constantFrom("?", "h*", "{a,b}", "{a,hr/b}", "[ab]", "!(hr)", "@(a|b)", "+(a)", "a**", "*(a|hr)")
  }
);
const tail = fc.constantFrom(
  "**",
  "*",
  "**/*",
  "**/*.md",
  "*.md",
  "x.md",
  "{x,y}.md",
  "index.md",
  "**/index.md",
  "!(x).md"
);
const pattern = fc.oneof(
  fc.tuple(fc.array(segment, { maxLength: 3 }), tail).map(([middle, end]) => ["pages", ...middle, end].join("/")),
  fc.constantFrom("**", "*", "**/*.md", "**/hr/**", "{pages,_graph}/**", "pages", "pages/a", "*/a/**", "_graph/**"),
  fc.constantFrom("_index/**", "_graph/by-file/**", "_graph/by-file/a/**", "_index/pages/**", "**/index*", "_graph/*")
);
const paths = fc.record(
  { allow: fc.array(pattern, { minLength: 1, maxLength: 2 }), deny: fc.array(pattern, { maxLength: 2 }) },
  { requiredKeys: [] }
);
const grants: fc.Arbitrary<GrantInput[]> = fc.array(
  fc.record({
    knowledgeBases: fc.constant(["handbook"]),
    operations: fc.constantFrom<GrantInput["operations"][]>(["read_file"], ["list_tree"], ["read_file", "list_tree"]),
    paths
  }),
  { minLength: 1, maxLength: 3 }
);

/** What the upstream makes of some pages: their directories' navigation, the index and the graph. */
function generatedFor(pages: readonly string[]): string[] {
  const below = [...new Set(pages.flatMap((path) => ancestors(path)))].map((path) => path.slice("pages".length));
  return [
    ...["index.md", "log.md", "_index/index.md", "_index/catalog.json", "_graph/index.md", "_index/terms/index.md"],
    ...below.flatMap((path) => [`pages${path}/index.md`, `_index/pages${path}/index.json`]),
    ...below.flatMap((path) => [`_graph/by-directory${path}/index.md`, `_graph/by-file${path}/index.md`]),
    ...pages.map((path) => `_graph/by-file/${path.slice("pages/".length, -".md".length)}.json`)
  ];
}

function ancestors(path: string): string[] {
  const segments = path.split("/").slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join("/"));
}

describe("invariant 2: directories", () => {
  it("a decision from the rules never contradicts the files", () => {
    const seen = { visible: 0, hidden: 0, unknown: 0 };
    fc.assert(
      fc.property(fc.array(page, { minLength: 1, maxLength: 12 }), grants, (pages, given) => {
        const [kb] = createAccess(acme(...given), { tenant: "acme", subject: "bot" }).named;
        if (kb === undefined) throw new Error("the grant names a knowledge base");
        const files = [
          ...pages.map((path) => ({ path, generated: false })),
          ...generatedFor(pages).map((path) => ({ path, generated: true }))
        ];
        for (const place of new Set(files.flatMap(({ path }) => ancestors(path)))) {
          const decision = kb.directory(place, "read_file");
          const below = files.filter(({ path }) => path.startsWith(`${place}/`));
          const allowed = below.filter((target) => kb.file(target, "read_file").allowed);
          seen[decision] += 1;
          if (decision === "hidden") expect(allowed, place).toEqual([]);
          if (decision === "visible") {
            expect(allowed, place).not.toEqual([]);
            if (place.startsWith("pages")) {
              expect(
                below.filter(({ generated, path }) => !generated && !allowed.some((one) => one.path === path))
              ).toEqual([]);
            }
          }
        }
      }),
      { numRuns: 1500 }
    );
    expect(Math.min(seen.visible, seen.hidden, seen.unknown)).toBeGreaterThan(1000);
  });

  it("plain patterns decide files as picomatch does", () => {
    const plain = fc
      .tuple(
        fc.array(fc.constantFrom("a", "b", "hr", "*", "**", "h*"), { maxLength: 3 }),
        fc.constantFrom("**", "*", "*.md", "x.md")
      )
      .map(([middle, end]) => ["pages", ...middle, end].join("/"));
    const plainPage = fc
      .tuple(fc.array(fc.constantFrom("a", "b", "hr", ".c"), { maxLength: 3 }), fc.constantFrom("x", "y", ".z"))
      .map(([parents, stem]) => ["pages", ...parents, `${stem}.md`].join("/"));
    let visible = 0;
    let hidden = 0;
    fc.assert(
      fc.property(
        fc.array(plain, { minLength: 1 }),
        fc.array(plain),
        fc.array(plainPage, { minLength: 1 }),
        (allow, deny, pages) => {
          const access = createAccess(acme({ knowledgeBases: ["handbook"], paths: { allow, deny } }), {
            tenant: "acme",
            subject: "bot"
          });
          const model = (path: string) =>
            allow.some((glob) => picomatch.isMatch(path, glob, { dot: true })) &&
            !deny.some((glob) => picomatch.isMatch(path, glob, { dot: true }));
          for (const path of pages) {
            const { allowed } = access.named[0]?.file({ path, generated: false }, "read_file") ?? {};
            expect(allowed, path).toBe(model(path));
            if (allowed) visible += 1;
            else hidden += 1;
          }
        }
      ),
      { numRuns: 1000 }
    );
    expect(Math.min(visible, hidden)).toBeGreaterThan(500);
  });
});
