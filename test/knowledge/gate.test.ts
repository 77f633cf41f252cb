import { describe, expect, it } from "vitest";
import { Gate } from "../../src/knowledge/gate.ts";

describe("a gate", () => {
  it("lets so many in at once, the others in the order in which they came", async () => {
    const gate = new Gate(2);
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const passes = Array.from({ length: 5 }, (_, number) =>
      gate.pass(() => {
        begun.push(number);
        return new Promise<number>((resolve) => ends.push(() => resolve(number)));
      })
    );
    expect(begun).toEqual([0, 1]);
    for (let ended = 0; ended < 5; ended += 1) {
      ends[ended]?.();
      expect(await passes[ended]).toBe(ended);
    }
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it("gives a place over whose work failed, at once or later", async () => {
    const gate = new Gate(1);
    const failing = [
      () => Promise.reject(new Error("later")),
      () => {
        throw new Error("at once");
      }
    ];
    // The first is inside at once, the others have waited.
    const outcomes = await Promise.allSettled([...failing, ...failing].map((work) => gate.pass<number>(work)));
    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected", "rejected"]);
    await expect(
      gate.pass<number>(() => {
        throw new Error("alone");
      })
    ).rejects.toThrow("alone");
    expect(await gate.pass(async () => 1)).toBe(1);
  });
});
