/** The package's version, from the `package.json` beside `src` and `dist`. */
import { readFileSync } from "node:fs";

/** The package's root folder: this file is three levels below it, built or not. */
export const PACKAGE_ROOT = new URL("../../../", import.meta.url);

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", PACKAGE_ROOT), "utf8")) as { version: string };
  return version;
}
