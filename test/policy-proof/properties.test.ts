/**
 * Nobody sees more, and nobody sees less: random trees, random grants and random requests through every surface of a
 * running gateway, against a model that says plainly what each caller may see.
 */
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import type { TestGateway } from "../harness/gateway.ts";
import type { Caller, Operation } from "./caller.ts";
import { type Case, caseOf, type Draw, draws, pick } from "./cases.ts";
import { expectedOf } from "./expected.ts";
import { callersOver } from "./grants.ts";
import { wrongLinks } from "./links.ts";
import { marksIn } from "./marks.ts";
import { askThrough, describeCase, describeGrants, runs, startWorld } from "./running.ts";
import { ANY, scan } from "./scan.ts";
import type { Reply } from "./surfaces.ts";
import { type Leg, TOURS, type TourName, type Trip, tourNames } from "./tours.ts";
import { type World, worlds } from "./world.ts";

const RUNS = 75;
const CALLERS = 3;
const QUESTIONS = 24;
const JOURNEYS = 8;

interface Batch {
  readonly world: World;
  readonly callers: readonly Caller[];
  readonly draws: readonly Draw[];
  readonly tours: readonly (readonly [tour: TourName, choice: number])[];
}

const batches: fc.Arbitrary<Batch> = worlds.chain((world) =>
  fc.record({
    world: fc.constant(world),
    callers: callersOver(world, CALLERS, { generated: true }),
    draws: fc.array(draws, { minLength: QUESTIONS, maxLength: QUESTIONS }),
    tours: fc.array(fc.tuple(tourNames, fc.nat(1000)), { minLength: JOURNEYS, maxLength: JOURNEYS })
  })
);

/** A case is one caller's one question or tour; it is mixed where the model has rows to show and rows to hide of it. */
const seen = { cases: 0, mixed: 0, answers: 0, marks: 0 };
afterAll(() => console.log(`policy proof: ${JSON.stringify(seen)}`));

it("invariant 2: no answer of any surface holds what a plain model hides, and each holds what it shows", async () => {
  const parameters = runs<[Batch]>(RUNS);
  await fc.assert(
    fc.asyncProperty(batches, async ({ world, callers, draws: drawn, tours }) => {
      await using running = await startWorld(world, callers);
      const proof = { gateway: running.gateway, world };
      await Promise.all([
        ...drawn.map((draw) => checkCase(proof, caseOf(draw, world, callers))),
        ...tours.map(([tour, choice]) => checkTour(proof, callers, tour, choice))
      ]);
    }),
    parameters
  );
  expect(seen.cases).toBeGreaterThanOrEqual((parameters.numRuns ?? RUNS) * (QUESTIONS + JOURNEYS));
  expect(seen.mixed / seen.cases).toBeGreaterThan(0.3);
}, 600_000);

interface Proof {
  readonly gateway: TestGateway;
  readonly world: World;
}

async function checkCase(proof: Proof, asked: Case): Promise<void> {
  const { caller, base, question, target, depth } = asked;
  const expected = expectedOf(caller, base, question.operation, target, { depth });
  const replies = await askThrough(proof.gateway, asked);
  const { code = null, answer } = replies.at(-1) ?? {};
  const what = describeCase(asked);
  if (!expected.codes.includes(code)) {
    throw new Error(`${what}\nended with ${code}, not with ${expected.codes.join(" or ")}\n${answer?.text}`);
  }
  const legs = replies.map((reply): Leg => ({ answer: reply.answer, operations: operationsOf(reply, asked) }));
  const ownWords = marksIn(String(question.args.query ?? ""));
  judge(proof, caller, { ...expected, legs, present: code === null ? expected.present : [] }, { ownWords, what });
}

async function checkTour(proof: Proof, callers: readonly Caller[], tour: TourName, choice: number): Promise<void> {
  const { gateway, world } = proof;
  const caller = pick(callers, choice);
  const known = world.bases.filter((base) => caller.knows(base));
  const base = pick(known.length > 0 && choice % 10 !== 0 ? known : world.bases, choice);
  const what = `${tour} ${choice} in ${base.slug}\nas ${describeGrants(caller)}`;
  const trip = await TOURS[tour]({ gateway, token: gateway.token(caller.tenant), caller, world, base, choice });
  judge(proof, caller, trip, { ownWords: [], what });
}

interface Said {
  /** The caller's own, which some answers repeat. */
  readonly ownWords: readonly string[];
  /** The case, for people. */
  readonly what: string;
}

/** Nothing that the model hides is in the answers, and everything that must be is. */
function judge({ world }: Proof, caller: Caller, trip: Trip, { ownWords, what }: Said): void {
  const present = new Set<string>();
  for (const { answer, operations } of trip.legs) {
    const inBody = scan(answer.body, operations).filter(({ found }) => !ownWords.includes(found));
    for (const { found, operations: under, at } of [...inBody, ...scan(Object.fromEntries(answer.headers), [])]) {
      const owner = world.owner(found);
      // What nobody owns is a directory that is in every knowledge base.
      if (owner !== undefined && !caller.shows(owner, under)) {
        const shown = `shows ${found} at ${at}, by ${under.join(" or ") || "nothing"}`;
        throw new Error(`${what}\n${shown}\n${answer.text.slice(0, 4000)}`);
      }
      present.add(found);
    }
    const [wrong] = wrongLinks(answer.body, caller, world);
    if (wrong !== undefined) throw new Error(`${what}\nends with a link that misleads: ${wrong}`);
  }
  const missing = trip.present.filter((one) => !present.has(one));
  if (missing.length > 0) throw new Error(`${what}\nlacks ${missing}\n${trip.legs.at(-1)?.answer.text.slice(0, 4000)}`);
  seen.cases += 1;
  seen.answers += trip.legs.length;
  seen.marks += present.size;
  if (trip.visibleRows > 0 && trip.hiddenRows > 0) seen.mixed += 1;
}

/** A refusal shows nothing, but that a file which may be seen has no relations. */
function operationsOf({ code }: Reply, { question, surface }: Case): readonly Operation[] {
  if (code !== null && code !== "CONFLICT") return [];
  return surface === "graphql" ? ANY : [question.operation];
}
