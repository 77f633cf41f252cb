/** zod's issues as findings: one for each unknown key, and the branch of a union that was meant. */
import type * as z from "zod";
import { error, type Finding, type KeyPath } from "./problems.ts";

type Issue = z.core.$ZodIssue;

/** @param value what was validated, to tell missing from wrong */
export function findingsOf(issues: readonly Issue[], value: unknown): readonly Finding[] {
  return issues.flatMap((issue) => findingsOfIssue(issue, [], value));
}

function findingsOfIssue(issue: Issue, base: KeyPath, value: unknown): readonly Finding[] {
  const path = [...base, ...issue.path.map((part) => (typeof part === "number" ? part : String(part)))];
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => error([...path, key], "unknown key"));
    case "invalid_union":
      return (
        meantBranch(issue.errors)?.flatMap((nested) => findingsOfIssue(nested, path, value)) ?? [
          error(path, issue.message)
        ]
      );
    case "invalid_key":
      return [error(path, `not a valid name: ${issue.issues.map(({ message }) => message).join("; ")}`)];
    default:
      return [error(path, isMissing(value, path) ? missing(path) : lowerFirst(issue.message))];
  }
}

/** The branch whose keys are there: with the fewest keys unknown to it, then the fewest issues. */
function meantBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  const strangers = (branch: readonly Issue[]): number =>
    branch.filter(({ code, path }) => path.length === 0 && (code === "unrecognized_keys" || code === "invalid_type"))
      .length;
  return branches.toSorted((a, b) => strangers(a) - strangers(b) || a.length - b.length)[0];
}

function isMissing(value: unknown, path: KeyPath): boolean {
  let node = value;
  for (const part of path) {
    if (typeof node !== "object" || node === null) return false;
    node = Object.getOwnPropertyDescriptor(node, part)?.value;
  }
  return node === undefined || node === null;
}

function missing(path: KeyPath): string {
  return path.length > 0
    ? "required"
    : "the file is empty. It needs upstreams at least; examples/gateway.yaml shows all";
}

function lowerFirst(message: string): string {
  return message.replace(/^Invalid input: /, "").replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase());
}
