/** Every fault × every read operation × every surface that offers it, on a running gateway. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ASKS } from "./asks.ts";
import { runFault } from "./lane.ts";
import type { UpstreamFault } from "./table.ts";

/** A fault has some dozens of cases; those that end at a time limit take as long as that together. */
const LANE_TIMEOUT_MS = 120_000;

/** Registers a test a fault, and says at the end how many cases there were. */
export function testFaults(faults: readonly UpstreamFault[]): void {
  let cases = 0;
  let searched = 0;
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);

  beforeAll(() => void process.on("warning", note));

  afterAll(() => {
    process.off("warning", note);
    const operations = new Set(ASKS.map(({ operation }) => operation)).size;
    const surfaces = new Set(ASKS.map(({ surface }) => surface)).size;
    console.log(
      `${faults.length} faults × ${operations} operations × ${surfaces} surfaces: ${cases} cases; ` +
        `${searched} answers and log lines searched for markers`
    );
    expect(warnings).toEqual([]);
  });

  test.concurrent.each(faults)(
    "invariants 3 and 4: $name is $code everywhere, and over with it",
    async (fault) => {
      const report = await runFault(fault);
      cases += report.cases;
      searched += report.searched;
    },
    LANE_TIMEOUT_MS
  );
}
