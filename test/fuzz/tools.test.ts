/** Random arguments to every tool, as a post and over MCP, and random messages to MCP. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TOOLS } from "../../src/tools/call.ts";
import { soundArguments, type ValueSchema } from "./values.ts";
import { type FuzzWorld, runs, STATES, startFuzzWorld, type Words } from "./world.ts";

let world: FuzzWorld;
beforeAll(async () => {
  world = await startFuzzWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const RUNS = runs(250);
const ACCEPT = { accept: "application/json, text/event-stream" };
const state = fc.oneof({ weight: 3, arbitrary: fc.constant("healthy" as const) }, fc.constantFrom(...STATES));

function argumentOf(name: string, words: Words): fc.Arbitrary<unknown> {
  const known: Readonly<Record<string, readonly unknown[]>> = {
    query: ["cache", "about caches"],
    fileId: words.fileIds,
    path: words.paths,
    parentPath: words.paths,
    cursor: [...words.cursors, null],
    limit: [1, 10, "50", "ten", 1.5, true, []],
    depth: [0, 1, "2", 3],
    knowledgeBase: words.keys
  };
  return fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...(known[name] ?? ["hybrid", "all", "page", 1, null])) },
    fc.jsonValue({ maxDepth: 2 })
  );
}

interface Call {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** As it is documented, and about what is there. */
  readonly sound: boolean;
}

interface Documented {
  readonly name: string;
  readonly inputSchema: {
    readonly properties: Readonly<Record<string, ValueSchema>>;
    readonly required?: readonly string[];
  };
}
const document: { readonly mcp: readonly Documented[] } = JSON.parse(
  readFileSync(new URL("../../schema/tools.json", import.meta.url), "utf8")
);

function soundCall(words: Words): fc.Arbitrary<Call> {
  return fc.constantFrom(...document.mcp).chain(({ name, inputSchema: { properties, required = [] } }) => {
    // Of the two that read_file takes it takes exactly one, which no plain schema says.
    const choices = name === "read_file" ? Object.keys(properties) : [null];
    return fc.constantFrom(...choices).chain((only) => {
      const schemas = Object.entries(properties).filter(([key]) => only === null || key === only);
      const needed = only === null ? required : [only];
      const args = soundArguments(Object.fromEntries(schemas), needed, words);
      return args.map((given) => ({ name, args: given, sound: true }));
    });
  });
}

function wildCall(words: Words): fc.Arbitrary<Call> {
  return fc.constantFrom(...TOOLS).chain(({ name, input }) => {
    const members = [...Object.keys(input.shape), "knowledgeBase", "surplus"];
    const optional = Object.fromEntries(members.map((member) => [member, argumentOf(member, words)]));
    return fc.record(optional, { requiredKeys: [] }).map((args) => ({ name, args, sound: false }));
  });
}

const randomCall = (words: Words) => fc.oneof(wildCall(words), soundCall(words));

test("no arguments of a tool post make an answer that is the gateway's own fault", {
  timeout: runs(120_000)
}, async () => {
  const outcomes = { served: 0, sound: 0 };
  await fc.assert(
    fc.asyncProperty(randomCall(world.words), state, async ({ name, args, sound }, during) => {
      const { gateway, token } = world;
      const answer = await world.during(during, () => gateway.post(`/agent/one/tools/${name}`, args, { token }));
      world.judge(answer, during);
      if (sound && during === "healthy") {
        outcomes.sound += 1;
        expect([answer.status, answer.status === 200 ? "" : answer.text]).toEqual([200, ""]);
      }
      if (answer.status === 200) outcomes.served += 1;
      else expect(answer.body.error.httpStatus).toBe(answer.status);
    }),
    { numRuns: RUNS }
  );
  // A generator of nonsense alone would show nothing.
  expect(outcomes.sound).toBeGreaterThan(RUNS / 5);
  expect(outcomes.served).toBeGreaterThan(RUNS / 4);
});

test("nor of a call over MCP, which tells a tool's errors to the model", { timeout: runs(120_000) }, async () => {
  const outcomes = { served: 0, sound: 0 };
  await fc.assert(
    fc.asyncProperty(randomCall(world.words), state, async ({ name, args, sound }, during) => {
      const { gateway, token } = world;
      const complete = sound ? { ...args, knowledgeBase: "one" } : args;
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: complete } };
      const answer = await world.during(during, () => gateway.post("/mcp", message, { token, headers: ACCEPT }));
      world.judge(answer, during);
      expect(answer.status).toBe(200);
      const { result } = answer.body;
      if (sound && during === "healthy") {
        outcomes.sound += 1;
        expect([result.isError ?? false, result.isError ? answer.text : ""]).toEqual([false, ""]);
      }
      if (!result.isError) outcomes.served += 1;
      if (result.isError) expect(JSON.parse(result.content[0].text).error.code).toEqual(expect.any(String));
      else expect(result.structuredContent).toBeDefined();
    }),
    { numRuns: RUNS }
  );
  expect(outcomes.sound).toBeGreaterThan(RUNS / 5);
  expect(outcomes.served).toBeGreaterThan(RUNS / 4);
});

test("nor does any message to MCP", { timeout: runs(120_000) }, async () => {
  const method = fc.oneof(
    fc.constantFrom(
      "initialize",
      "ping",
      "tools/list",
      "tools/call",
      "resources/list",
      "resources/read",
      "prompts/get"
    ),
    fc.constantFrom("resources/templates/list", "prompts/list", "completion/complete", "notifications/initialized"),
    fc.string({ maxLength: 12 })
  );
  const params = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.record({
      uri: fc.oneof(fc.webUrl(), fc.constantFrom("focowiki://one/pages/one.md", "focowiki://one/", "focowiki:///x"))
    }),
    fc.record({
      name: fc.constantFrom("explore_knowledge", "search_files", "x"),
      arguments: fc.jsonValue({ maxDepth: 2 })
    }),
    fc.record({ cursor: fc.oneof(fc.string(), fc.base64String()) })
  );
  const message = fc.oneof(
    fc.record(
      { jsonrpc: fc.constant("2.0"), id: fc.oneof(fc.nat(), fc.string()), method, params },
      { requiredKeys: ["jsonrpc", "method"] }
    ),
    fc.jsonValue({ maxDepth: 3 })
  );
  await fc.assert(
    fc.asyncProperty(message, fc.constantFrom("/mcp", "/mcp/one", "/mcp/none"), async (sent, path) => {
      const { gateway, token } = world;
      const headers = { ...ACCEPT, "content-type": "application/json" };
      const answer = await world.during("healthy", () => gateway.post(path, JSON.stringify(sent), { token, headers }));
      world.judge(answer, "healthy");
    }),
    { numRuns: runs(250) }
  );
});
