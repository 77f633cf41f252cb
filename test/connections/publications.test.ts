import { describe, expect, it } from "vitest";
import { ask, LISTS, rowsOf, SURFACES, walk } from "./surfaces.ts";
import { type Side, shelf, side } from "./world.ts";

const ADDED = "pages/notes/note-00a.md";

function publish({ fake }: Side): void {
  fake.knowledgeBase().addPage({ path: ADDED, content: "Also about caches." }).publish();
  fake.knowledgeBase().relations.unshift({ from: "pages/seed.md", to: ADDED });
}

describe.each([
  ["before the gateway asks for the revision again", 600_000],
  ["after which the gateway asks for the revision again", 0]
])("invariant 6: a publication between two pages, %s", (_, revisionCheckMs) => {
  describe.each(LISTS)("of %s", (list) => {
    it.each(SURFACES)("is the cursor error through %s, and the way out works", async (surface) => {
      await using world = await side({
        knowledgeBases: [shelf(20)],
        gateway: { config: { cache: { revisionCheckMs } } }
      });
      const { gateway, question } = world;
      const before = await world.whole(list);
      const first = await ask(surface, gateway, question(list, { size: 5 }));
      expect(first.rows).toEqual(before.slice(0, 5));
      publish(world);
      const second = await ask(surface, gateway, question(list, { size: 5, cursor: first.next }));
      expect(second).toMatchObject({ rows: [], next: null });
      expect(second.error).toMatchObject({
        code: "VALIDATION_ERROR",
        httpStatus: 422,
        message: expect.stringMatching(/Leave (after|cursor) out to start again from the first page\.$/),
        details: { field: "cursor", reason: "REVISION_CHANGED", restart: true }
      });
      for (const path of before) expect(second.text).not.toContain(path);
      const after = await world.whole(list);
      expect(after).toContain(ADDED);
      const again = await walk(surface, gateway, question(list), [5]);
      expect(rowsOf(again)).toEqual(after);
      expect(again[0]?.body.activeContentRevision ?? 42).toBe(42);
    });
  });
});

describe("invariant 6: rows of one revision under another's label", () => {
  it.each(LISTS)("are neither shown nor kept: %s", async (list) => {
    await using world = await side({
      knowledgeBases: [shelf(20)],
      gateway: { config: { cache: { maxBytes: 10_000_000, revisionCheckMs: 600_000 } } }
    });
    const { fake, gateway, question } = world;
    await world.whole(list);
    fake.on(
      ({ operation }) => operation !== "getKnowledgeBase",
      (_, model) => {
        // Rows are read, the content is published, the label is read.
        const old = model();
        publish(world);
        const body = { ...(old.body as object), activeContentRevision: fake.knowledgeBase().revision };
        return { ...old, body };
      },
      1
    );
    for (let times = 0; times < 2; times += 1) {
      const { rows, body } = await ask("agent", gateway, question(list, { size: 50 }));
      expect(rows).toContain(ADDED);
      expect(body.activeContentRevision).toBe(42);
    }
    // The first page, the same at the new revision, and nothing for what is kept.
    expect(world.asked(list)).toHaveLength(2);
    expect(rowsOf(await walk("graphql", gateway, question(list), [7]))).toEqual(await world.whole(list));
  });

  it("are not shown where the label is behind either", async () => {
    await using world = await side({ knowledgeBases: [shelf(20)] });
    const { fake, gateway, question } = world;
    fake.knowledgeBase().relabel = (_, revision) => revision - 1;
    const { error, rows } = await ask("agent", gateway, question("related", { size: 5 }));
    expect(rows).toEqual([]);
    expect(error?.details).toEqual({ field: "cursor", reason: "REVISION_CHANGED", restart: true });
  });
});

describe("a search whose cursor the upstream has forgotten", () => {
  it.each(SURFACES)("is the cursor error through %s", async (surface) => {
    await using world = await side({ knowledgeBases: [shelf(20)] });
    const { fake, gateway, question } = world;
    const first = await ask(surface, gateway, question("search", { size: 5 }));
    fake.expireSearchCursors();
    const second = await ask(surface, gateway, question("search", { size: 5, cursor: first.next }));
    expect(second).toMatchObject({ rows: [], next: null });
    expect(second.error).toMatchObject({
      code: "VALIDATION_ERROR",
      httpStatus: 422,
      details: { field: "cursor", reason: "EXPIRED", restart: true }
    });
  });
});
