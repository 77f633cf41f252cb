import { expect, it } from "vitest";
import { fitExcerpts } from "../../src/tools/excerpts.ts";

const words = (count: number) => Array.from({ length: count }, () => "word").join(" ");

it("leaves excerpts alone that fit together", () => {
  const excerpts = [words(300), words(100), "", words(50)];
  expect(fitExcerpts(excerpts)).toEqual(excerpts);
});

it("cuts the longest first, between words, and says so", () => {
  const [long, short, longer] = fitExcerpts([words(500), words(20), words(900)]);
  expect(short).toBe(words(20));
  for (const cut of [long, longer]) expect(cut).toMatch(/^(word )+word…$/);
  expect(long).toBe(longer);
  expect(`${long}${short}${longer}`.length).toBeLessThanOrEqual(3_300);
  expect(`${long}${short}${longer}`.length).toBeGreaterThan(3_200);
});

it("keeps something of each, however many there are", () => {
  const excerpts = fitExcerpts(Array.from({ length: 200 }, () => words(100)));
  for (const excerpt of excerpts) expect(excerpt.length).toBeGreaterThan(70);
});

it.each([
  ["in a highlight", `${"a".repeat(3_290)} <em>highlighted</em> b`, /^a+…$/],
  ["in a highlight's mark", `${"a".repeat(3_296)}<em>x</em>`, /^a+…$/],
  ["in a character pair", `${"a".repeat(3_298)}\u{1f600}b`, /^a+…$/]
])("does not cut %s", (_, excerpt, expected) => {
  expect(fitExcerpts([excerpt])[0]).toMatch(expected);
});
