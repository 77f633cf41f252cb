/** `keys new`: makes an API key, shows it once, and prints what the configuration needs to know of it. */
import { newKey } from "../../policy/keys.ts";
import type { Command } from "./command.ts";

export const keys: Command = {
  usage: "keys new",
  summary: "Makes an API key. It is shown once; the configuration holds its hash.",
  options: {},
  words: ["new"],
  async run(_flags, terminal) {
    const { key, sha256 } = newKey();
    terminal.out(`key:          ${key}`);
    terminal.out(`apiKeySha256: ${sha256}`);
    return 0;
  }
};
