/** `check`: everything that is wrong, or looks wrong, with a configuration and the upstreams that it names. */
import { type LoadedConfig, loadConfig } from "../../config/load.ts";
import { ConfigError, type KeyPath, type Problem, renderProblems } from "../../config/problems.ts";
import { sluggedKnowledgeBases } from "../../config/targets.ts";
import { toGatewayError } from "../../errors.ts";
import { createUpstream } from "../../upstream/client.ts";
import type { Upstream } from "../../upstream/upstream.ts";
import { type Command, required } from "./command.ts";

export const check: Command = {
  usage: "check --config FILE",
  summary: "Reports every problem of a configuration and asks its upstreams. Exit code 1 where it has errors.",
  options: { config: { type: "string" } },
  async run(flags, terminal) {
    const file = required(flags, "config");
    try {
      const loaded = loadConfig(file, terminal.env);
      const problems = [...loaded.warnings, ...(await askUpstreams(loaded, terminal.out))];
      if (problems.length > 0) terminal.err(renderProblems(file, problems));
      terminal.out(`${file}: valid, ${problems.length} warning(s)`);
      return 0;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      terminal.err(error.message);
      return 1;
    }
  }
};

/** Asks each upstream for its health, its version and the knowledge bases that have a slug; what fails is a warning. */
async function askUpstreams(loaded: LoadedConfig, report: (line: string) => void): Promise<readonly Problem[]> {
  const { config, locate } = loaded;
  const warn = (path: KeyPath, key: string, message: string): Problem => ({
    path: key,
    ...locate(path),
    message,
    severity: "warning"
  });
  const answers = await Promise.all(
    Object.entries(config.upstreams).map(async ([name, upstreamConfig]) => {
      const upstream = createUpstream({ name, ...upstreamConfig });
      try {
        const { status } = (await upstream.read("getHealth", {})).body;
        const { product, version } = (await upstream.read("getVersion", {})).body;
        report(`upstreams.${name}: ${product} ${version}, ${status}`);
        return await askKnowledgeBases(upstream, loaded, warn);
      } catch (error) {
        const { code, message } = toGatewayError(error);
        const key = code === "UPSTREAM_AUTHENTICATION_FAILED" ? "apiKey" : "url";
        return [warn(["upstreams", name, key], `upstreams.${name}.${key}`, `${code}: ${message}`)];
      } finally {
        await upstream.close();
      }
    })
  );
  return answers.flat();
}

async function askKnowledgeBases(
  upstream: Upstream,
  { config }: LoadedConfig,
  warn: (path: KeyPath, key: string, message: string) => Problem
): Promise<readonly Problem[]> {
  const named = sluggedKnowledgeBases(config).filter((ref) => ref.upstream === upstream.name);
  const answers = await Promise.all(
    named.map(async ({ key, id }) => {
      try {
        await upstream.read("getKnowledgeBase", { ids: { knowledgeBaseId: id } });
        return null;
      } catch (error) {
        const { code, message } = toGatewayError(error);
        const why =
          code === "NOT_FOUND" ? `the upstream ${upstream.name} has no knowledge base ${id}` : `${code}: ${message}`;
        return warn(["knowledgeBases", key, "id"], `knowledgeBases.${key}.id`, why);
      }
    })
  );
  return answers.filter((problem) => problem !== null);
}
