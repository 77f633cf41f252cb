/** Everything that can be known of a configuration before it is served: the file's problems, and what upstreams say. */
import { type Environment, type LoadedConfig, type LoadOptions, loadConfig } from "../config/load.ts";
import { ConfigError, type Finding, formatPath, type KeyPath, type Problem, warning } from "../config/problems.ts";
import type { GatewayConfig, UpstreamConfig } from "../config/schema.ts";
import { resolveKnowledgeBase, sluggedKnowledgeBases } from "../config/targets.ts";
import type { ErrorCode } from "../errors.ts";

/** What an upstream said. */
export interface ProbeReport {
  /** Why it did not answer; null where it did. */
  readonly failure: ErrorCode | null;
  /** What it is, such as `Focowiki 2.0.0`; null where it did not say. */
  readonly version: string | null;
  /** The ids that were asked for and that it does not have. */
  readonly missing: readonly string[];
}

/** Asks one upstream for its health, its version and the knowledge bases of these ids. Never rejects. */
export type Probe = (
  name: string,
  upstream: UpstreamConfig,
  knowledgeBaseIds: readonly string[]
) => Promise<ProbeReport>;

export interface CheckReport {
  /** Errors and warnings, in the order of their lines; `file:line: key: message` with `renderProblems`. */
  readonly problems: readonly Problem[];
  /** True where the configuration can be served; warnings do not count. */
  readonly valid: boolean;
  /** What each upstream said; empty where the file is not valid. */
  readonly upstreams: readonly { readonly name: string; readonly report: ProbeReport }[];
}

export interface CheckOptions extends LoadOptions {
  /** What is wrong with a persisted operation's text; null where nothing is. Left out, none is looked at. */
  readonly problemOf?: (text: string) => string | null;
}

/**
 * @param probe how upstreams are asked; left out, only the file is read
 */
export async function checkConfig(
  path: string,
  env: Environment,
  probe?: Probe,
  options: CheckOptions = {}
): Promise<CheckReport> {
  const loaded = load(path, env, options);
  if (loaded instanceof ConfigError) return { problems: loaded.problems, valid: false, upstreams: [] };
  const { config, locate } = loaded;
  const placed = (finding: Finding): Problem => ({
    ...finding,
    path: formatPath(finding.path),
    ...locate(finding.path)
  });
  const warnings = [...loaded.warnings, ...operationFindings(config, options).map(placed)];
  if (probe === undefined) return { problems: warnings, valid: true, upstreams: [] };
  const named = namedKnowledgeBases(config);
  const upstreams = await Promise.all(
    Object.entries(config.upstreams).map(async ([name, upstream]) => {
      const ids = named.filter((place) => place.upstream === name).map(({ id }) => id);
      return { name, report: await probe(name, upstream, [...new Set(ids)]) };
    })
  );
  const found = upstreams.flatMap(({ name, report }) => findingsOf(name, report, named)).map(placed);
  return { problems: [...warnings, ...found].toSorted((a, b) => a.line - b.line), valid: true, upstreams };
}

/** An operation that no longer fits the schema fails for its callers; the others are unharmed. */
function operationFindings({ graphql }: GatewayConfig, { problemOf }: CheckOptions): readonly Finding[] {
  if (problemOf === undefined) return [];
  return Object.entries(graphql.persistedManifest ?? {}).flatMap(([id, text]) => {
    const problem = problemOf(text);
    const message = `the operation ${JSON.stringify(id)} would be refused: ${problem}`;
    return problem === null ? [] : [warning(["graphql", "persistedManifest"], message)];
  });
}

function load(path: string, env: Environment, options: LoadOptions): LoadedConfig | ConfigError {
  try {
    return loadConfig(path, env, options);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** A knowledge base, and the key of the file that names it. */
interface NamedKnowledgeBase {
  readonly upstream: string;
  readonly id: string;
  readonly at: KeyPath;
}

function namedKnowledgeBases(config: GatewayConfig): readonly NamedKnowledgeBase[] {
  const slugged = sluggedKnowledgeBases(config).map(
    ({ key, upstream, id }): NamedKnowledgeBase => ({ upstream, id, at: ["knowledgeBases", key, "id"] })
  );
  const byId = Object.entries(config.tenants ?? {}).flatMap(([tenant, { grants }]) =>
    grants.flatMap(({ knowledgeBases = [], upstream }, grant) =>
      knowledgeBases.flatMap((name, index): readonly NamedKnowledgeBase[] => {
        const ref = resolveKnowledgeBase(config, name, upstream);
        // One with a slug is in the list already.
        if (typeof ref === "string" || ref.key !== ref.id) return [];
        const at = ["tenants", tenant, "grants", grant, "knowledgeBases", index];
        return [{ upstream: ref.upstream, id: ref.id, at }];
      })
    )
  );
  return [...slugged, ...byId];
}

function findingsOf(
  name: string,
  { failure, missing }: ProbeReport,
  named: readonly NamedKnowledgeBase[]
): readonly Finding[] {
  if (failure === "UPSTREAM_AUTHENTICATION_FAILED") {
    return [warning(["upstreams", name, "apiKey"], "the upstream refuses the key")];
  }
  if (failure !== null)
    return [warning(["upstreams", name, "url"], `the upstream does not answer as it should: ${failure}`)];
  return named
    .filter(({ upstream, id }) => upstream === name && missing.includes(id))
    .map(({ at }) => warning(at, `the upstream ${name} has no such knowledge base`));
}
