#!/usr/bin/env node
/** The command line. The only module that touches the process: environment, streams, signals, exit code. */
import { constants } from "node:os";
import pino from "pino";
import { run } from "./server/commands/run.ts";

/** Of log lines that nobody reads. */
const MOST_WAITING_BYTES = 16 * 1024 * 1024;
/** At the end, for a reader of log lines that takes none: a tenth of a second each. */
const MOST_WAITS = 5;

/**
 * Resolves with the first signal. A second one ends the process at once, with a shell's exit code for it; it has to be
 * caught for that, because the first process of a container is not ended by signals that it leaves alone.
 */
function stopped(): Promise<string> {
  return new Promise((resolve) => {
    let asked = false;
    const stop = (signal: NodeJS.Signals) => {
      if (asked) process.exit(128 + constants.signals[signal]);
      asked = true;
      resolve(signal);
    };
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, stop);
  });
}

// A reader that leaves, as `| head` does, must not end a server that still serves.
process.stdout.on("error", () => undefined);

let ending = false;
let waits = 0;

/** Writes out the lines that wait. Those that a stalled reader does not take are given up: they must not hold the end. */
function finishLog(): void {
  ending = true;
  try {
    logSink.flushSync();
  } catch {
    logSink.destroy();
  }
}

// Before the destination's own, which would wait for a stalled reader for ever.
process.on("exit", finishLog);
// Lines gather and are written together: a write for each costs more than a small answer. They wait a moment at most,
// never hold up an answer, and are written out when the process exits. Only a kill or an abort loses the last of them,
// and a reader that stalls those for which there is no room left.
const logSink = pino.destination({
  dest: process.stderr.fd,
  sync: false,
  minLength: 4096,
  maxLength: MOST_WAITING_BYTES,
  periodicFlush: 100,
  retryEAGAIN: () => {
    if (ending) waits += 1;
    return waits <= MOST_WAITS;
  }
});
logSink.on("error", () => undefined);

process.exitCode = await run(process.argv.slice(2), {
  env: process.env,
  out: (line) => void process.stdout.write(`${line}\n`),
  err: (line) => void process.stderr.write(`${line}\n`),
  logSink,
  outSink: process.stdout,
  stopped
});
finishLog();
