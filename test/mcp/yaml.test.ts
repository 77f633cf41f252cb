/** The text form's YAML, read back by another implementation. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { toYaml } from "../../src/mcp/tools/yaml.ts";

const words = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "",
    " ",
    "a",
    "true",
    "No",
    "null",
    "~",
    "1e3",
    "0x1f",
    "- a",
    "a: b",
    "a:",
    "a #b",
    "a#b",
    "#",
    "'",
    '"'
  ),
  fc
    .array(fc.constantFrom("a", " ", "\n", "\t", "\r", ":", "#", "-", "…", "\u2028", "\u0085", "中"), { maxLength: 8 })
    .map((parts) => parts.join(""))
);
const scalars = fc.oneof(
  words,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null)
);
const { answer } = fc.letrec<{ answer: Record<string, unknown>; value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalars,
    fc.array(tie("value"), { maxLength: 4 }),
    tie("answer")
  ),
  answer: fc.dictionary(
    words.filter((name) => name !== "__proto__"),
    tie("value"),
    { maxKeys: 5, noNullPrototype: true }
  )
}));

describe("YAML for models", () => {
  it("means the value it was written from", () => {
    fc.assert(
      fc.property(answer, (value) => {
        expect(parse(toYaml(value)) ?? {}).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 300 }
    );
  });

  it("shows text as it is written, and small things on one line", () => {
    const value = {
      items: [
        { path: "pages/a b.md", matchedFields: ["content", "graph_node"], sourceExcerpt: "# A\n\nText: with *marks*" },
        { path: "pages/[draft] (v1).md", readActions: { fileContentById: `/openapi/v2/${"x".repeat(50)}` } }
      ],
      semanticStatus: { state: "ready" },
      nextCursor: null
    };
    expect(toYaml(value)).toBe(`items:
  - path: pages/a b.md
    matchedFields: [content, graph_node]
    sourceExcerpt: |-
      # A

      Text: with *marks*
  - path: pages/[draft] (v1).md
    readActions:
      fileContentById: /openapi/v2/${"x".repeat(50)}
semanticStatus: {state: ready}
nextCursor: null
`);
  });
});
