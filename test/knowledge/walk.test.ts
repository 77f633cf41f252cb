import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../src/errors.ts";
import type { Position } from "../../src/knowledge/position.ts";
import {
  createLearnedMaximum,
  type RowRange,
  type WalkRequest,
  type WalkSource,
  walk
} from "../../src/knowledge/walk.ts";
import { ids, Model, type ModelOptions, type Page, type Row, refusal, request, rowsOf } from "./walk-model.ts";

const place = (page: string | null, offset = 0, limit: number | null = null, revision = 1): Position => ({
  revision,
  page,
  limit,
  offset,
  checksum: null,
  end: false
});
const end: Position = { ...place(null), end: true };
const limits = (model: Model) => model.fetches.map(({ limit }) => limit);
const run = (options: ModelOptions, parts: Partial<WalkRequest>) => {
  const model = new Model(options);
  return { model, walked: walk(model, request(parts)) };
};

async function refused(walked: Promise<unknown>): Promise<GatewayError> {
  const error = await walked.then(
    () => null,
    (thrown: unknown) => thrown
  );
  expect(error).toBeInstanceOf(GatewayError);
  return error as GatewayError;
}

async function expectRestart(walked: Promise<unknown>, reason: string): Promise<void> {
  const error = await refused(walked);
  expect(error.body()).toMatchObject({
    code: "VALIDATION_ERROR",
    httpStatus: 422,
    details: { field: "cursor", reason, restart: true }
  });
  expect(error.message).toMatch(/start again/i);
}

describe("invariant 8: the fewest upstream calls", () => {
  test.each<[string, number, Partial<WalkRequest>, number[], boolean]>([
    ["as many rows as wanted", 100, { first: 10 }, [10], true],
    ["all rows that there are", 10, { first: 10 }, [10], false],
    ["fewer than wanted", 3, { first: 10 }, [10], false],
    ["an empty list", 0, { first: 10 }, [10], false],
    ["more than the list's maximum, stitched", 100, { first: 60, maximum: 25 }, [25, 25, 10], true],
    ["one more where rows may be hidden", 100, { first: 10, restricted: true }, [11], true],
    ["one more finds the end", 10, { first: 10, restricted: true }, [11], false],
    ["the maximum where rows may be hidden", 100, { first: 50, restricted: true }, [50, 50], true],
    ["inside a page of which enough is left", 100, { first: 4, after: place(null, 3, 10) }, [10], true],
    ["inside a page of which too little is left", 100, { first: 9, after: place(null, 3, 10) }, [12], true],
    ["inside a page near the maximum", 100, { first: 50, after: place(null, 30, 40) }, [50, 30], true],
    ["inside a page that was asked for without a limit", 100, { first: 3, after: place(null, 2) }, [5], true],
    ["inside an unstable page", 100, { first: 9, after: place(null, 3, 10), stable: false }, [10, 2], true]
  ])("%s", async (_, count, parts, asked, more) => {
    const { model, walked } = run({ rows: rowsOf(count), stable: parts.stable ?? true }, parts);
    const result = await walked;
    const from = parts.after?.offset ?? 0;
    expect(limits(model)).toEqual(asked);
    expect(result.rows).toHaveLength(Math.min(parts.first ?? 0, count - from));
    expect(result.hasNextPage).toBe(more);
    expect(model.checks).toEqual([false]);
  });

  test.each<[string, Position | null, boolean]>([
    ["at the start", null, true],
    ["inside the list", place("1:5:5"), true],
    ["at the end", end, false]
  ])("first: 0 %s asks nothing, not even for the revision", async (_, after, more) => {
    const { model, walked } = run({ rows: rowsOf(20) }, { first: 0, after });
    const result = await walked;
    expect(model.fetches).toEqual([]);
    expect(model.checks).toEqual([]);
    expect(result).toMatchObject({ rows: [], pages: [], hasNextPage: more });
    expect(result.endPosition()).toEqual(after);
  });

  test("a walk past the end asks for no page, and still for the revision", async () => {
    const { model, walked } = run({ rows: rowsOf(20) }, { after: end });
    const result = await walked;
    expect(model.fetches).toEqual([]);
    expect(model.checks).toEqual([false]);
    expect(result).toMatchObject({ rows: [], hasNextPage: false });
    expect(result.endPosition()).toEqual(end);
    expect(result.nextPosition()).toBeNull();
  });
});

