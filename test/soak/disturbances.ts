/** What happens to the gateway during a soak: faults, publications, withdrawals, reloads. */
import { setTimeout as delay } from "node:timers/promises";
import { FAULTS, type UpstreamFault } from "../faults/table.ts";
import type { FakeHandler, FakeUpstream } from "../harness/fake-upstream.ts";
import type { Random } from "./random.ts";
import type { Span, Truth } from "./truth.ts";

/** Left out: refusals that are about what was asked, and answers that take longer to make than to refuse. */
const ABOUT_THE_QUESTION = new Set([
  "NOT_FOUND",
  "INTERNAL_ERROR",
  "VALIDATION_ERROR",
  "CONFLICT",
  "PAYLOAD_TOO_LARGE",
  "INVALID_PATH"
]);
const PASSING = FAULTS.filter(({ code, wait }) => !ABOUT_THE_QUESTION.has(code) && wait === undefined);
/** How long an open circuit, or a wait that a 429 named, may outlast what caused it. */
export const AFTERMATH_MS = 6_000;

/** Answers as a real upstream gives them: after a while, and with a label that is read after the rows. */
export function slowly(random: Random, revision: () => number): FakeHandler {
  return async (_, model) => {
    const answer = model();
    if (random.chance(0.7)) return answer;
    await delay(random.below(12));
    return answer.status === 200 ? { ...answer, body: relabelled(answer.body, revision()) } : answer;
  };
}

function relabelled(value: unknown, revision: number): unknown {
  if (Array.isArray(value)) return value.map((item) => relabelled(item, revision));
  if (typeof value !== "object" || value === null) return value;
  // The knowledge base's own revision is the row, not a label on it.
  if ("knowledgeBaseId" in value && "createdAt" in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      name === "activeContentRevision" && typeof member === "number" ? revision : relabelled(member, revision)
    ])
  );
}

export class Faults {
  readonly #spans: { from: number; to: number }[] = [];
  episodes = 0;

  /** Whether the upstream was ill at some time of the span, or shortly before. */
  disturb({ from, to }: Span): boolean {
    return this.#spans.some((span) => span.from <= to && span.to + AFTERMATH_MS >= from);
  }

  /** One fault for a while, for some or all of the requests of one kind, or of all. */
  async episode(upstream: FakeUpstream, random: Random): Promise<string> {
    const fault = random.one(PASSING);
    const span = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.#spans.push(span);
    this.episodes += 1;
    const end = await begin(upstream, fault, random);
    await delay(100 + random.below(1_500));
    await end();
    span.to = Date.now();
    return fault.name;
  }
}

async function begin(upstream: FakeUpstream, fault: UpstreamFault, random: Random): Promise<() => unknown> {
  const { answer } = fault;
  if (answer === undefined) {
    await upstream.goAway();
    return () => upstream.comeBack();
  }
  const share = random.one([0.1, 0.5, 1]);
  const only = random.one([null, null, "searchGeneratedFiles", "getFileContentById", "getKnowledgeBase"]);
  return upstream.on(({ operation }) => {
    // A fault of searches in any other answer would be one that no upstream gives.
    if (fault.concerns !== undefined && operation !== "searchGeneratedFiles") return false;
    return (only === null || operation === only) && random.chance(share);
  }, answer);
}

/** Publishes every now and then, at times in bursts, until the signal; a content goes before its revision does. */
export async function publishing(truth: Truth, random: Random, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await delay(random.chance(0.1) ? 5 : 100 + random.below(900));
    if (!random.chance(0.3)) {
      truth.publish(random);
      continue;
    }
    const path = random.one(truth.paths);
    const now = Date.now();
    const ms = 20 + random.below(200);
    truth.withdraw(path, now, now + ms + 50);
    await delay(ms);
    truth.giveBack(path);
    truth.publish(random);
  }
}
