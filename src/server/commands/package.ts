/** The package that this program belongs to: its folder, and its version. */
import { existsSync, readFileSync } from "node:fs";

/** The nearest folder above with a `package.json`: a source and a file of the bundle lie at different depths below it. */
export const PACKAGE_ROOT = packageRoot(new URL(".", import.meta.url));

export function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("package.json", PACKAGE_ROOT), "utf8")) as { version: string };
  return version;
}

function packageRoot(folder: URL): URL {
  const parent = new URL("..", folder);
  // At the file system's root both are one; what is missing there is missed when it is read.
  return existsSync(new URL("package.json", folder)) || parent.href === folder.href ? folder : packageRoot(parent);
}