describe("invariant 5: places", () => {
  test("between rows of a page, after a page and after the list", async () => {
    const model = new Model({ rows: rowsOf(7) });
    const first = await walk(model, request({ first: 5, maximum: 3 }));
    expect([0, 1, 2, 3, 4].map((index) => first.positionOf(index))).toEqual([
      { ...place(null, 1, 3), checksum: crc32("a0\n") },
      { ...place(null, 2, 3), checksum: crc32("a0\na1\n") },
      place("1:3:3"),
      { ...place("1:3:3", 1, 2), checksum: crc32("a3\n") },
      place("1:3:5")
    ]);
    expect(first.endPosition()).toEqual(first.positionOf(4));
    expect(first.nextPosition()).toEqual(first.positionOf(4));
    const last = await walk(model, request({ first: 5, after: first.endPosition() }));
    expect(ids(last)).toEqual(["a5", "a6"]);
    expect(last.positionOf(1)).toEqual(end);
    expect(last.nextPosition()).toBeNull();
    expect(() => last.positionOf(2)).toThrow(RangeError);
  });

  test("an empty list has no place", async () => {
    const { walked } = run({ rows: [] }, {});
    expect((await walked).endPosition()).toBeNull();
  });

  test("rows that are all hidden look like an empty list", async () => {
    const { walked } = run({ rows: rowsOf(8, [0, 1, 2, 3, 4, 5, 6, 7]) }, { restricted: true });
    const result = await walked;
    expect(result).toMatchObject({ rows: [], hasNextPage: false });
    expect(result.endPosition()).toBeNull();
  });

  test("what is hidden behind the last row is not read again", async () => {
    const hidden = [2, 3, 4, 5, 6, 7, 8];
    const model = new Model({ rows: rowsOf(10, hidden) });
    const first = await walk(model, request({ first: 2, maximum: 3, restricted: true }));
    expect(first.endPosition()).toEqual(place("1:3:9"));
    expect(ids(await walk(model, request({ first: 2, after: first.endPosition(), restricted: true })))).toEqual(["a9"]);
    expect(model.fetches.at(-1)?.cursor).toBe("1:3:9");
  });

  test("a page of hidden rows only is refilled within the bound, and the next request goes on from there", async () => {
    const hidden = Array.from({ length: 19 }, (_, index) => index);
    const model = new Model({ rows: rowsOf(20, hidden) });
    const bounded = { first: 2, maximum: 3, restricted: true, maxPages: 4 };
    const first = await walk(model, request(bounded));
    expect(first).toMatchObject({ rows: [], hasNextPage: true });
    expect(model.fetches).toHaveLength(4);
    expect(first.endPosition()).toEqual(place("1:3:12"));
    const second = await walk(model, request({ ...bounded, after: first.endPosition() }));
    expect(ids(second)).toEqual(["a19"]);
    expect(second.hasNextPage).toBe(false);
  });

  test("refills ask for the largest page", async () => {
    const { model, walked } = run({ rows: rowsOf(60, [0, 1, 2, 3, 4, 5]) }, { first: 5, restricted: true });
    expect(ids(await walked)).toEqual(["a6", "a7", "a8", "a9", "a10"]);
    expect(limits(model)).toEqual([6, 50]);
  });

  test("an empty upstream page that is not the last is walked on", async () => {
    const pages: Record<string, Page> = {
      null: { rows: [], next: "p2", label: 1 },
      p2: { rows: [], next: "p3", label: 1 },
      p3: { rows: rowsOf(2), next: null, label: 1 }
    };
    const source = scripted((cursor) => pages[String(cursor)] as Page);
    expect(ids(await walk(source, request({})))).toEqual(["a0", "a1"]);
    expect(ids(await walk(source, request({ exact: true })))).toEqual(["a0", "a1"]);
  });

  test("a row that a page repeats is given once, and a resume does not bring it back", async () => {
    const rows = ["x", "y", "x", "z", "y"].map((id) => ({ id, visible: true }));
    const model = new Model({ rows });
    const whole = await walk(model, request({}));
    expect(ids(whole)).toEqual(["x", "y", "z"]);
    expect(whole.untouched).toBe(false);
    expect(ids(await walk(model, request({ after: whole.positionOf(0) })))).toEqual(["y", "z"]);
    expect(ids(await walk(model, request({ after: whole.positionOf(1) })))).toEqual(["z"]);
  });

  test.each([
    ["its own", "p1", "p1"],
    ["an earlier one", "p0", "p1"]
  ])("a page that names %s cursor as the next is an error, not a loop", async (_, next, after) => {
    const source = scripted((cursor) => ({ rows: rowsOf(1), next: cursor === "p0" ? "p1" : next, label: 1 }));
    const error = await refused(walk(source, request({ after: place(next === "p0" ? "p0" : after) })));
    expect(error.code).toBe("UPSTREAM_INVALID_RESPONSE");
  });
});

