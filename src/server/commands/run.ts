/** Finds the command that was asked for, reads its flags, and turns its outcome into an exit code. */
import { parseArgs } from "node:util";
import { ConfigError } from "../../config/problems.ts";
import { check } from "./check.ts";
import { type Command, type Flags, type Terminal, UsageError } from "./command.ts";
import { explainCommand } from "./explain.ts";
import { keys } from "./keys.ts";
import { readVersion } from "./package.ts";
import { schema } from "./schema.ts";
import { serve } from "./serve.ts";

const COMMANDS: Readonly<Record<string, Command>> = { serve, check, explain: explainCommand, keys, schema };

/**
 * @param argv without the interpreter and the script
 * @returns the exit code: 0 done, 1 failed, 2 used wrongly
 */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  const [name, ...rest] = argv;
  if (name === undefined) {
    terminal.err(help());
    return 2;
  }
  if (name === "--help" || name === "-h" || name === "help") {
    terminal.out(help());
    return 0;
  }
  if (name === "--version" || name === "-v") {
    terminal.out(readVersion());
    return 0;
  }
  try {
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new UsageError(`"${name}" is not a command.`);
    const flags = readFlags(command, rest);
    if (flags === null) {
      terminal.out(`Usage: focowiki-gateway ${command.usage}\n\n${command.summary}`);
      return 0;
    }
    return await command.run(flags, terminal);
  } catch (error) {
    if (error instanceof ConfigError) {
      terminal.err(error.message);
      return 1;
    }
    if (!(error instanceof UsageError)) throw error;
    terminal.err(`${error.message}\nTry: focowiki-gateway --help`);
    return 2;
  }
}

/** The flags as text, or null where help was asked for. */
function readFlags({ options, words = [] }: Command, args: readonly string[]): Flags | null {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...options, help: { type: "boolean", short: "h" } },
      allowPositionals: true
    });
    if (values.help === true) return null;
    if (positionals.join(" ") !== words.join(" ")) {
      const expected = words.length === 0 ? "nothing but flags" : `"${words.join(" ")}"`;
      throw new UsageError(`Expected ${expected}, found "${positionals.join(" ")}".`);
    }
    return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    // Node.js names the flag in its first sentence.
    const [what] = error instanceof Error ? error.message.split(/\. |\n/) : [];
    throw new UsageError(`${what ?? "The command line could not be read"}.`);
  }
}

function help(): string {
  const commands = Object.values(COMMANDS).flatMap(({ usage, summary }) => [`  ${usage}`, `      ${summary}`]);
  return [
    "Usage: focowiki-gateway <command>",
    "",
    ...commands,
    "  --help, --version",
    "",
    "Documentation: README.md and docs/ of the package."
  ].join("\n");
}
