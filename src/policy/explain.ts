/** Why a caller may or may not see a file: asked of the code that decides in production. */
import type { Position } from "../config/document.ts";
import { formatPath, type KeyPath } from "../config/problems.ts";
import { type GatewayConfig, OPERATION_NAMES, type OperationName } from "../config/schema.ts";
import { looksLikeId } from "../config/targets.ts";
import { invalid } from "../errors.ts";
import type { Decision, DirectoryDecision } from "./access.ts";
import { isGeneratedPath } from "./generated.ts";
import { createAccess } from "./grants.ts";
import { ANONYMOUS } from "./identity.ts";

export interface Question {
  /** Left out where the configuration has no tenants. */
  readonly tenant?: string | undefined;
  /** Left out: a subject that only grants without `subjects`, or for `*`, are for. */
  readonly subject?: string | undefined;
  /** A slug or an upstream id. */
  readonly knowledgeBase: string;
  /** A file's, or a directory's with a slash at its end. */
  readonly path: string;
  /** Left out: all six. */
  readonly operation?: OperationName | undefined;
}

interface ExplainedOperation {
  readonly operation: OperationName;
  /** `undecided`: a directory that appears if something visible is in it. */
  readonly outcome: "allowed" | "denied" | "undecided";
  readonly decision: Decision;
}

export interface Explanation {
  /** The key of the knowledge base that was found; null where the caller is granted none of this name. */
  readonly knowledgeBase: string | null;
  readonly operations: readonly ExplainedOperation[];
}

const DIRECTORY_RULES: Readonly<Record<DirectoryDecision, string>> = {
  visible: "everything in this directory is allowed",
  hidden: "nothing in this directory is allowed",
  unknown: "the rules alone do not tell; the directory appears if something visible is in it"
};

/** @throws GatewayError VALIDATION_ERROR where the configuration has no such tenant, and no such knowledge base */
export function explain(config: GatewayConfig, question: Question): Explanation {
  const { tenant = ANONYMOUS.tenant, subject = "", knowledgeBase, path } = question;
  const tenants = config.tenants ?? { [ANONYMOUS.tenant]: null };
  if (!Object.hasOwn(tenants, tenant)) {
    throw invalid("tenant", `There is no tenant ${tenant}; there are ${Object.keys(tenants).join(", ")}.`);
  }
  checkName(config, knowledgeBase);
  const asked = question.operation === undefined ? OPERATION_NAMES : [question.operation];
  const [access] = createAccess(config, { tenant, subject }).candidates(knowledgeBase);
  const decide = (operation: OperationName): ExplainedOperation => {
    if (access === undefined) return denied(operation, "no grant of this caller is for the knowledge base");
    if (!access.operations.has(operation)) return denied(operation, "no grant opens this operation here");
    if (path.endsWith("/")) return ofDirectory(operation, access.directory(path.slice(0, -1), operation));
    const decision = access.file({ path, generated: isGeneratedPath(path) }, operation);
    return { operation, outcome: decision.allowed ? "allowed" : "denied", decision };
  };
  return { knowledgeBase: access?.key ?? null, operations: asked.map(decide) };
}

/** Where an upstream is named whole its ids are not in the file, so what looks like one may be one. */
function checkName({ knowledgeBases }: GatewayConfig, name: string): void {
  const isKnown = Object.hasOwn(knowledgeBases, name) || Object.values(knowledgeBases).some(({ id }) => id === name);
  if (isKnown || looksLikeId(name)) return;
  const slugs = Object.keys(knowledgeBases);
  const choice = slugs.length === 0 ? "the file names none" : `there are ${slugs.join(", ")}`;
  throw invalid("knowledge-base", `There is no knowledge base ${name}; ${choice}. An upstream's id also does.`);
}

function denied(operation: OperationName, rule: string): ExplainedOperation {
  return { operation, outcome: "denied", decision: { allowed: false, rule } };
}

function ofDirectory(operation: OperationName, directory: DirectoryDecision): ExplainedOperation {
  const outcome = ({ visible: "allowed", hidden: "denied", unknown: "undecided" } as const)[directory];
  return { operation, outcome, decision: { allowed: directory === "visible", rule: DIRECTORY_RULES[directory] } };
}

/**
 * @param locate where a key stands in the file, as `loadConfig` returns it
 * @returns a line an operation, such as `read_file: denied: deny pages/hr (tenants.acme.grants[0].paths.deny[0], line 27)`
 */
export function renderExplanation({ operations }: Explanation, locate?: (path: KeyPath) => Position): string {
  return operations
    .map(({ operation, outcome, decision: { rule, at } }) => {
      const line = at === undefined || locate === undefined ? "" : `, line ${locate(at).line}`;
      const place = at === undefined ? "" : ` (${formatPath(at)}${line})`;
      return `${operation}: ${outcome}: ${rule}${place}`;
    })
    .join("\n");
}
