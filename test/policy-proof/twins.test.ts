/**
 * What is hidden might as well not be there: every answer is the same, byte for byte but for cursors and request ids, from a
 * knowledge base that holds hidden pages and from its twin that never had them. Counts, statuses, messages, the places
 * where pages end: whatever could tell the two apart is found here, without a list of what that might be.
 */
import fc from "fast-check";
import { expect, it } from "vitest";
import { type Caller, OPERATIONS } from "./caller.ts";
import { type Case, caseOf, type Draw, draws } from "./cases.ts";
import { callersOver } from "./grants.ts";
import { askThrough, describeCase, runs, startWorld } from "./running.ts";
import type { Reply } from "./surfaces.ts";
import { type Base, complete, type World, worlds } from "./world.ts";

const RUNS = 40;
const QUESTIONS = 20;

interface Batch {
  readonly world: World;
  readonly callers: readonly Caller[];
  readonly draws: readonly Draw[];
}

const batches: fc.Arbitrary<Batch> = worlds.chain((world) =>
  fc.record({
    world: fc.constant(world),
    // A generated file tells of the pages there are, so without rules for those: they hide it as a whole.
    callers: callersOver(world, 1, { generated: false }),
    draws: fc.array(draws, { minLength: QUESTIONS, maxLength: QUESTIONS })
  })
);

const seen = { compared: 0, withHidden: 0 };

it("invariant 2: hidden pages change no answer of any surface", async () => {
  await fc.assert(
    fc.asyncProperty(batches, async ({ world, callers, draws: drawn }) => {
      const [caller] = callers;
      if (caller === undefined) throw new Error("there is one caller");
      const twin = withoutHidden(world, caller);
      await using first = await startWorld(world, callers);
      await using second = await startWorld(twin, callers);
      await Promise.all(
        drawn.map(async (draw) => {
          const asked = caseOf(draw, world, callers);
          const [replies, twins] = await Promise.all([first, second].map(({ gateway }) => askThrough(gateway, asked)));
          same(plain(replies ?? []), plain(twins ?? []), describeCase(asked));
          seen.compared += 1;
          if (hides(asked, twin)) seen.withHidden += 1;
        })
      );
    }),
    runs<
      [
        {
          world: World;
          callers: readonly Caller[];
          draws: readonly (typeof draws extends fc.Arbitrary<infer D> ? D : never)[];
        }
      ]
    >(RUNS)
  );
  expect(seen.withHidden / seen.compared).toBeGreaterThan(0.5);
}, 600_000);

/** @throws Error with the place where two texts part, which a list of two whole worlds would hide */
function same(text: string, other: string, what: string): void {
  if (text === other) return;
  let at = 0;
  while (text[at] === other[at]) at += 1;
  const around = (whole: string) => whole.slice(Math.max(0, at - 300), at + 300);
  throw new Error(`${what}\nwith hidden pages …${around(text)}…\nwithout them …${around(other)}…`);
}

/** Without the pages that the caller may see through no operation, and without what is only about them. */
function withoutHidden({ bases }: World, caller: Caller): World {
  const twins = bases.map((base): Base => {
    const pages = base.pages.filter(({ path }) => OPERATIONS.some((operation) => caller.sees(base, operation, path)));
    const directories = [...base.directories].filter(([path]) =>
      pages.some((page) => page.path.startsWith(`${path}/`))
    );
    return complete({ ...base, pages, directories: new Map(directories) });
  });
  return { bases: twins, owner: () => undefined };
}

function hides({ base }: Case, twin: World): boolean {
  const other = twin.bases.find(({ slug }) => slug === base.slug);
  return other !== undefined && other.pages.length < base.pages.length;
}

/** Cursors are sealed places of two lists; scores are the upstream's, which ranks what is hidden too. */
const OWN = new Set(["cursor", "nextCursor", "endCursor", "startCursor", "score", "requestId"]);

function plain(replies: readonly Reply[]): string {
  const told = replies.map(({ answer: { status, body }, cursor }) => ({ status, goesOn: cursor !== null, body }));
  return JSON.stringify(told, (key, value: unknown) => {
    if (OWN.has(key)) return value === null ? null : "own";
    return typeof value === "string" ? withoutOwn(value) : value;
  });
}

/** The same in the text that MCP sends beside the structured answer. */
function withoutOwn(text: string): string {
  return text.replace(/^(\s*(?:- )?(?:nextCursor|score)): .*$/gm, "$1").replace(/req-[0-9a-f-]{36}/g, "");
}
