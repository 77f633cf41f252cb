import fc from "fast-check";
import { expect, test } from "vitest";
import { graphPathOf as pathWritten } from "../../src/embedded/paths.ts";
import { graphRefPage, graphPathOf as pathExpected } from "../../src/policy/generated.ts";

test("the embedded upstream keeps a page's relations where the policy looks for their page", () => {
  const segment = fc.string({ unit: "binary", minLength: 1 }).filter((text) => !text.includes("/"));
  const pages = fc
    .tuple(fc.array(segment, { minLength: 1, maxLength: 4 }), fc.constantFrom(".md", ".MD"))
    .map(([segments, ending]) => [`pages/${segments.join("/")}`, ending] as const);
  fc.assert(
    fc.property(pages, ([stem, ending]) => {
      const path = pathWritten(`${stem}${ending}`);
      expect(path).toBe(pathExpected(`${stem}${ending}`));
      expect(graphRefPage(path)).toBe(`${stem}.md`);
    })
  );
});
