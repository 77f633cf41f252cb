import { describe, expect, it } from "vitest";
import { OPERATION_NAMES } from "../../src/policy/access.ts";
import { isGeneratedPath } from "../../src/policy/generated.ts";
import { createAccess } from "../../src/policy/grants.ts";
import { acme, type GrantInput } from "./configs.ts";

const access = (paths: GrantInput["paths"]) => {
  const config = acme({ knowledgeBases: ["handbook"], ...(paths === undefined ? {} : { paths }) });
  const [kb] = createAccess(config, { tenant: "acme", subject: "bot" }).named;
  if (kb === undefined) throw new Error("the grant names a knowledge base");
  return kb;
};
const sees = (paths: GrantInput["paths"], path: string) =>
  access(paths).file({ path, generated: isGeneratedPath(path) }, "read_file").allowed;

const secret = { deny: ["pages/secret/**"] };

describe("invariant 2: a denied directory stays hidden however its files are called", () => {
  it.each([
    ["a plain file", "pages/secret/a.md"],
    ["a directory below", "pages/secret/b/c.md"],
    ["a dotfile", "pages/secret/.hidden.md"],
    ["a dot directory", "pages/secret/.git/config.md"],
    ["brackets and parentheses", "pages/secret/[draft] (v1).md"],
    ["another case", "pages/Secret/a.md"],
    ["upper case", "PAGES/SECRET/A.md"],
    ["a name in NFD", "pages/secret/cafe\u0301.md"],
    ["two slashes", "pages//secret/a.md"],
    ["a dot segment", "pages/./secret/a.md"],
    ["a parent segment", "pages/a/../secret/a.md"],
    ["a parent segment at the start", "../pages/secret/a.md"],
    ["a slash at the start", "/pages/secret/a.md"],
    ["a slash at the end", "pages/secret/a.md/"],
    ["a backslash", "pages\\secret\\a.md"],
    ["a newline in the name", "pages/secret/a\nb.md"],
    ["a line separator in the name", "pages/secret/a\u2028b.md"],
    ["a paragraph separator in the name", "pages/secret/a\u2029b.md"],
    ["a NUL", "pages/secret/a\0.md"],
    ["a lone surrogate", "pages/secret/\ud800.md"],
    ["its graph file", "_graph/by-file/secret/a.json"],
    ["its graph directory", "_graph/by-directory/secret/index.json"],
    ["its index", "_index/pages/secret/index.json"],
    ["the terms of all pages", "_index/terms/latin/latin-terms-part-0001.json"],
    ["the knowledge base's index", "index.md"],
    ["the log", "log.md"],
    ["the navigation beside it", "pages/index.md"],
    ["its navigation", "pages/secret/index.md"],
    ["a navigation leaf", "pages/index-directory-leaf-87afcf49-5dbd-8e84-f86a-16da42fef1e7.md"],
    ["the empty path", ""]
  ])("%s", (_, path) => {
    expect(sees(secret, path)).toBe(false);
    expect(sees({ allow: ["**", "pages/**"], ...secret }, path)).toBe(false);
  });

  it("and what is not denied is seen", () => {
    for (const path of ["pages/a.md", "pages/secrets/a.md", "pages/a/secret/b.md", "pages/%73ecret/a.md"]) {
      expect(sees(secret, path), path).toBe(true);
    }
  });

  it("a rule written in NFD holds for the NFC path, and the other way round", () => {
    expect(sees({ deny: ["pages/cafe\u0301/**"] }, "pages/caf\u00e9/a.md")).toBe(false);
    expect(sees({ deny: ["pages/caf\u00e9/**"] }, "pages/cafe\u0301/a.md")).toBe(false);
  });

  it("a rule with brackets of a name holds for the file of that name", () => {
    expect(sees({ deny: ["pages/[draft] (v1).md"] }, "pages/[draft] (v1).md")).toBe(false);
    expect(sees({ deny: ["pages/(old)/**"] }, "pages/(old)/a.md")).toBe(false);
    expect(sees({ allow: ["pages/a (v1)/**"] }, "pages/a (v1)/b.md")).toBe(true);
    expect(sees({ allow: ["pages/a \\(v1\\)/**"] }, "pages/a (v1)/b.md")).toBe(true);
  });

  it("an allow is exact in case, so that Pages is not pages", () => {
    expect(sees({ allow: ["pages/public/**"] }, "pages/Public/a.md")).toBe(false);
    expect(sees({ allow: ["pages/public/**"] }, "Pages/public/a.md")).toBe(false);
  });

  it("what is asked for an operation that is not granted is no", () => {
    const [kb] = createAccess(acme({ knowledgeBases: ["handbook"], operations: ["read_file"] }), {
      tenant: "acme",
      subject: "bot"
    }).named;
    const allowed = OPERATION_NAMES.filter((name) => kb?.file({ path: "pages/a.md", generated: false }, name).allowed);
    expect(allowed).toEqual(["read_file"]);
    expect(kb?.restricted("get_file")).toBe(true);
  });
});