describe("the caller's own page", () => {
  test("is one upstream page without a limit of ours, all of it", async () => {
    const { model, walked } = run({ rows: rowsOf(12), pageSize: 8 }, { first: 3, exact: true });
    const result = await walked;
    expect(model.fetches).toEqual([{ cursor: null, limit: undefined }]);
    expect(result.rows).toHaveLength(8);
    expect(result.untouched).toBe(true);
    expect(result.nextPosition()).toEqual(place("1:8:8"));
    expect(result.positionOf(2)).toMatchObject({ page: null, offset: 3, limit: 8 });
  });

  test("keeps the upstream's refusal of the caller's limit", async () => {
    const learned = createLearnedMaximum();
    const source = scripted(() => {
      throw refusal({ field: "limit" });
    });
    const error = await refused(walk(source, request({ exact: true, learned })));
    expect(error.details).toEqual({ field: "limit" });
    expect(learned.get()).toBeUndefined();
  });

  test("is an ordinary page where the place lies inside an upstream page", async () => {
    const { model, walked } = run({ rows: rowsOf(12) }, { first: 3, exact: true, after: place(null, 2, 8) });
    expect(ids(await walked)).toEqual(["a2", "a3", "a4"]);
    expect(limits(model)).toEqual([8]);
  });

  test.each<[string, Row[], Partial<WalkRequest>, boolean]>([
    ["a page as it came", rowsOf(4), { first: 4 }, true],
    ["a page that is cut", rowsOf(4), { first: 2, after: place(null, 0) }, true],
    ["a page with a hidden row", rowsOf(4, [1]), { restricted: true }, false],
    ["a page that is entered inside", rowsOf(4), { after: place(null, 1, 4) }, false],
    ["two pages", rowsOf(4), { maximum: 2 }, false]
  ])("untouched: %s", async (_, rows, parts, untouched) => {
    expect((await run({ rows }, parts).walked).untouched).toBe(untouched);
  });

  test("untouched: not where a row was redacted or cut off", async () => {
    const model = new Model({ rows: rowsOf(4) });
    const redacted = scripted(
      () => model.fetch(null, 4),
      (page) => page.rows.map((row) => ({ ...row }))
    );
    expect((await walk(redacted, request({}))).untouched).toBe(false);
    const generous = scripted(() => model.fetch(null, 4));
    expect((await walk(generous, request({ first: 3 }))).untouched).toBe(false);
  });
});

describe("a deployment with a lower maximum", () => {
  test("case 3: is found out once, then pages are stitched", async () => {
    const model = new Model({ rows: rowsOf(100), takes: 20, pageSize: 20 });
    const learned = createLearnedMaximum();
    expect((await walk(model, request({ first: 50, learned }))).rows).toHaveLength(50);
    expect(limits(model)).toEqual([50, undefined, 20, 10]);
    const again = await walk(model, request({ first: 50, learned }));
    expect(ids(again)).toEqual(ids(await walk(new Model({ rows: rowsOf(100) }), request({ first: 50 }))));
    expect(limits(model).slice(4)).toEqual([20, 20, 10]);
  });

  test("a last page does not show the size: the limit is left out until a page does", async () => {
    const learned = createLearnedMaximum();
    const small = new Model({ rows: rowsOf(4), takes: 20, pageSize: 20 });
    await walk(small, request({ first: 50, learned }));
    await walk(small, request({ first: 50, learned }));
    expect(limits(small)).toEqual([50, undefined, undefined]);
    const large = new Model({ rows: rowsOf(45), takes: 20, pageSize: 20 });
    expect((await walk(large, request({ first: 50, learned }))).rows).toHaveLength(45);
    expect(limits(large)).toEqual([undefined, 20, 10]);
    expect(learned.get()).toBe(20);
  });

  test("a place inside a page that is larger than the maximum learned since", async () => {
    const learned = createLearnedMaximum();
    learned.set(20);
    const { model, walked } = run({ rows: rowsOf(100), takes: 20 }, { first: 5, after: place(null, 45, 50), learned });
    expect(ids(await walked)).toEqual(["a45", "a46", "a47", "a48", "a49"]);
    expect(limits(model)).toEqual([20, 20, 10]);
  });

  test("search's own code for a refused limit counts too", async () => {
    const model = new Model({ rows: rowsOf(3) });
    const source = scripted((cursor, limit) => {
      if (limit !== undefined) throw refusal({ code: "INVALID_FILE_SEARCH_LIMIT" });
      return model.fetch(cursor, limit);
    });
    expect(ids(await walk(source, request({})))).toEqual(["a0", "a1", "a2"]);
  });

  test("a page without a limit teaches nothing where no limit was refused", async () => {
    const learned = createLearnedMaximum();
    const { model, walked } = run(
      { rows: rowsOf(50), stable: false },
      { after: place(null, 3), stable: false, learned }
    );
    await walked;
    expect(limits(model)[0]).toBeUndefined();
    expect(learned.get()).toBeUndefined();
  });

  test("an unstable page that cannot be asked for as it was is lost", async () => {
    const { walked } = run({ rows: rowsOf(50), takes: 20 }, { after: place(null, 3, 30), stable: false });
    await expectRestart(walked, "EXPIRED");
  });
});

