/** Where to listen, from flags before the environment. */
import { type Flags, type Terminal, UsageError } from "./command.ts";

export interface ListenOptions {
  readonly host: string | undefined;
  readonly port: number | undefined;
}

/** @throws UsageError naming the flag or variable that is wrong */
export function listenOptions(flags: Flags, env: Terminal["env"]): ListenOptions {
  return { host: flags.host ?? nonEmpty(env.HOST), port: port("--port", flags.port) ?? port("PORT", env.PORT) };
}

function port(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === "") return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`${name} is "${text}"; it must be a number from 0 to 65535.`);
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}
