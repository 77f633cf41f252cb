/** Upstreams that lie about their pages: each list on each surface ends in an error, or gives each row once. */
import { expect, test } from "vitest";
import type { Ask, ListAnswer } from "./ask.ts";
import { ASKS } from "./asks.ts";
import { type Lane, startLane } from "./lane.ts";
import { verdictOf } from "./surfaces.ts";

type ListAsk = Ask & { readonly list: NonNullable<Ask["list"]> };
const LISTS = ASKS.filter((ask): ask is ListAsk => ask.list !== undefined);
/** No honest list here is longer. */
const MOST_PAGES = 10;

interface Walked {
  readonly names: readonly string[];
  /** The code that ended the walk; OK at its end. */
  readonly code: string;
}

async function walk(lane: Lane, ask: ListAsk): Promise<Walked> {
  const names: string[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < MOST_PAGES; pages += 1) {
    const answer = await lane.ask(ask, { limit: 1, cursor });
    const { code } = verdictOf(ask.surface, answer);
    if (code !== "OK") return { names, code };
    const page: ListAnswer = ask.list(answer);
    names.push(...page.names);
    if (page.next === null) return { names, code };
    cursor = page.next;
  }
  throw new Error(`${ask.operation}, ${ask.as}: a walk without end`);
}

test("there are lists on every surface", () => {
  expect(new Set(LISTS.map(({ surface }) => surface)).size).toBe(5);
});

test("invariant 5: a walk gives each row once, page by page", async () => {
  await using lane = await startLane();
  for (const ask of LISTS) {
    const { names } = ask.list(await lane.ask(ask));
    expect(names.length).toBeGreaterThan(1);
    expect([ask.operation, ask.as, await walk(lane, ask)]).toEqual([ask.operation, ask.as, { names, code: "OK" }]);
  }
});

test("invariant 3: a cursor that repeats ends the walk with an error", async () => {
  await using lane = await startLane();
  for (const ask of LISTS) {
    const first = ask.list(await lane.ask(ask, { limit: 1 })).names;
    // The cursor of the first page stands on every page.
    let repeated: unknown;
    const back = lane.upstream.on(ask.operation, (_, model) => {
      const body = model().body as { nextCursor: unknown };
      repeated ??= body.nextCursor;
      return { body: { ...body, nextCursor: repeated } };
    });
    const walked = await walk(lane, ask);
    back();
    expect([ask.operation, ask.as, walked.code]).toEqual([ask.operation, ask.as, "UPSTREAM_INVALID_RESPONSE"]);
    expect(walked.names.slice(0, 1)).toEqual(first);
    expect(walked.names.length).toBeLessThanOrEqual(2);
  }
});

test("invariant 3: cursors that never end a list without rows end in an error or a bounded walk", async () => {
  await using lane = await startLane();
  for (const ask of LISTS) {
    let given = 0;
    const rows = ask.operation === "expandGraph" ? "relationships" : "items";
    const back = lane.upstream.on(ask.operation, (_, model) => {
      given += 1;
      return { body: { ...(model().body as object), [rows]: [], nextCursor: `endless-${given}` } };
    });
    const before = lane.upstream.count(ask.operation);
    const answer = await lane.ask(ask, { limit: 1 });
    back();
    const { code } = verdictOf(ask.surface, answer);
    // More to come, said so: never the end of the list.
    if (code === "OK") expect([ask.operation, ask.as, ask.list(answer).next]).not.toContain(null);
    expect(lane.upstream.count(ask.operation) - before).toBeLessThanOrEqual(25);
  }
});

test("invariant 3: a cursor too long to be handed on is an error, not the end", async () => {
  await using lane = await startLane();
  for (const ask of LISTS) {
    const back = lane.upstream.on(ask.operation, (_, model) => ({
      body: { ...(model().body as object), nextCursor: "c".repeat(100_000) }
    }));
    const { code } = await walk(lane, ask);
    back();
    expect([ask.operation, ask.as, code]).toEqual([ask.operation, ask.as, "UPSTREAM_INVALID_RESPONSE"]);
  }
});

test("invariant 5: rows that stand twice in a page are given once", async () => {
  await using lane = await startLane();
  for (const ask of LISTS) {
    const whole = ask.list(await lane.ask(ask)).names;
    const rows = ask.operation === "expandGraph" ? "relationships" : "items";
    const back = lane.upstream.on(ask.operation, (_, model) => {
      const body = model().body as Record<string, unknown[]>;
      return { body: { ...body, [rows]: [...(body[rows] ?? []), ...(body[rows] ?? [])] } };
    });
    const walked = await walk(lane, ask);
    back();
    expect([ask.operation, ask.as, walked]).toEqual([ask.operation, ask.as, { names: whole, code: "OK" }]);
  }
});

test("invariant 6: a page whose label is newer than its rows is asked for again", async () => {
  await using lane = await startLane();
  for (const ask of LISTS.filter(({ operation }) => operation !== "listKnowledgeBases")) {
    const healthy = ask.list(await lane.ask(ask)).names;
    const kb = lane.upstream.knowledgeBase();
    // A publication comes between the rows and the label.
    lane.upstream.on(
      ask.operation,
      (_, model) => {
        const { body } = model();
        kb.publish();
        return { body: { ...(body as object), activeContentRevision: kb.revision } };
      },
      1
    );
    const before = lane.upstream.count(ask.operation);
    const answer = await lane.ask(ask);
    expect([ask.operation, ask.as, verdictOf(ask.surface, answer).code]).toEqual([ask.operation, ask.as, "OK"]);
    expect(ask.list(answer).names).toEqual(healthy);
    expect(lane.upstream.count(ask.operation) - before).toBe(2);
    expect(answer.text).not.toContain(`"activeContentRevision":${kb.revision - 1}`);
  }
});
