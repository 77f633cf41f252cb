import { describe, expect, it } from "vitest";
import { explain, renderExplanation } from "../../src/policy/explain.ts";
import { acme, configOf } from "./configs.ts";

const config = acme(
  {
    knowledgeBases: ["handbook"],
    operations: ["search_files", "read_file"],
    paths: { allow: ["pages/**", "_graph/**"] }
  },
  { knowledgeBases: ["handbook"], operations: ["list_tree"], paths: { deny: ["pages/hr/**"] } },
  { upstream: "second", subjects: ["admin-*"] }
);
const ask = (path: string, more: object = {}) =>
  renderExplanation(explain(config, { tenant: "acme", knowledgeBase: "handbook", path, ...more })).split("\n");

describe("explain", () => {
  it("names the rule and where it stands, an operation a line", () => {
    expect(ask("pages/hr/pay.md")).toEqual([
      "search_files: denied: deny pages/hr/** (tenants.acme.grants[1].paths.deny[0])",
      "read_file: denied: deny pages/hr/** (tenants.acme.grants[1].paths.deny[0])",
      "list_tree: denied: deny pages/hr/** (tenants.acme.grants[1].paths.deny[0])",
      "get_file: denied: no grant opens this operation here",
      "read_related: denied: no grant opens this operation here",
      "expand_graph: denied: no grant opens this operation here"
    ]);
  });

  it("answers for one operation, with the line where the file is known", () => {
    const explained = explain(config, {
      tenant: "acme",
      knowledgeBase: "knowledge-base-h",
      path: "pages/a.md",
      operation: "read_file"
    });
    expect(explained.knowledgeBase).toBe("handbook");
    expect(renderExplanation(explained, () => ({ line: 27, column: 3 }))).toBe(
      "read_file: allowed: allow pages/** (tenants.acme.grants[0].paths.allow[0], line 27)"
    );
  });

  it.each([
    ["index.md", "read_file: denied: a generated file, which nothing allows by its name"],
    ["_graph/by-file/hr/pay.json", "read_file: denied: a generated file made from pages/hr/pay.md, which is hidden"],
    ["_graph/by-file/a.json", "read_file: allowed: allow _graph/** (tenants.acme.grants[0].paths.allow[1])"],
    ["pages/a/../hr/pay.md", "read_file: denied: the path is not in the form that the upstream uses"],
    ["other.md", "read_file: denied: a generated file, which nothing allows by its name"],
    ["pages/hr/", "read_file: denied: nothing in this directory is allowed"],
    ["pages/notes/", "read_file: allowed: everything in this directory is allowed"],
    ["pages/", "read_file: undecided: the rules alone do not tell; the directory appears if something visible is in it"]
  ])("%s", (path, line) => {
    expect(ask(path, { operation: "read_file" })).toEqual([line]);
  });

  it("tells subjects apart", () => {
    const wiki = { knowledgeBase: "wiki", operation: "read_file" };
    expect(ask("pages/a.md", wiki)).toEqual(["read_file: denied: no grant of this caller is for the knowledge base"]);
    expect(ask("pages/a.md", { ...wiki, subject: "admin-1" })).toEqual([
      "read_file: allowed: no path rules (tenants.acme.grants[2])"
    ]);
  });

  it("refuses a slug that is not there, and knows of no id whether it is", () => {
    const question = { tenant: "acme", path: "pages/a.md", operation: "read_file" } as const;
    expect(() => explain(config, { ...question, knowledgeBase: "nope" })).toThrow(
      "There is no knowledge base nope; there are handbook, archive, wiki."
    );
    expect(renderExplanation(explain(config, { ...question, knowledgeBase: "knowledge-base-7" }))).toContain(
      "no grant"
    );
  });

  it("refuses a tenant that is not there, and needs none without tenants", () => {
    const question = { knowledgeBase: "handbook", path: "index.md", operation: "read_file" } as const;
    expect(() => explain(config, { ...question, tenant: "globex" })).toThrow(
      "There is no tenant globex; there are acme."
    );
    expect(renderExplanation(explain(configOf(), question))).toContain("read_file: allowed: no path rules");
  });
});
