import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { CHECKS } from "./checks.ts";

const root = (path: string) => new URL(`../../${path}`, import.meta.url);

it("every check of the tables stands in its file exactly once", () => {
  const parts = CHECKS.flatMap(({ file, says, text, again }) =>
    [text, ...(again === undefined ? [] : [again.text])].map((part) => ({ file, says, part }))
  );
  const moved = parts.filter(({ file, part }) => readFileSync(root(file), "utf8").split(part).length !== 2);
  expect(moved).toEqual([]);
});
