/** The persisted operations: a file of their own, which other tools write, and which is a part of the configuration. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { error, type Finding, type KeyPath, warning } from "./problems.ts";
import type { FilledConfig } from "./secrets.ts";

const KEY: KeyPath = ["graphql", "persistedManifest"];

/**
 * Puts the operations of the manifest in the place of its path: `{id: text}`, as GraphQL Code Generator's client preset
 * and Relay's compiler write it.
 * @param directory that a relative path starts from: the configuration file's
 */
export function fillManifest(filled: FilledConfig, directory: string): FilledConfig {
  const { value, findings, files } = filled;
  if (!isObject(value) || !isObject(value.graphql) || value.graphql.persistedManifest === undefined) return filled;
  const { persistedManifest: path, persistedOperations } = value.graphql;
  if (typeof path !== "string" || path === "") return { ...filled, findings: [...findings, error(KEY, "a path")] };
  const file = resolve(directory, path);
  const found = readManifest(file, path);
  const off = persistedOperations === undefined || persistedOperations === "off";
  const unused = off ? [warning(KEY, "is not used while persistedOperations is off")] : [];
  return {
    value:
      "operations" in found ? { ...value, graphql: { ...value.graphql, persistedManifest: found.operations } } : value,
    findings: [...findings, ...("problem" in found ? [found.problem] : unused)],
    files: [...files, file]
  };
}

function readManifest(file: string, path: string): { operations: object } | { problem: Finding } {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return { problem: error(KEY, `the file ${path} cannot be read`) };
  }
  const operations = parse(text);
  if (!isObject(operations)) return { problem: error(KEY, `the file ${path} is not a JSON object of {id: text}`) };
  const [broken] = Object.entries(operations).find(([id, operation]) => id === "" || !isText(operation)) ?? [];
  if (broken === undefined) return { operations };
  return { problem: error(KEY, `in the file ${path}, the operation ${JSON.stringify(broken)} has no text`) };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isText(value: unknown): boolean {
  return typeof value === "string" && value.trim() !== "";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
