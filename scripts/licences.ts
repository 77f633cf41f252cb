/** The licences of what is bundled: whoever ships copies of packages has to ship their terms too. */
import { readdirSync, readFileSync } from "node:fs";
import type { Metafile } from "esbuild";

/** Terms under which copies may be part of an MIT-licensed package. */
const PERMISSIVE = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "ISC", "MIT"];
const TERMS = /^(?:licen[cs]e|copying|notice)/i;
const RULE = "-".repeat(80);

interface Manifest {
  readonly name: string;
  readonly version: string;
  /** An SPDX identifier. */
  readonly license?: string;
  readonly author?: string | { readonly name: string };
  readonly repository?: string | { readonly url: string };
}

/**
 * Name, version and terms of every package of which the bundle holds a part.
 * @throws Error for a package whose terms do not allow that
 */
export function licences({ outputs }: Metafile): string {
  const parts = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const folders = new Set(parts.flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? packageOf(file) : [])));
  const sections = [...folders].map(section).sort();
  return [`The bundle holds parts of ${sections.length} packages.\n`, ...sections].join(`\n${RULE}\n\n`);
}

/** The folder of the package that a file belongs to; none for the gateway's own. */
function packageOf(file: string): string[] {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.slice(0, 1) ?? [];
}

function section(folder: string): string {
  const manifest = JSON.parse(readFileSync(`${folder}/package.json`, "utf8")) as Manifest;
  const { name, version, license = "no licence" } = manifest;
  if (!PERMISSIVE.includes(license)) throw new Error(`${name} must not be bundled: ${license}.`);
  const files = readdirSync(folder).filter((file) => TERMS.test(file));
  const texts = files.sort().map((file) => readFileSync(`${folder}/${file}`, "utf8").replaceAll("\r\n", "\n").trim());
  return [`${name} ${version} (${license})`, ...(texts.length === 0 ? [termsOf(manifest)] : texts), ""].join("\n\n");
}

/** For a package that comes without the text of its licence: MIT's is everywhere the same, this program's too. */
function termsOf({ name, license, author, repository }: Manifest): string {
  if (license !== "MIT") throw new Error(`${name} must not be bundled: it comes without the text of ${license}.`);
  const by = typeof author === "object" ? author.name : author;
  const from = typeof repository === "object" ? repository.url : repository;
  const origin = [by, from].filter((part) => part !== undefined).join(", ");
  return readFileSync("LICENSE", "utf8")
    .trim()
    .replace(/^Copyright .*$/m, () => `Copyright (c) ${origin}`);
}
