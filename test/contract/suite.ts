/** Runs the contract's table, and what must hold between several answers, over one implementation. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { OPERATIONS, type Operation, type OperationInput } from "../../src/upstream/operations.ts";
import { TABLE } from "./table.ts";
import { ask, fetchReply, type Json, type World } from "./world.ts";

export interface Implementation extends AsyncDisposable {
  readonly world: World;
}

/** @param least how many of the table's requests the implementation must know; a replay knows what was recorded */
export function contractSuite(name: string, start: () => Promise<Implementation>, least: number): void {
  describe(`the contract over ${name}`, () => {
    let implementation: Implementation;
    let asked = 0;

    beforeAll(async () => {
      implementation = await start();
    });
    afterAll(() => implementation?.[Symbol.asyncDispose]());

    test.for(TABLE)("$operation: $name", async (row, context) => {
      const { world } = implementation;
      const input = row.input(world);
      if (input === null) return context.skip("the implementation has nothing to ask this of");
      const reply = await ask(world, row.operation, input);
      if (!reply.known) return context.skip("not recorded");
      asked += 1;
      expect(reply.status, JSON.stringify(reply.body)?.slice(0, 300)).toBe(row.status ?? 200);
      if (reply.status === 200) {
        const parsed = OPERATIONS[row.operation].answer.safeParse(reply.body);
        expect(parsed.error?.issues).toBeUndefined();
      } else expectRefusal(reply.body, row.code, row.details, reply.headers);
      row.check?.(reply.body, world);
    });

    test(`at least ${least} of the ${TABLE.length} requests were answered`, () => {
      expect(asked).toBeGreaterThanOrEqual(least);
    });

    const walks: [Operation, (world: World) => OperationInput, number][] = [
      ["listKnowledgeBases", () => ({}), 2],
      ["listKnowledgeBaseTree", (world) => inside(world, { parentPath: "pages" }), 3],
      ["listRelatedFiles", (world) => inside(world, {}, world.seed.id), 2],
      ["expandGraph", (world) => inside(world, { fileId: world.seed.id, depth: "2" }), 3],
      ["searchGeneratedFiles", (world) => inside(world, { query: world.word }), 2]
    ];

    test.for(walks)(
      "%s: the walk over all pages gives each item of the whole list once",
      async ([operation, input, limit]) => {
        const { world } = implementation;
        const whole = rowsOf((await ask(world, operation, input(world))).body);
        const walked: string[] = [];
        let cursor: string | null = null;
        do {
          const query: Record<string, string> = {
            ...input(world).query,
            limit: String(limit),
            ...(cursor && { cursor })
          };
          const { body, status } = await ask(world, operation, { ...input(world), query });
          expect(status).toBe(200);
          const rows = rowsOf(body);
          expect(rows.length).toBeLessThanOrEqual(limit);
          walked.push(...rows);
          cursor = body.nextCursor;
        } while (cursor !== null && walked.length <= whole.length);
        expect(walked).toEqual(whole);
        expect(new Set(walked).size).toBe(walked.length);
      }
    );

    test("links of the first answers are open", async () => {
      const { world } = implementation;
      const replies = await Promise.all([
        ask(world, "listKnowledgeBaseTree", inside(world, {})),
        ask(world, "getFileById", inside(world, {}, world.seed.id)),
        ask(world, "listRelatedFiles", inside(world, {}, world.seed.id)),
        ask(world, "getGraphOverview", inside(world, {}))
      ]);
      const links = [...new Set(replies.flatMap(({ body }) => linksOf(body)))];
      expect(links.length).toBeGreaterThan(10);
      for (const link of links) expect([link, (await fetchReply(world, link)).status]).toEqual([link, 200]);
    });
  });
}

function inside(world: World, query: Record<string, string>, fileId?: string): OperationInput {
  return { ids: { knowledgeBaseId: world.knowledgeBase, ...(fileId && { fileId }) }, query };
}

function rowsOf(body: Json): string[] {
  return (body.items ?? body.relationships).map((row: Json) =>
    [row.fromFileId, row.id ?? row.fileId ?? row.knowledgeBaseId].filter(Boolean).join(" > ")
  );
}

/** The state of an upload is told by no read operation of the table, so its link is not followed. */
export function linksOf(value: Json): string[] {
  if (Array.isArray(value)) return value.flatMap(linksOf);
  if (value === null || typeof value !== "object") return [];
  const { readActions, ...rest } = value;
  const links = Object.entries(readActions ?? {}).filter(([name, link]) => name !== "sourceFileStatusById" && link);
  return [...links.map(([, link]) => String(link)), ...Object.values(rest).flatMap(linksOf)];
}

export function expectRefusal(body: Json, code: string | undefined, details: Json, headers: Headers): void {
  expect(body.error.code).toBe(code);
  expect(body.error.details).toEqual(details);
  expect(body.error.message.length).toBeGreaterThan(0);
  expect(headers.get("x-request-id")).toBe(body.requestId);
}
