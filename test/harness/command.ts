/** The command line as a child process, the way people run it: the sources, or what FOCOWIKI_TEST_PROGRAM names. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const INSTALLED = process.env.FOCOWIKI_TEST_PROGRAM;
const PROGRAM = INSTALLED === undefined ? ["--import", "tsx", "src/main.ts"] : [INSTALLED];

export interface CommandResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunningCommand extends AsyncDisposable {
  readonly process: ChildProcess;
  /** What was written to standard output and standard error so far. */
  readonly written: { readonly out: string; readonly err: string };
  /** Resolves with the first match in standard output. @throws Error with all output where the command ends before it */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<CommandResult>;
}

/** @param env beside the test's own environment, from which `HOST` and `PORT` are taken out */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
  const { HOST: _host, PORT: _port, ...inherited } = process.env;
  const child = spawn(process.execPath, [...PROGRAM, ...args], {
    cwd: ROOT,
    env: { ...inherited, ...env },
    stdio: ["ignore", "pipe", "pipe"]
  });
  const written = { out: "", err: "" };
  child.stdout.on("data", (chunk: Buffer) => {
    written.out += chunk.toString("utf8");
  });
  child.stderr.on("data", (chunk: Buffer) => {
    written.err += chunk.toString("utf8");
  });
  const ended = once(child, "close").then(([code]) => ({ code: code as number | null, ...written }));
  return {
    process: child,
    written,
    ended,
    async waitFor(pattern) {
      let over = false;
      void ended.then(() => {
        over = true;
      });
      for (;;) {
        const match = pattern.exec(written.out);
        if (match !== null) return match;
        if (over) throw new Error(`the command ended before ${pattern}: ${written.out}${written.err}`);
        await Promise.race([once(child.stdout, "data"), ended]);
      }
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await ended;
    }
  };
}

/** Runs a command to its end. */
export async function runCommand(
  args: readonly string[],
  env?: Readonly<Record<string, string>>
): Promise<CommandResult> {
  return await startCommand(args, env).ended;
}
