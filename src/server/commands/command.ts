/** What the commands of the command line have in common. */
import type { ParseArgsConfig } from "node:util";

/** Takes text as it is, line ends included. */
interface TextSink {
  write(text: string): unknown;
}

/** The process as a command sees it, so that commands can run in tests without one. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a line to standard output. */
  out(line: string): void;
  /** Writes a line to standard error. */
  err(line: string): void;
  /** Where log lines go, in JSON. */
  readonly logSink: TextSink;
  /** Standard output, for lines that programs read. */
  readonly outSink: TextSink;
  /** Resolves with the next signal that asks the process to end. Until it is called, such a signal ends it. */
  stopped(): Promise<string>;
}

export interface Command {
  /** After the program's name, as in `serve [--config FILE]`. */
  readonly usage: string;
  readonly summary: string;
  readonly options: NonNullable<ParseArgsConfig["options"]>;
  /** Words that follow the command's name, such as `new`. */
  readonly words?: readonly string[];
  /** @returns the exit code: 0 done, 1 failed. @throws UsageError for exit code 2 */
  run(flags: Flags, terminal: Terminal): Promise<number>;
}

export type Flags = Readonly<Record<string, string | undefined>>;

/** The command line was wrong; the message names the flag. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** @throws UsageError where the flag is missing or empty */
export function required(flags: Flags, name: string): string {
  const value = flags[name];
  if (value === undefined || value === "") throw new UsageError(`--${name} is required.`);
  return value;
}

/** @throws UsageError where the flag is not one of the values */
export function oneOf<T extends string>(flag: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw new UsageError(`${flag} is "${value}"; it must be one of ${allowed.join(", ")}.`);
  return found;
}