describe("invariant 6: one revision", () => {
  test("case 1: a cursor of an earlier revision, though the known revision is behind", async () => {
    for (const cursors of ["bound", "silent"] as const) {
      const model = new Model({ rows: rowsOf(20), cursors });
      const first = await walk(model, request({ first: 5 }));
      model.publish(rowsOf(20, [], "b"));
      await expectRestart(walk(model, request({ first: 5, after: first.endPosition() })), "REVISION_CHANGED");
      expect(model.fetches).toHaveLength(2);
      expect(model.checks).toEqual([false, false, true]);
    }
  });

  test("a cursor of an earlier revision than the known one costs no page", async () => {
    const { model, walked } = run({ rows: rowsOf(20) }, { after: place("0:5:5", 0, null, 0) });
    await expectRestart(walked, "REVISION_CHANGED");
    expect(model.fetches).toEqual([]);
    expect(model.checks).toEqual([false, true]);
  });

  test("a cursor of a later revision than the known one is checked and served", async () => {
    const model = new Model({ rows: rowsOf(20) });
    model.publish(rowsOf(20, [], "b"));
    expect(ids(await walk(model, request({ first: 2, after: place("2:5:5", 0, null, 2) })))).toEqual(["b5", "b6"]);
  });

  test("the end of an earlier revision", async () => {
    const { walked } = run({ rows: rowsOf(20) }, { after: { ...end, revision: 0 } });
    await expectRestart(walked, "REVISION_CHANGED");
  });

  test("a first page with a label newer than its rows is asked for again", async () => {
    const published = rowsOf(8, [], "b");
    const { model, walked } = run(
      { rows: rowsOf(8), publications: [{ fetch: 1, when: "during", rows: published }] },
      {}
    );
    const result = await walked;
    expect(result.rows).toEqual(published);
    expect(result.revision).toBe(2);
    expect(model.fetches).toHaveLength(2);
  });

  test("a walk without a cursor starts anew when a later page is overtaken", async () => {
    const published = rowsOf(8, [], "b");
    const publications = [{ fetch: 2, when: "before", rows: published }] as const;
    for (const cursors of ["bound", "silent"] as const) {
      const { walked } = run({ rows: rowsOf(8), cursors, publications }, { maximum: 3 });
      expect((await walked).rows).toEqual(published);
    }
  });

  test("content that moves under every attempt is an error after three", async () => {
    const publications = [1, 2, 3, 4].map((fetch) => ({ fetch, when: "during", rows: rowsOf(3) }) as const);
    const { model, walked } = run({ rows: rowsOf(3), publications }, {});
    await expectRestart(walked, "REVISION_CHANGED");
    expect(model.fetches).toHaveLength(3);
  });

  test("a later page with another label than the walk's, while the revision stands", async () => {
    const source = scripted((cursor) => ({ rows: rowsOf(1), next: "p2", label: cursor === null ? 1 : 2 }));
    await expectRestart(walk(source, request({ after: place("p1") })), "REVISION_CHANGED");
  });

  test("a label that is null counts as revision 0", async () => {
    const source = { ...scripted(() => ({ rows: [], next: null, label: null })), revision: async () => 0 };
    expect(await walk(source, request({}))).toMatchObject({ rows: [], revision: 0 });
  });

  test("a list without revisions has no labels to compare", async () => {
    const source = { ...scripted(() => ({ rows: rowsOf(2), next: null, label: null })), revision: async () => null };
    const result = await walk(source, request({ first: 1 }));
    expect(result.positionOf(0)).toEqual({ ...place(null, 1, 1), revision: null });
    expect(ids(await walk(source, request({ after: result.positionOf(0) })))).toEqual(["a1"]);
  });
});

