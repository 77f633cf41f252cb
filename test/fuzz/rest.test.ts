/** Random requests to every route that the OpenAPI document names, as bytes, so that no client tidies them up. */
import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sendRequest } from "../harness/raw-http.ts";
import { soundArguments, type ValueSchema } from "./values.ts";
import { type FuzzWorld, runs, STATES, startFuzzWorld, type Words } from "./world.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: ValueSchema;
}
interface Documented {
  readonly get?: { readonly parameters?: readonly Parameter[] };
}
const document: { readonly paths: Readonly<Record<string, Documented>> } = JSON.parse(
  readFileSync(new URL("../../schema/openapi.json", import.meta.url), "utf8")
);
const ROUTES = Object.entries(document.paths).flatMap(([path, { get }]) =>
  get === undefined ? [] : [{ path, parameters: get.parameters ?? [] }]
);

/** Without a knowledge base, and of one alone: this caller is granted several. */
const OF_ONE_GRANTED = /^\/agent\/(?!\{kb\}|search$)/;

let world: FuzzWorld;
beforeAll(async () => {
  world = await startFuzzWorld();
});
afterAll(() => world[Symbol.asyncDispose]());

const ODD = [
  "",
  "0",
  "-1",
  "1e2",
  "1.5",
  "true",
  "null",
  "undefined",
  "[]",
  "%00",
  "%zz",
  "..",
  "%2e%2e",
  "a/b",
  "a%2fb",
  "%ff",
  "x?y",
  "é",
  "%F0%9F%98%80"
];

function parameterValue(name: string, words: Words): fc.Arbitrary<string> {
  const known: Readonly<Record<string, readonly string[]>> = {
    kb: words.keys,
    knowledgeBaseId: words.keys,
    fileId: words.fileIds,
    path: words.paths,
    parentPath: words.paths,
    cursor: words.cursors,
    query: ["cache", "about caches", "日本語"],
    limit: ["1", "10", "200", "501"],
    view: ["whole", "compact"],
    mode: ["hybrid", "file", "graph"],
    entryType: ["file", "directory"],
    graphDepth: ["0", "2", "3"],
    depth: ["0", "2", "3"]
  };
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...(known[name] ?? ["1"])).map(encodeURIComponent) },
    fc.constantFrom(...ODD),
    fc.string({ unit: "grapheme", maxLength: 20 }).map(encodeURIComponent),
    // Printable, and as it is: what a careless client sends.
    fc.string({ unit: fc.constantFrom(..."abc{}|\\^`\"<>;:@&=+$,~'()*!"), maxLength: 12 })
  );
}

function randomTarget(words: Words): fc.Arbitrary<string> {
  return fc.constantFrom(...ROUTES).chain(({ path, parameters }) => {
    const query = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name);
    const names = fc.array(fc.constantFrom(...query, "unknown", "limit"), { maxLength: 4 });
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => parameterValue(name, words));
    return fc.tuple(fc.tuple(...inPath), names).chain(([segments, chosen]) => {
      const rest = [...segments];
      const filled = path.replace(/\{\w+\}/g, () => rest.shift() ?? "");
      return fc
        .tuple(...chosen.map((name) => parameterValue(name, words).map((value) => `${name}=${value}`)))
        .map((pairs) => (pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`));
    });
  });
}

/** A target as it is documented, of things that are there. */
function soundTarget(words: Words): fc.Arbitrary<string> {
  const routes = ROUTES.filter(({ path }) => !OF_ONE_GRANTED.test(path));
  return fc.constantFrom(...routes).chain(({ path, parameters }) => {
    const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    const required = parameters.filter((parameter) => parameter.required).map(({ name }) => name);
    return soundArguments(schemas, required, words).map((given) => {
      const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(given[name])));
      const query = parameters.filter((parameter) => parameter.in === "query" && given[parameter.name] !== undefined);
      const pairs = query.map(({ name }) => `${name}=${encodeURIComponent(String(given[name]))}`);
      return pairs.length === 0 ? filled : `${filled}?${pairs.join("&")}`;
    });
  });
}

const state = fc.oneof({ weight: 3, arbitrary: fc.constant("healthy" as const) }, fc.constantFrom(...STATES));
const RUNS = runs(300);

test("no target makes an answer that is the gateway's own fault, and every sound one is served", {
  timeout: runs(120_000)
}, async () => {
  const outcomes = { served: 0, sound: 0 };
  const target = fc.oneof(
    randomTarget(world.words).map((text) => ({ text, sound: false })),
    soundTarget(world.words).map((text) => ({ text, sound: true }))
  );
  await fc.assert(
    fc.asyncProperty(target, state, async ({ text, sound }, during) => {
      const headers = [["Authorization", `Bearer ${world.token}`] as const];
      const answer = await world.during(during, () => sendRequest(world.gateway.url, { target: text, headers }));
      world.judge(answer, during);
      expect(answer.status).toBeGreaterThanOrEqual(200);
      if (sound && during === "healthy") {
        outcomes.sound += 1;
        expect([text, answer.status, answer.status === 200 ? "" : answer.text]).toEqual([text, 200, ""]);
      }
      if (answer.status === 200) {
        outcomes.served += 1;
        return;
      }
      const { error, requestId } = JSON.parse(answer.text);
      expect([typeof error.code, error.httpStatus]).toEqual(["string", answer.status]);
      expect(requestId).toMatch(/^req-/);
    }),
    { numRuns: RUNS }
  );
  // A generator of nonsense alone would show nothing.
  expect(outcomes.sound).toBeGreaterThan(RUNS / 5);
  expect(outcomes.served).toBeGreaterThan(RUNS / 4);
});
