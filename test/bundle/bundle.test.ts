/** What a start of the bundled program reads, and under which terms it is shipped. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Metafile } from "esbuild";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundle } from "../../scripts/bundle.ts";
import { licences } from "../../scripts/licences.ts";

const manifest = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
let folder: string;
let metafile: Metafile;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "bundle-"));
  metafile = await bundle(folder);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The outputs that are read before the program runs. */
function readAtStart(): string[] {
  const read = new Set(Object.keys(metafile.outputs).filter((path) => path.endsWith("/main.js")));
  for (const path of read) {
    const imports = metafile.outputs[path]?.imports ?? [];
    for (const each of imports) if (!each.external && each.kind === "import-statement") read.add(each.path);
  }
  return [...read];
}

const inputsOf = (outputs: readonly string[]) =>
  outputs.flatMap((output) => Object.keys(metafile.outputs[output]?.inputs ?? {}));

it("reads a few files at its start, and nothing that only some gateways or callers need", () => {
  const outputs = readAtStart();
  expect(outputs.length).toBeLessThan(10);
  const inputs = inputsOf(outputs);
  expect(inputs).toContain("src/server/gateway.ts");
  for (const part of ["src/embedded/embedded.ts", "src/mcp/server.ts", "src/server/replicas/replicas.ts"]) {
    expect(inputs).not.toContain(part);
    expect(inputsOf(Object.keys(metafile.outputs))).toContain(part);
  }
  // `import { z } from "zod"` brings messages in fifty languages, `import * as z` what is used.
  expect(inputs.filter((input) => input.includes("/zod/v4/locales/")).length).toBeLessThan(3);
});

it("holds graphql once: its types are compared by identity", () => {
  const forms = inputsOf(Object.keys(metafile.outputs)).filter((input) => input.includes("node_modules/graphql/"));
  expect(new Set(forms.map((input) => input.replace(/^(.*node_modules\/graphql\/).*(\..*)$/, "$1*$2")))).toEqual(
    new Set(["node_modules/graphql/*.mjs"])
  );
});

it("imports nothing at its start but Node.js and OpenTelemetry's interface, and later what is installed with it", () => {
  const outside = (outputs: readonly string[], isMeant: (kind: string) => boolean) => {
    const imports = outputs.flatMap((output) => metafile.outputs[output]?.imports ?? []);
    const packages = imports
      .filter(({ external, kind }) => external === true && isMeant(kind))
      .map(({ path }) => path)
      .filter((path) => !path.startsWith("node:") && !isBuiltin(path));
    return [...new Set(packages)].sort();
  };
  expect(outside(readAtStart(), (kind) => kind !== "dynamic-import")).toEqual(["@opentelemetry/api"]);
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  expect(outside(Object.keys(metafile.outputs), () => true)).toEqual(installed.sort());
});

it("ships the terms of every package that is bundled, and none that forbid it", () => {
  const text = licences(metafile);
  for (const name of ["graphql", "hono", "undici", "zod"])
    expect(text).toMatch(new RegExp(`^${name} [\\d.]+ \\(MIT\\)$`, "m"));
  // Some packages come without the text of their licence, which asks for itself to be in every copy.
  for (const section of text.split(/^-{80}$/m).filter((part) => part.includes(" (MIT)\n"))) {
    expect(section).toContain("Permission is hereby granted");
    expect(section).not.toContain("the focowiki-gateway authors");
  }
  const foreign = { bytes: 1, inputs: { "node_modules/@apollo/gateway/dist/index.js": { bytesInOutput: 1 } } };
  expect(() => licences({ inputs: {}, outputs: { "dist/main.js": { ...foreign, imports: [], exports: [] } } })).toThrow(
    "@apollo/gateway must not be bundled: Elastic-2.0."
  );
});