describe("path rules", () => {
  it.each<[GrantInput["paths"], string, boolean]>([
    [undefined, "index.md", true],
    [{}, "index.md", true],
    [{ deny: [] }, "index.md", true],
    [{ allow: ["**"] }, "index.md", false],
    [{ allow: ["**"] }, "pages/a/b.md", true],
    [{ allow: ["pages/*"] }, "pages/a.md", true],
    [{ allow: ["pages/*"] }, "pages/a/b.md", false],
    [{ allow: ["pages/a?.md"] }, "pages/ab.md", true],
    [{ allow: ["pages/{a,b}/**"] }, "pages/b/c.md", true],
    [{ allow: ["pages/{a,b}/**"] }, "pages/c/c.md", false],
    [{ allow: ["pages/!(hr)/**"] }, "pages/hr/c.md", false],
    [{ allow: ["pages/!(hr)/**"] }, "pages/a/c.md", true],
    [{ allow: ["pages/a/**"], deny: ["pages/a/**"] }, "pages/a/b.md", false],
    [{ allow: ["pages/a/x.md"] }, "pages/a/x.md", true],
    [{ allow: ["pages/a/x.md"] }, "pages/a/x.mdx", false]
  ])("%j: %s is %j", (paths, path, expected) => {
    expect(sees(paths, path)).toBe(expected);
  });

  it("are restrictions where they allow or deny anything", () => {
    const restricted = (paths: GrantInput["paths"]) => access(paths).restricted("search_files");
    expect([undefined, {}, { deny: [] }].map(restricted)).toEqual([false, false, false]);
    expect([{ allow: ["**"] }, { deny: ["x.md"] }].map(restricted)).toEqual([true, true]);
  });
});

describe("invariant 2: generated files", () => {
  const notes = ["pages/notes/**"];
  it.each<[GrantInput["paths"], string, boolean]>([
    // Named, and made of nothing that is hidden.
    [{ allow: [...notes, "index.md"] }, "index.md", true],
    [{ allow: [...notes, "*.md"] }, "index.md", false],
    [{ allow: [...notes, "index*"] }, "index.md", true],
    [{ allow: [...notes, "i*.md"] }, "index.md", false],
    [{ allow: [...notes, "_graph/**"] }, "_graph/index.md", true],
    [{ allow: [...notes, "_index/**"] }, "_index/catalog.json", true],
    [{ allow: [...notes, "_*/**"] }, "_graph/index.md", false],
    [{ allow: [...notes, "{_index,_graph}/**"] }, "_graph/index.md", true],
    [{ allow: ["pages/**", "log.md"] }, "log.md", true],
    // Of one page.
    [{ allow: [...notes, "_graph/by-file/**"] }, "_graph/by-file/notes/a.json", true],
    [{ allow: [...notes, "_graph/by-file/**"] }, "_graph/by-file/hr/a.json", false],
    [{ allow: ["_graph/by-file/**"] }, "_graph/by-file/notes/a.json", false],
    [{ allow: [...notes, "_graph/**"], deny: ["pages/notes/x/**"] }, "_graph/by-file/notes/x/a.json", false],
    [{ allow: [...notes, "_graph/**"], deny: ["pages/notes/x/**"] }, "_graph/by-file/notes/a.json", true],
    // Of all pages in a directory.
    [{ allow: [...notes, "_graph/**"] }, "_graph/by-directory/notes/index.json", true],
    [{ allow: [...notes, "_graph/**"] }, "_graph/by-directory/index.json", false],
    [{ allow: [...notes, "_graph/**"] }, "_graph/by-file/notes/index.md", true],
    [{ allow: [...notes, "_graph/**"] }, "_graph/by-file/index.md", false],
    [{ allow: [...notes, "_index/**"] }, "_index/pages/notes/notes-documents.json", true],
    [{ allow: [...notes, "_index/**"], deny: ["pages/notes/x.md"] }, "_index/pages/notes/notes-documents.json", false],
    [{ allow: ["pages/notes/a.md", "_index/**"] }, "_index/pages/notes/notes-documents.json", false],
    [{ allow: ["pages/**", "**/index.md"] }, "pages/notes/index.md", true],
    [{ allow: ["pages/**", "**/index.md"], deny: ["pages/notes/hr/**"] }, "pages/notes/index.md", false],
    [{ allow: ["pages/**", "**/index.md"], deny: ["pages/hr/**"] }, "pages/notes/index.md", true],
    [{ allow: ["pages/**"] }, "pages/notes/index.md", false],
    [{ allow: ["pages/**", "pages/**/index-*"] }, "pages/a/index-directory-leaf-9efa.md", true],
    // Of all pages.
    [{ allow: [...notes, "log.md"] }, "log.md", false],
    [{ allow: [...notes, "_index/**"] }, "_index/terms/index.json", false],
    [{ allow: ["pages/**", "_index/**"] }, "_index/terms/index.json", true],
    [{ allow: [...notes, "_new/**"] }, "_new/anything.json", false],
    // A deny wins over a name.
    [{ allow: ["pages/**", "_graph/**"], deny: ["_graph/**"] }, "_graph/index.md", false],
    [{ deny: ["pages/hr/**"] }, "_graph/index.md", false]
  ])("%j: %s is %j", (paths, path, expected) => {
    expect(sees(paths, path)).toBe(expected);
  });

  it("a file that an answer calls generated is one, whatever its name", () => {
    const kb = access({ allow: ["pages/**"] });
    expect(kb.file({ path: "pages/a/summary.md", generated: true }, "read_file").allowed).toBe(false);
    expect(kb.file({ path: "pages/a/index.md", generated: false }, "read_file").allowed).toBe(false);
    const named = access({ allow: ["pages/**", "pages/**/summary.md"] });
    expect(named.file({ path: "pages/a/summary.md", generated: true }, "read_file").allowed).toBe(true);
  });
});

