/** Clients that ask one thing after the other, on any surface, for either tenant, and sometimes leave. */
import { setTimeout as delay } from "node:timers/promises";
import { type Ask, subjectIn } from "../faults/ask.ts";
import { ASKS as ALL_ASKS, USUAL_ASKS } from "../faults/asks.ts";
import { send, verdictOf } from "../faults/surfaces.ts";
import type { FakeUpstream } from "../harness/fake-upstream.ts";
import type { TestGateway } from "../harness/gateway.ts";
import { wrongWith } from "./checks.ts";
import type { Faults } from "./disturbances.ts";
import type { Random } from "./random.ts";
import type { Truth } from "./truth.ts";

export interface Soak {
  readonly upstream: FakeUpstream;
  readonly gateway: TestGateway;
  readonly truth: Truth;
  readonly faults: Faults;
  readonly random: Random;
  /** `cache.revisionCheckMs`: how old what is known of the revision may be. */
  readonly trustMs: number;
  readonly figures: Figures;
}

export class Figures {
  readonly codes = new Map<string, number>();
  readonly surfaces = new Map<string, number>();
  readonly milliseconds: number[] = [];
  readonly wrong: string[] = [];
  left = 0;

  count(counts: Map<string, number>, name: string): void {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
}

const LEAVES = 0.05;
/** Clocks of two timers may differ by so much. */
const SLACK_MS = 5;
const ASKS: readonly Ask[] = [
  ...USUAL_ASKS,
  ...ALL_ASKS.filter(({ wide, operation }) => wide && operation === "searchGeneratedFiles")
];

/** Asks until the signal. */
export async function client(soak: Soak, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await once(soak, soak.random.chance(LEAVES));
    if (soak.random.chance(0.3)) await delay(soak.random.below(20));
  }
}

/** One request, its answer checked. */
export async function once({ upstream, gateway, truth, faults, random, trustMs, figures }: Soak, leaves: boolean) {
  const ask = random.one(ASKS);
  const path = random.one(truth.paths);
  const subject = subjectIn(upstream, path);
  const restricted = random.chance(0.5);
  const token = gateway.token(restricted ? "restricted" : "whole");
  const leaving = leaves ? AbortSignal.timeout(random.below(30)) : undefined;
  const from = Date.now();
  const began = performance.now();
  try {
    const request = { token, ...(leaving === undefined ? {} : { signal: leaving }) };
    const answer = await send(gateway, ask.question(subject, {}), request);
    figures.milliseconds.push(performance.now() - began);
    const verdict = verdictOf(ask.surface, answer);
    figures.count(figures.codes, verdict.code);
    figures.count(figures.surfaces, ask.surface);
    const span = { from: from - trustMs - SLACK_MS, to: Date.now() };
    const disturbed = faults.disturb({ from, to: span.to });
    const wrong = wrongWith(truth, { ask, subject, restricted, span, disturbed }, verdict, answer);
    if (wrong !== null) {
      const who = restricted ? "restricted" : "whole";
      figures.wrong.push(
        `${ask.operation}, ${ask.as}, ${path}, ${who}: ${wrong}: ${answer.status} ${answer.text.slice(0, 600)}`
      );
    }
  } catch (error) {
    if (leaving?.aborted) figures.left += 1;
    else figures.wrong.push(`${ask.operation}, ${ask.as}: no answer: ${String(error)}`);
  }
}
