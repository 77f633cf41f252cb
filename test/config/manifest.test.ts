/** The manifest of persisted operations as a part of the configuration. */
import { afterEach, describe, expect, it } from "vitest";
import { loadConfig } from "../../src/config/load.ts";
import { type ConfigWatch, watchConfig } from "../../src/config/reload.ts";
import { problemsOf, shortly, temporaryFolder } from "./files.ts";

const config = (graphql: string) =>
  `upstreams: { main: { url: http://127.0.0.1:1, apiKey: "\${env:KEY}" } }\ngraphql: ${graphql}\n`;
const ONLY = config("{ persistedOperations: only, persistedManifest: operations.json }");
const env = { KEY: "k" };
// Text is text: nothing of it is filled in.
const operations = {
  "0a1b": "query A { viewer { tenant } }",
  "sha256:ff": ['query B { a(x: "$', '{env:KEY}") }'].join("")
};

describe("persistedManifest", () => {
  it("is read from the file that it names, beside the configuration", () => {
    using folder = temporaryFolder({ "gateway.yaml": ONLY, "operations.json": JSON.stringify(operations) });
    const loaded = loadConfig(folder.path("gateway.yaml"), env);
    expect(loaded.config.graphql).toMatchObject({ persistedOperations: "only", persistedManifest: operations });
    expect(loaded.warnings).toEqual([]);
    expect(loaded.files).toContain(folder.path("operations.json"));
  });

  it.each([
    ["missing", undefined, "the file operations.json cannot be read"],
    ["not JSON", "{", "the file operations.json is not a JSON object of {id: text}"],
    ["a list", '["query { a }"]', "the file operations.json is not a JSON object of {id: text}"],
    ["without a text", '{"a": "{ b }", "c": null}', 'in the file operations.json, the operation "c" has no text'],
    ["with an empty text", '{"c": " "}', 'in the file operations.json, the operation "c" has no text'],
    ["without an id", '{"": "{ a }"}', 'in the file operations.json, the operation "" has no text']
  ])("that is %s is a problem at its line", (_, text, message) => {
    using folder = temporaryFolder({
      "gateway.yaml": ONLY,
      ...(text === undefined ? {} : { "operations.json": text })
    });
    const problems = problemsOf(() => loadConfig(folder.path("gateway.yaml"), env));
    expect(shortly(problems)).toEqual([`2: graphql.persistedManifest: ${message}`]);
  });

  it("is needed by `only`, unused while operations are off, and a path", () => {
    using folder = temporaryFolder({ "operations.json": "{}" });
    const load = (graphql: string) => () => loadConfig(folder.write("gateway.yaml", config(graphql)), env);
    expect(shortly(problemsOf(load("{ persistedOperations: only }")))).toEqual([
      "2: graphql.persistedOperations: only needs persistedManifest, the file that lists the operations"
    ]);
    expect(shortly(load("{ persistedManifest: operations.json }")().warnings)).toEqual([
      "2: ~graphql.persistedManifest: is not used while persistedOperations is off"
    ]);
    for (const path of ["7", "[a]", "{ a: b }", '""']) {
      expect(shortly(problemsOf(load(`{ persistedManifest: ${path} }`)))).toEqual([
        "2: graphql.persistedManifest: a path"
      ]);
    }
  });
});

describe("a manifest in force", () => {
  let watch: ConfigWatch | undefined;
  afterEach(() => watch?.close());

  it("changes with its file; one that is broken leaves the last good one", async () => {
    using folder = temporaryFolder({ "gateway.yaml": ONLY, "operations.json": JSON.stringify({ a: "{ a }" }) });
    const rejected: string[] = [];
    const following = watchConfig({
      path: folder.path("gateway.yaml"),
      env,
      debounceMs: 20,
      pollMs: 50,
      onLoaded: () => undefined,
      onRejected: (error) => rejected.push(error.message)
    });
    watch = following;
    const manifest = () => following.current().config.graphql.persistedManifest;
    const until = async (condition: () => boolean) => {
      while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    folder.write("operations.json", "{");
    await until(() => rejected.length === 1);
    expect(manifest()).toEqual({ a: "{ a }" });
    folder.write("operations.json", JSON.stringify({ b: "{ b }" }));
    await until(() => manifest()?.b === "{ b }");
    expect(manifest()).toEqual({ b: "{ b }" });
  });
});