describe("a page that comes back different on the same revision", () => {
  test.each([
    ["a row is gone", rowsOf(10).slice(1)],
    ["two rows changed places", [rowsOf(10)[1], rowsOf(10)[0], ...rowsOf(10).slice(2)] as Row[]],
    ["all rows are gone", []]
  ])("is noticed where the place lies behind the change: %s", async (_, rows) => {
    for (const stable of [true, false]) {
      const model = new Model({ rows: rowsOf(10), stable: true });
      const first = await walk(model, request({ first: 4, stable }));
      model.rows = rows;
      await expectRestart(walk(model, request({ first: 4, stable, after: first.positionOf(2) })), "EXPIRED");
    }
  });

  test("an unstable page that is shorter than the place is not continued in the next", async () => {
    const source = scripted((cursor) => ({ rows: rowsOf(2), next: cursor === null ? "p2" : null, label: 1 }));
    await expectRestart(walk(source, request({ after: place(null, 3, 5), stable: false })), "EXPIRED");
  });

  test("does not matter behind the place", async () => {
    const model = new Model({ rows: rowsOf(10) });
    const first = await walk(model, request({ first: 4 }));
    model.rows = rowsOf(10).filter((_, index) => index !== 5);
    expect(ids(await walk(model, request({ first: 4, after: first.positionOf(2) })))).toEqual(["a3", "a4", "a6", "a7"]);
  });

  test("does not matter in a list without revisions, which is read as it is", async () => {
    const rows = rowsOf(4);
    const source = { ...scripted(() => ({ rows, next: null, label: null })), revision: async () => null };
    const first = await walk(source, request({ first: 4 }));
    rows.splice(0, 1);
    expect(ids(await walk(source, request({ after: first.positionOf(1) })))).toEqual(["a3"]);
  });
});

describe("invariant 2: what finding out costs", () => {
  test("rows are shown only as far as the request needs, and never those already consumed", async () => {
    const model = new Model({ rows: rowsOf(200, [5, 6, 7, 8]) });
    const ranges: RowRange[] = [];
    const source = scripted(
      (cursor, limit) => model.fetch(cursor, limit),
      (page, range) => {
        ranges.push(range);
        return model.show(page, range).map((row, index) => (index >= range.from && index < range.to ? row : null));
      }
    );
    const parts = { first: 3, restricted: true };
    const walked = await walk(source, request({ ...parts, after: place(null, 4, 50) }));
    expect(ids(walked)).toEqual(["a4", "a9", "a10"]);
    expect(ranges).toEqual([
      { from: 4, to: 8 },
      { from: 8, to: 16 }
    ]);
    expect(walked.endPosition()).toMatchObject({ page: null, offset: 11, limit: 50 });
  });
});

describe("a cursor that the upstream refuses", () => {
  const refusing = (after: string | null) =>
    scripted((cursor) => {
      if (cursor !== after) throw refusal({ field: "cursor" });
      return { rows: rowsOf(3), next: "gone", label: 1 };
    });

  test("also where the limit is refused first", async () => {
    const source = scripted((_, limit) => {
      throw refusal({ field: limit === undefined ? "cursor" : "limit" });
    });
    await expectRestart(walk(source, request({ after: place("gone") })), "EXPIRED");
  });

  test("on the same revision has expired", async () => {
    await expectRestart(walk(refusing("p1"), request({ after: place("gone") })), "EXPIRED");
  });

  test("after a publication belongs to the old revision", async () => {
    const source = { ...refusing("p1"), revision: async (fresh: boolean) => (fresh ? 2 : 1) };
    await expectRestart(walk(source, request({ after: place("gone") })), "REVISION_CHANGED");
  });

  test("in the same request leaves what was found, with more to come", async () => {
    const result = await walk(refusing(null), request({ first: 3, restricted: true }));
    expect(ids(result)).toEqual(["a0", "a1", "a2"]);
    expect(result.hasNextPage).toBe(true);
    expect(result.endPosition()).toEqual(place("gone"));
  });

  test("other errors stay what they are", async () => {
    const source = scripted(() => {
      throw new GatewayError("RATE_LIMITED", { retryAfterSeconds: 15 });
    });
    expect((await refused(walk(source, request({})))).code).toBe("RATE_LIMITED");
    const filter = scripted(() => {
      throw refusal({ field: "entryType" });
    });
    expect((await refused(walk(filter, request({ after: place("p1") })))).details).toEqual({ field: "entryType" });
    const odd = refusing("p1");
    expect((await refused(walk(odd, request({})))).details).toEqual({ field: "cursor" });
  });
});

function scripted(
  fetch: (cursor: string | null, limit: number | undefined) => Page | Promise<Page>,
  show: (page: Page, range: RowRange) => readonly (Row | null)[] = (page) => page.rows
): WalkSource<Row, Page> {
  return {
    fetch: async (cursor, limit) => fetch(cursor, limit),
    revision: async () => 1,
    show,
    identity: (row) => row.id
  };
}
