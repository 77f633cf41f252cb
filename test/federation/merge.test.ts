/** Merging by rank: pages of any sizes are one long page, whatever the lists show of themselves at a time. */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { mergeByRank } from "../../src/knowledge/federated-merge.ts";
import { reference } from "./library.ts";

const lists = fc.array(fc.nat(12), { minLength: 1, maxLength: 5 });
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 });
const pathsOf = (list: number, count: number) => Array.from({ length: count }, (_, index) => `${list}-${index}`);
const keyOf = (list: number) => `kb-${list}`;

const whole = (counts: readonly number[]) =>
  reference(Object.fromEntries(counts.map((count, list) => [keyOf(list), pathsOf(list, count)])));

/** Pages through the lists, of which each shows at most `shows` rows at a time. */
function pages(counts: readonly number[], sizes: readonly number[], shows: readonly number[]): string[][] {
  const given = counts.map(() => 0);
  const result: string[][] = [];
  for (;;) {
    const first = sizes[result.length % sizes.length] ?? 1;
    const shown = counts.map((count, list) => {
      const rank = given[list] ?? 0;
      const rows = pathsOf(list, count).slice(rank, rank + Math.min(first, shows[list % shows.length] ?? first));
      return { list, key: keyOf(list), rank, rows, more: rank + rows.length < count, path: (row: string) => row };
    });
    const merged = mergeByRank(shown, first);
    for (const { list } of merged) given[list.list] = (given[list.list] ?? 0) + 1;
    result.push(merged.map(({ list, row }) => `${list.key}/${row}`));
    if (given.every((rank, list) => rank === counts[list])) return result;
    if (result.length > 200) throw new Error("The walk makes no progress.");
  }
}

describe("merging by reciprocal rank", () => {
  test("gives the same list in pages of any sizes as at once", () => {
    fc.assert(
      fc.property(lists, sizes, (counts, sizes) => {
        const walked = pages(counts, sizes, [100]);
        expect(walked.flat()).toEqual(whole(counts));
        for (const [index, page] of walked.slice(0, -1).entries())
          expect(page).toHaveLength(sizes[index % sizes.length] ?? 0);
      })
    );
  });

  test("never passes a row that its list has not shown yet", () => {
    fc.assert(
      fc.property(lists, sizes, sizes, (counts, sizes, shows) => {
        expect(pages(counts, sizes, shows).flat()).toEqual(whole(counts));
      })
    );
  });

  test("stops where a list that goes on shows nothing", () => {
    const silent = { key: "a", rank: 0, rows: [], more: true, path: () => "" };
    const list = { key: "b", rank: 0, rows: ["1", "2"], more: false, path: (row: string) => row };
    expect(mergeByRank<string, typeof list>([silent, list], 5)).toEqual([]);
    expect(mergeByRank<string, typeof list>([{ ...silent, rank: 1 }, list], 5).map(({ row }) => row)).toEqual(["1"]);
  });

  test("decides between equal ranks by key, and between equal keys by path", () => {
    const list = (key: string, row: string) => ({ key, rank: 0, rows: [row], more: false, path: (row: string) => row });
    const merged = mergeByRank([list("b", "1"), list("a", "3"), list("a", "2")], 9);
    expect(merged.map(({ list, row }) => list.key + row)).toEqual(["a2", "a3", "b1"]);
  });
});
