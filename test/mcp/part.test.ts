/** A text in parts: nothing is lost, nothing is cut in two. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { offsetOf, type Part, partOf } from "../../src/mcp/tools/part.ts";

const FAMILY = "👨‍👩‍👧‍👦";

function partsOf(text: string, maxBytes: number): Part[] {
  const parts: Part[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const part: Part | null = partOf(text, offset, maxBytes);
    if (part === null) throw new Error("an offset was sent, so there must be a part");
    parts.push(part);
    offset = part.nextOffset;
  }
  return parts;
}

describe("content in parts", () => {
  it("leaves a text whole that fits and of which no part was asked", () => {
    expect(partOf("é".repeat(4), undefined, 8)).toBeNull();
    expect(partOf("é".repeat(4), undefined, 7)).toMatchObject({ content: "ééé", offset: 0, nextOffset: 3 });
  });

  it("gives the whole text over all parts, each within the bytes and of whole characters", () => {
    const text = fc
      .array(fc.constantFrom("a", "é", "中", "😀", FAMILY, "\n"), { maxLength: 40 })
      .map((all) => all.join(""));
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 30 }), (whole, maxBytes) => {
        const parts = partsOf(whole, maxBytes);
        expect(parts.map((part) => part.content).join("")).toBe(whole);
        for (const { content, totalCharacters } of parts) {
          expect(Buffer.byteLength(content)).toBeLessThanOrEqual(maxBytes);
          expect(content).not.toMatch(/\p{Surrogate}/u);
          expect(totalCharacters).toBe([...whole].length);
        }
      })
    );
  });

  it("counts characters as code points, wherever the offset lies", () => {
    expect(partOf("a😀b", 1, 100)).toEqual({ content: "😀b", offset: 1, nextOffset: null, totalCharacters: 3 });
    expect(partOf("a😀b", 2, 100)).toMatchObject({ content: "b" });
    expect(partOf("a😀b", 3, 100)).toMatchObject({ content: "", nextOffset: null });
  });

  it("goes on where the limit is smaller than a character", () => {
    expect(partsOf("中😀", 1).map((part) => part.content)).toEqual(["中", "😀"]);
  });

  it("refuses an offset behind the end, and one that is no number, naming it", () => {
    expect(() => partOf("abc", 4, 100)).toThrow(
      expect.objectContaining({ code: "VALIDATION_ERROR", details: { field: "offset", limit: 3 } })
    );
    for (const offset of ["ten", -1, 1.5, true, []]) {
      expect(() => offsetOf({ offset })).toThrow(/^offset must be a whole number/);
    }
    expect(offsetOf({ offset: "12" })).toBe(12);
    expect(offsetOf({ offset: null })).toBeUndefined();
  });
});
