#!/usr/bin/env node
/** The command line. The only module that touches the process: environment, streams, signals, exit code. */
import pino from "pino";
import { run } from "./server/commands/run.ts";

/** A second signal is not caught: it ends the process at once. */
function stopped(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve(signal));
  });
}

// A reader that leaves, as `| head` does, must not end a server that still serves.
process.stdout.on("error", () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  // Lines gather and are written together: a write for each costs more than a small answer. They wait a moment at most,
  // never hold up an answer, and are written out when the process exits.
  logSink: pino.destination({ dest: process.stderr.fd, sync: false, minLength: 4096, periodicFlush: 100 }),
  outSink: process.stdout,
  stopped
});
