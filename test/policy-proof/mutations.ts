/**
 * Takes out every single check of `checks/`, one at a time, in a copy of the tree, and shows that the test which is
 * named with it turns red. `npm run mutate:policy [-- part of a name]`; exits with 1 where any stays green.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHECKS, type Check, type Shower } from "./checks.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COPIED = ["src", "test", "schema", "examples", "package.json", "tsconfig.json", "vitest.config.ts"];
/** Enough to find any of these faults, and a third of what the properties are tried otherwise. */
const PROOF_RUNS = "25";

interface Outcome {
  readonly red: boolean;
  /** The first test that failed, or what came instead. */
  readonly detail: string;
}

const filter = process.argv[2] ?? "";
const chosen = CHECKS.filter(({ says, file }) => `${file} ${says}`.includes(filter));
const copy = mkdtempSync(join(tmpdir(), "policy-mutations-"));
try {
  for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true, filter: isOwn });
  symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
  process.exitCode = (await report()) ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

function isOwn(path: string): boolean {
  return !path.includes("node_modules");
}

/** @returns whether the tests are green as they are, and every check's is red without it */
async function report(): Promise<boolean> {
  const stale = chosen.filter((check) => [check, check.again].some((part) => part && !standsOnce(check, part.text)));
  for (const { file, says } of stale) console.log(`STALE  ${file}: ${says}`);
  const showers = [...new Set(chosen.map(({ shownBy }) => shownBy))];
  for (const shower of showers) {
    const { red, detail } = await run(shower);
    console.log(`${red ? "RED   " : "green "} ${shower}, with every check in place${red ? `: ${detail}` : ""}`);
    if (red) return false;
  }
  let shown = 0;
  const left = chosen.filter((check) => !stale.includes(check));
  for (const check of left) {
    const { red, detail } = await without(check);
    if (red) shown += 1;
    console.log(
      `${red ? "red   " : "GREEN "} ${check.file}: ${check.says} (${check.shownBy}${red ? `: ${detail}` : ""})`
    );
  }
  console.log(`${shown} of ${chosen.length} checks are shown`);
  return shown === chosen.length;
}

async function without(check: Check): Promise<Outcome> {
  const path = join(copy, check.file);
  const whole = read(check);
  const parts = [check, ...(check.again === undefined ? [] : [check.again])];
  writeFileSync(
    path,
    parts.reduce((text, part) => text.replace(part.text, () => part.without), whole)
  );
  try {
    return await run(check.shownBy);
  } finally {
    writeFileSync(path, whole);
  }
}

function standsOnce(check: Check, text: string): boolean {
  return read(check).split(text).length === 2;
}

function read({ file }: Check): string {
  return readFileSync(join(copy, file), "utf8");
}

function run(shower: Shower): Promise<Outcome> {
  const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", `test/policy-proof/${shower}.test.ts`, "--bail=1", "--reporter=json", "--silent"];
  const child = spawn(process.execPath, args, {
    cwd: copy,
    env: { ...process.env, PROOF_RUNS, PROOF_SEED: "20270601" }
  });
  let out = "";
  child.stdout.on("data", (chunk: Buffer) => {
    out += chunk.toString("utf8");
  });
  return new Promise((resolve) => child.once("close", () => resolve(outcomeOf(out))));
}

function outcomeOf(out: string): Outcome {
  const start = out.indexOf('{"numTotalTestSuites"');
  if (start < 0) return { red: true, detail: "the tests could not be run" };
  const { success, testResults } = JSON.parse(out.slice(start)) as Results;
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .find(({ status }) => status === "failed");
  const message = failed?.failureMessages[0]
    ?.split("\n")
    .find((line) => /shows|lacks|ended with|with hidden/.test(line));
  const detail = failed === undefined ? (testResults[0]?.message ?? "") : (message ?? failed.title);
  return { red: !success, detail: detail.slice(0, 140) };
}

interface Results {
  readonly success: boolean;
  readonly testResults: readonly {
    readonly message: string;
    readonly assertionResults: readonly { status: string; title: string; failureMessages: readonly string[] }[];
  }[];
}
