import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { explorationRules, indexIsOpen } from "../../src/tools/rules.ts";
import { fakeReader } from "../agent/fake-reader.ts";

it("gives eight rules, and names index.md only to those who may read it", () => {
  const open = explorationRules({ indexOpen: true });
  const closed = explorationRules({ indexOpen: false });
  expect(open).toHaveLength(8);
  expect(open.join(" ")).toContain("index.md");
  expect(closed.join(" ")).not.toContain("index.md");
  expect(closed.filter((rule, index) => rule !== open[index])).toEqual([expect.stringContaining("list_tree")]);
});

it("takes index.md for closed where path rules or a missing operation may close it", () => {
  expect(indexIsOpen(fakeReader().viewer, "handbook")).toBe(true);
  expect(indexIsOpen(fakeReader({ pathRules: true }).viewer, "handbook")).toBe(false);
  expect(indexIsOpen(fakeReader({ operations: ["search_files"] }).viewer, "handbook")).toBe(false);
  expect(indexIsOpen(fakeReader({ pathRules: true }).viewer, "another")).toBe(true);
});

it("is what docs/for-agents.md tells", () => {
  const page = readFileSync(new URL("../../docs/for-agents.md", import.meta.url), "utf8");
  const text = page.replaceAll("\\_", "_").replace(/\s+/g, " ");
  for (const rule of explorationRules({ indexOpen: true })) expect(text).toContain(rule);
});
