import fc from "fast-check";
import { expect, test } from "vitest";
import { pathName } from "../../src/knowledge/held.ts";
import { HeldIndex } from "../../src/knowledge/held-index.ts";

const path = fc.array(fc.constantFrom("a", "b", "c"), { minLength: 1, maxLength: 3 }).map((parts) => parts.join("/"));
const step = fc.record({
  held: fc.boolean(),
  knowledgeBase: fc.constantFrom("kb-1", "kb-2"),
  path,
  answer: fc.constantFrom("first", "second")
});

test("invariant 7: what is held of a directory is what was added to it and not removed since", () => {
  fc.assert(
    fc.property(fc.array(step), fc.constantFrom("", "a", "a/b"), (steps, directory) => {
      const index = new HeldIndex();
      const held = new Set<string>();
      for (const { held: added, knowledgeBase, path, answer } of steps) {
        index[added ? "add" : "remove"](knowledgeBase, ["file-id", pathName(path)], answer);
        const entry = JSON.stringify([knowledgeBase, path, answer]);
        if (added) held.add(entry);
        else held.delete(entry);
      }
      const here = [...held]
        .map((entry) => JSON.parse(entry) as [string, string, string])
        .filter(([knowledgeBase, path]) => knowledgeBase === "kb-1" && parentOf(path) === directory);
      expect(index.pathsIn("kb-1", directory).sort()).toEqual([...new Set(here.map(([, path]) => path))].sort());
      for (const [, path] of here) {
        const answers = here.filter(([, other]) => other === path).map(([, , answer]) => answer);
        expect(index.answers("kb-1", pathName(path)).sort()).toEqual(answers.sort());
      }
    })
  );
});

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf("/"), 0));
}
