import { describe, expect, it } from "vitest";
import { decideText } from "../../src/policy/generated-text.ts";
import { createAccess } from "../../src/policy/grants.ts";
import { acme, type GrantInput } from "./configs.ts";

const paths: GrantInput["paths"] = { allow: ["pages/**", "_graph/**", "_index/**"], deny: ["pages/hr/**"] };
const shows = (path: string, text: unknown, rules = paths) => {
  const [kb] = createAccess(acme({ knowledgeBases: ["handbook"], ...(rules ? { paths: rules } : {}) }), {
    tenant: "acme",
    subject: "bot"
  }).named;
  if (kb === undefined) throw new Error("the grant names a knowledge base");
  const content = typeof text === "string" ? text : JSON.stringify(text);
  return decideText(kb, { path, generated: path.startsWith("_") }, content, "read_file").allowed;
};
const relation = (targetPath: string) => ({ path: "pages/a.md", relationships: [{ targetPath, targetTitle: "T" }] });

describe("invariant 2: the text of generated files", () => {
  it("a graph file that relates only to visible pages is shown", () => {
    expect(shows("_graph/by-file/a.json", relation("pages/b.md"))).toBe(true);
  });

  it.each([
    ["a related page", relation("pages/hr/pay.md")],
    [
      "evidence",
      { relationships: [{ targetPath: "pages/b.md", evidence: [{ path: "pages/hr/pay.md", excerpt: "…" }] }] }
    ],
    ["a key of joined paths", { resources: [{ firstKey: "pages/a.md\0pages/hr/pay.md\0references" }] }],
    ["the index of a directory", { childDirectories: [{ path: "_index/pages/hr/index.json" }] }],
    ["a directory", { childDirectories: [{ scopePath: "pages/hr" }] }],
    ["another graph file", { next: "_graph/by-file/hr/pay.json" }]
  ])("one that names what is hidden is not: %s", (_, text) => {
    expect(shows("_graph/by-file/a.json", text)).toBe(false);
    expect(shows("_graph/by-file/a.json", text, { allow: ["pages/**", "_graph/**"] })).toBe(true);
  });

  it("one that names the directories of a page that it shows is shown, and of another directory is not", () => {
    const partly: GrantInput["paths"] = { allow: ["pages/**", "_graph/**"], deny: ["pages/a/hidden.md"] };
    const text = (directory: string) => ({ path: "pages/a/b.md", indexPath: `_index/pages/${directory}/index.json` });
    expect(shows("_graph/by-file/a/b.json", text("a"), partly)).toBe(true);
    expect(shows("_graph/by-file/c.json", text("a"), partly)).toBe(true);
    expect(shows("_graph/by-file/c.json", { scopePath: "pages/a" }, partly)).toBe(false);
  });

  it("one that is not JSON after all is not", () => {
    expect(shows("_graph/by-file/a.json", '{"relationships":[')).toBe(false);
  });

  it("the links of a Markdown index are followed from where it stands", () => {
    const head = "[Documents](../../../pages/index.md) · [Relationship graph](../../index.md)\n";
    expect(shows("_graph/by-file/notes/index.md", `${head}- [A](a.json)\n- [deep](deep/index.md)`)).toBe(true);
    expect(shows("_graph/by-file/index.md", `${head}- [h](hr/index.md)`)).toBe(false);
    expect(shows("_graph/by-file/notes/index.md", "- [h](../h%72/index.md)")).toBe(false);
    expect(shows("_graph/by-file/notes/index.md", "- [h](%ff)")).toBe(false);
    expect(shows("_graph/by-file/notes/index.md", "- [h](/pages/hr/pay.md)")).toBe(false);
    expect(shows("_graph/by-file/notes/index.md", "- [h](/pages/notes/a.md)")).toBe(true);
  });

  it("an uploaded page is shown as it was written", () => {
    expect(shows("pages/a.md", "see [pay](hr/pay.md)")).toBe(true);
  });
});