describe("invariant 2: directories, decided by the rules alone", () => {
  it.each<[GrantInput["paths"], string, string]>([
    [undefined, "pages/anything", "visible"],
    [{ deny: ["pages/hr/**"] }, "", "visible"],
    [{ deny: ["pages/hr/**"] }, "pages", "unknown"],
    [{ deny: ["pages/hr/**"] }, "pages/hr", "hidden"],
    [{ deny: ["pages/hr/**"] }, "pages/hr/deep", "hidden"],
    [{ deny: ["pages/hr/**"] }, "pages/HR", "hidden"],
    [{ deny: ["pages/hr/**"] }, "pages/notes", "visible"],
    [{ deny: ["pages/hr/*"] }, "pages/hr", "unknown"],
    [{ deny: ["pages/hr/*.md"] }, "pages/hr/deep", "visible"],
    [{ deny: ["pages/hr/**/*.md"] }, "pages/hr", "hidden"],
    [{ deny: ["**/hr/**"] }, "pages/notes", "unknown"],
    [{ deny: ["**/hr/**"] }, "pages/notes/hr/x", "hidden"],
    [{ deny: ["pages/hr/**"] }, "_graph", "hidden"],
    [{ deny: ["pages/hr/**"] }, "pages/a/../hr", "hidden"],
    [{ allow: ["pages/public/**"] }, "pages", "unknown"],
    [{ allow: ["pages/public/**"] }, "pages/public", "visible"],
    [{ allow: ["pages/public/**"] }, "pages/public/x/y", "visible"],
    [{ allow: ["pages/public/**"] }, "pages/notes", "hidden"],
    [{ allow: ["pages/**/*.md"] }, "pages/notes", "visible"],
    [{ allow: ["pages/{a,b}/**"] }, "pages/b", "visible"],
    [{ allow: ["pages/{a,b}/**"] }, "pages/c", "hidden"],
    [{ allow: ["pages/*/public/**"] }, "pages/x", "unknown"],
    [{ allow: ["pages/*/public/**"] }, "pages/x/public", "visible"],
    [{ allow: ["pages/*/public/**"] }, "pages/x/private", "hidden"],
    [{ allow: ["pages/@(a|b)/**"] }, "pages/a", "unknown"],
    [{ allow: ["pages/a.md"] }, "pages/a", "hidden"],
    [{ allow: ["pages/a.md"] }, "pages", "unknown"],
    [{ allow: ["pages/**"] }, "_index", "hidden"],
    [{ allow: ["pages/**", "_graph/**"] }, "_graph", "visible"],
    [{ allow: ["pages/**", "_graph/**"] }, "_graph/by-file/notes", "visible"],
    [{ allow: ["pages/**", "_graph/**"], deny: ["pages/hr/**"] }, "_graph/by-file/hr", "hidden"],
    [{ allow: ["pages/**", "_graph/**"], deny: ["pages/hr/**"] }, "_graph/by-file/notes", "visible"],
    [{ allow: ["pages/**", "_graph/**"], deny: ["pages/hr/**"] }, "_graph/by-file", "unknown"],
    [{ allow: ["pages/**", "_index/**"], deny: ["pages/hr/**"] }, "_index/terms", "hidden"],
    [{ allow: ["pages/**", "_index/**"] }, "_index/terms", "visible"]
  ])("%j: %s is %s", (paths, path, expected) => {
    expect(access(paths).directory(path, "list_tree")).toBe(expected);
  });
});
