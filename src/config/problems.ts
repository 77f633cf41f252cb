/** What is wrong, or looks wrong, with a configuration. */

type Severity = "error" | "warning";

/** Keys and indexes from the document's root. */
export type KeyPath = readonly (string | number)[];

/** Something found at a key; it gets its line from the document. */
export interface Finding {
  readonly path: KeyPath;
  readonly message: string;
  readonly severity: Severity;
}

export interface Problem {
  /** Such as `tenants.acme.grants[0].paths`; empty for the file as a whole. */
  readonly path: string;
  /** Both count from 1. */
  readonly line: number;
  readonly column: number;
  /** Never holds a secret's value. */
  readonly message: string;
  readonly severity: Severity;
}

/** A configuration that cannot be used, with everything that is wrong with it. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly file: string;
  /** Errors and warnings, in the order of their lines. */
  readonly problems: readonly Problem[];
  /** Every file that the configuration is made of, absolute, as far as they are known. */
  readonly files: readonly string[];

  constructor(file: string, problems: readonly Problem[], files: readonly string[]) {
    super(renderProblems(file, problems));
    this.file = file;
    this.problems = problems;
    this.files = files;
  }
}

export function error(path: KeyPath, message: string): Finding {
  return { path, message, severity: "error" };
}

export function warning(path: KeyPath, message: string): Finding {
  return { path, message, severity: "warning" };
}

/** @returns a line a problem: `file:line: key: message`, warnings marked as such */
export function renderProblems(file: string, problems: readonly Problem[]): string {
  return problems
    .map(({ path, line, message, severity }) => {
      const key = path === "" ? "" : `${path}: `;
      return `${file}:${line}: ${severity === "warning" ? "warning: " : ""}${key}${message}`;
    })
    .join("\n");
}

export function formatPath(path: KeyPath): string {
  return path
    .map((part, index) => {
      if (typeof part === "number") return `[${part}]`;
      if (!/^[\w-]+$/.test(part)) return `[${JSON.stringify(part)}]`;
      return index === 0 ? part : `.${part}`;
    })
    .join("");
}
