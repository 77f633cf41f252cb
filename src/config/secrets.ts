/** Fills in `${env:NAME}` and `${file:PATH}`. Values go into the configuration and nowhere else. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { error, type Finding, type KeyPath } from "./problems.ts";

const REFERENCE = /\$\{([^}:]*):?([^}]*)\}/g;

/** Where references are looked up. */
export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory that relative file paths start from: the configuration file's. */
  readonly directory: string;
}

export interface FilledConfig {
  /** Strings whose references cannot be filled in stay as they are. */
  readonly value: unknown;
  readonly findings: readonly Finding[];
  /** Absolute paths of the files that were asked for, found or not. */
  readonly files: readonly string[];
}

export function fillSecrets(value: unknown, sources: SecretSources): FilledConfig {
  const findings: Finding[] = [];
  const files = new Set<string>();

  const fillText = (text: string, path: KeyPath): string => {
    const missing: string[] = [];
    const filled = text.replace(REFERENCE, (reference: string, kind: string, name: string) => {
      const found = kind === "file" ? fromFile(name, sources, files) : fromEnvironment(kind, name, sources);
      if ("value" in found) return found.value;
      missing.push(found.problem);
      return reference;
    });
    findings.push(...missing.map((problem) => error(path, problem)));
    return missing.length === 0 ? filled : text;
  };
  const fill = (node: unknown, path: KeyPath): unknown => {
    if (typeof node === "string") return fillText(node, path);
    if (Array.isArray(node)) return node.map((item, index) => fill(item, [...path, index]));
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([key, item]) => [key, fill(item, [...path, key])]));
  };

  return { value: fill(value, []), findings, files: [...files] };
}

/** Whether a string takes any part of its value from elsewhere. */
export function hasReference(text: string): boolean {
  return text.search(REFERENCE) >= 0;
}

type Found = { readonly value: string } | { readonly problem: string };

function fromEnvironment(kind: string, name: string, { env }: SecretSources): Found {
  if (kind !== "env") return { problem: `\${${kind}:…} is unknown; use \${env:NAME} or \${file:PATH}` };
  const value = env[name];
  if (value === undefined) return { problem: `the environment variable ${name} is not set` };
  return value === "" ? { problem: `the environment variable ${name} is empty` } : { value };
}

function fromFile(name: string, { directory }: SecretSources, files: Set<string>): Found {
  const path = resolve(directory, name);
  files.add(path);
  try {
    const value = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return value === "" ? { problem: `the file ${name} is empty` } : { value };
  } catch {
    return { problem: `the file ${name} cannot be read` };
  }
}
