import { readFileSync } from "node:fs";
import fc from "fast-check";
import { buildSchema } from "graphql";
import { afterAll, beforeAll, expect, test } from "vitest";
import { randomRequest } from "./documents.ts";
import { type FuzzWorld, runs, STATES, startFuzzWorld } from "./world.ts";

const schema = buildSchema(readFileSync(new URL("../../schema/schema.graphql", import.meta.url), "utf8"));
const RUNS = runs(250);
/** What a sound document may meet: it is long, looks for a file in another knowledge base, or for a generated one's relations. */
const EXCUSED = ["QUERY_TOO_COMPLEX", "NOT_FOUND", "CONFLICT"];

let world: FuzzWorld;
beforeAll(async () => {
  world = await startFuzzWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

test("no document, over no upstream, makes an answer that is the gateway's own fault", {
  timeout: runs(120_000)
}, async () => {
  const outcomes = { data: 0, refused: 0, sound: 0, soundServed: 0 };
  const state = fc.oneof({ weight: 3, arbitrary: fc.constant("healthy" as const) }, fc.constantFrom(...STATES));
  await fc.assert(
    fc.asyncProperty(randomRequest(schema, world.words), state, async ({ query, variables, sound }, during) => {
      const { gateway, token } = world;
      const answer = await world.during(during, () => gateway.graphql(query, variables, { token }));
      world.judge(answer, during);
      expect([200, 400]).toContain(answer.status);
      const { data, errors } = answer.body;
      expect(errors === undefined ? typeof data : errors.length).not.toBe(errors === undefined ? "undefined" : 0);
      for (const { message, extensions } of errors ?? []) {
        expect(typeof message).toBe("string");
        expect(extensions).toMatchObject({ code: expect.any(String), httpStatus: expect.any(Number) });
        expect(extensions.requestId).toMatch(/^req-/);
      }
      outcomes[data === undefined || data === null ? "refused" : "data"] += 1;
      if (!sound || during !== "healthy") return;
      outcomes.sound += 1;
      if (errors === undefined) outcomes.soundServed += 1;
      for (const { extensions } of errors ?? []) expect(EXCUSED).toContain(extensions.code);
    }),
    { numRuns: RUNS }
  );
  // A generator of nonsense alone would show nothing.
  expect(outcomes.data).toBeGreaterThan(RUNS / 2);
  expect(outcomes.sound).toBeGreaterThan(RUNS / 4);
  expect(outcomes.soundServed).toBeGreaterThan(outcomes.sound * 0.8);
});

test("nor do bodies of any kind", { timeout: runs(120_000) }, async () => {
  const body = fc.oneof(
    fc.json(),
    fc.string({ unit: "binary" }),
    fc
      .record({ query: fc.jsonValue(), variables: fc.jsonValue(), operationName: fc.jsonValue() })
      .map((value) => JSON.stringify(value)),
    fc.uint8Array({ maxLength: 200 })
  );
  await fc.assert(
    fc.asyncProperty(body, async (sent) => {
      const { gateway, token } = world;
      const headers = { "content-type": "application/json" };
      const answer = await world.during("healthy", () => gateway.post("/graphql", sent, { token, headers }));
      world.judge(answer, "healthy");
      expect(answer.body.errors ?? answer.body.data).toBeDefined();
    }),
    { numRuns: runs(200) }
  );
});
