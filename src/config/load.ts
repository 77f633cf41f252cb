/** From a file to a configuration that can be used, or to everything that is wrong with it. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { checkCredentials } from "./credentials.ts";
import { type Position, parseConfigDocument } from "./document.ts";
import { draftOf } from "./draft.ts";
import { checkExposure } from "./exposure.ts";
import { findingsOf } from "./issues.ts";
import { fillManifest } from "./manifest.ts";
import { checkPatterns } from "./patterns.ts";
import { checkPlainSecrets } from "./plain-secrets.ts";
import { ConfigError, type Finding, formatPath, type KeyPath, type Problem } from "./problems.ts";
import { checkReferences } from "./references.ts";
import { type GatewayConfig, GatewayConfigSchema } from "./schema.ts";
import { fillSecrets } from "./secrets.ts";
import { checkTenants } from "./tenants.ts";

export type Environment = Readonly<Record<string, string | undefined>>;

export interface LoadOptions {
  /** What the command line says, which wins over the file. */
  readonly server?: { readonly host?: string | undefined; readonly port?: number | undefined };
  /** Milliseconds since the epoch, for keys that have expired; now where left out. */
  readonly now?: number;
}

export interface LoadedConfig {
  readonly config: GatewayConfig;
  readonly warnings: readonly Problem[];
  /** Where a key stands in the file. */
  readonly locate: (path: KeyPath) => Position;
  /** Every file that was read, absolute: the configuration and its secrets. */
  readonly files: readonly string[];
  /** SHA-256, in hexadecimal digits, of the configuration with its secrets. */
  readonly digest: string;
}

/**
 * @param path of the YAML file; secrets' paths are relative to it
 * @param env where `${env:NAME}` is looked up
 * @throws ConfigError with every problem at once
 */
export function loadConfig(path: string, env: Environment, options: LoadOptions = {}): LoadedConfig {
  const file = resolve(path);
  const document = parseConfigDocument(readText(path));
  if (document.value === undefined) throw new ConfigError(path, document.problems, [file]);
  const directory = dirname(file);
  const filled = fillManifest(fillSecrets(document.value, { env, directory }), directory);
  const files = [file, ...filled.files];
  const value = withServer(filled.value, options.server);
  const parsed = GatewayConfigSchema.safeParse(value);
  const issues = parsed.success ? [] : findingsOf(parsed.error.issues, value);
  const unfilled = new Set(filled.findings.map((finding) => formatPath(finding.path)));
  const findings = [
    ...filled.findings,
    ...issues.filter((finding) => !unfilled.has(formatPath(finding.path))),
    ...checkPlainSecrets(document.value),
    ...checkBetween(value, options.now ?? Date.now())
  ];
  const problems = inOrder([...document.problems, ...withoutEchoes(findings).map(document.place)]);
  if (!parsed.success || problems.some(({ severity }) => severity === "error")) {
    throw new ConfigError(path, problems, files);
  }
  return {
    config: parsed.data,
    warnings: problems,
    locate: document.locate,
    files,
    digest: createHash("sha256").update(JSON.stringify(parsed.data)).digest("hex")
  };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    const problem: Problem = { path: "", line: 1, column: 1, message: "the file cannot be read", severity: "error" };
    throw new ConfigError(path, [problem], [resolve(path)]);
  }
}

/** What concerns more than one key. */
function checkBetween(value: unknown, now: number): readonly Finding[] {
  const draft = draftOf(value);
  return [
    ...checkReferences(draft),
    ...checkCredentials(draft, now),
    ...checkPatterns(draft),
    ...checkTenants(draft),
    ...checkExposure(draft)
  ];
}

/** Without warnings at keys that have errors: what a wrong value leads to is not known yet. */
function withoutEchoes(findings: readonly Finding[]): readonly Finding[] {
  const wrong = new Set(findings.filter(({ severity }) => severity === "error").map(({ path }) => formatPath(path)));
  return findings.filter(({ severity, path }) => severity === "error" || !wrong.has(formatPath(path)));
}

function withServer(value: unknown, overrides: LoadOptions["server"] = {}): unknown {
  const set = Object.entries(overrides).filter(([, override]) => override !== undefined);
  if (set.length === 0 || typeof value !== "object" || value === null) return value;
  const server: unknown = "server" in value ? value.server : {};
  if (typeof server !== "object" || server === null) return value;
  return { ...value, server: { ...server, ...Object.fromEntries(set) } };
}

function inOrder(problems: readonly Problem[]): readonly Problem[] {
  return problems.toSorted((a, b) => a.line - b.line || a.column - b.column);
}
