/** Memory and sockets are where they were after many faults of every kind. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { ASKS } from "./asks.ts";
import { type Lane, startLane } from "./lane.ts";
import { verdictOf } from "./surfaces.ts";
import { FAULTS, type UpstreamFault } from "./table.ts";

const SLOW_LIMIT_MS = 300;
const AT_ONCE = 10;
const MEBIBYTE = 1024 * 1024;
/** Less than one answer of the largest kind that is accepted, and than a few kilobytes a request. */
const MOST_GROWTH = 4 * MEBIBYTE;

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const SEARCH = ASKS.find(({ operation, surface }) => operation === "searchGeneratedFiles" && surface === "agent");

/** Different questions, so that each goes to the upstream. */
async function suffer(lane: Lane, fault: UpstreamFault): Promise<number> {
  if (SEARCH === undefined) return expect.unreachable();
  const { upstream } = lane;
  const back = fault.answer === undefined ? undefined : upstream.on(SEARCH.operation, fault.answer);
  if (back === undefined) await upstream.goAway();
  const questions = Array.from({ length: AT_ONCE }, (_, index) => lane.ask(SEARCH, { limit: index + 1 }));
  const answers = await Promise.all(questions);
  if (back === undefined) await upstream.comeBack();
  back?.();
  // Circuits that opened, and waits that were named, are not what is looked at here.
  lane.renew();
  return answers.filter((answer) => verdictOf(SEARCH.surface, answer).code !== "OK").length;
}

/** In bytes, of what is still held; what the harness itself has written down is forgotten first. */
async function held({ upstream, gateway }: Lane): Promise<number> {
  await upstream.until(() => upstream.requests.every(({ finished, aborted }) => finished || aborted));
  for (const list of [upstream.requests, gateway.logs, gateway.written, gateway.audit]) (list as unknown[]).length = 0;
  collectGarbage();
  await new Promise(setImmediate);
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test("six hundred faults of every kind leave nothing behind", async () => {
  await using lane = await startLane(SLOW_LIMIT_MS);
  const round = async () => {
    let failed = 0;
    for (const fault of FAULTS) failed += await suffer(lane, fault);
    return failed;
  };
  // What is loaded or compiled once is not what is looked at.
  await round();
  const before = await held(lane);
  const failed = await round();
  const after = await held(lane);
  console.log(
    `${failed} faults; ${(before / MEBIBYTE).toFixed(1)} MiB before, ${(after / MEBIBYTE).toFixed(1)} MiB after`
  );
  expect(failed).toBeGreaterThan(600);
  expect(after - before).toBeLessThan(MOST_GROWTH);
});
