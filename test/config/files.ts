import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigError, type Problem } from "../../src/config/problems.ts";

/** A folder of its own, with these files in it. */
export function temporaryFolder(files: Record<string, string> = {}) {
  const directory = mkdtempSync(join(tmpdir(), "gateway-config-"));
  const write = (name: string, text: string) => {
    writeFileSync(join(directory, name), text);
    return join(directory, name);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  return {
    directory,
    path: (name: string) => join(directory, name),
    write,
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true })
  };
}

/** `line: key: message` of every problem, warnings marked with `~`. */
export function shortly(problems: readonly Problem[]): string[] {
  return problems.map(
    ({ line, path, message, severity }) => `${line}: ${severity === "warning" ? "~" : ""}${path}: ${message}`
  );
}

export function problemsOf(load: () => unknown): readonly Problem[] {
  try {
    load();
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  throw new Error("the configuration was expected to be refused");
}
