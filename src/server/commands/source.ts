/** What `serve` serves: the upstreams of a configuration file, or a folder behind the embedded upstream. */
import { randomBytes } from "node:crypto";
import { fileURLToPath } from "node:url";
import { folderConfig } from "../../config/default.ts";
import { isLoopbackHost } from "../../config/loopback.ts";
import { type ConfigError, type Problem, renderProblems } from "../../config/problems.ts";
import { watchConfig } from "../../config/reload.ts";
import type { GatewayConfig } from "../../config/schema.ts";
import type { EmbeddedUpstream } from "../../embedded/embedded.ts";
import { type Flags, type Terminal, UsageError } from "./command.ts";
import { type ListenOptions, listenOptions } from "./listen-options.ts";
import { PACKAGE_ROOT } from "./package.ts";

/** Told of what happens to the configuration while it is served. */
interface Follower {
  loaded(config: GatewayConfig, warnings: readonly Problem[]): void;
  rejected(error: ConfigError): void;
}

export interface KnowledgeSource {
  /** As it was when the source was opened. */
  readonly config: GatewayConfig;
  /** What is served, for people. */
  readonly description: string;
  /** Tells of every change since the source was opened. */
  follow(follower: Follower): void;
  close(): Promise<void>;
}

/**
 * @param warn told of what looks wrong, in a line or more
 * @throws UsageError for flags that contradict each other, and for a host that would open everything to everybody
 * @throws ConfigError for a file that cannot be used
 */
export async function openSource(flags: Flags, env: Terminal["env"], warn: Terminal["err"]): Promise<KnowledgeSource> {
  const listen = listenOptions(flags, env);
  if (flags.config !== undefined && flags.folder !== undefined) {
    throw new UsageError("--config and --folder cannot be used together.");
  }
  if (flags.config !== undefined) return openConfig(flags.config, env, listen, warn);
  const sample = fileURLToPath(new URL("examples/knowledge", PACKAGE_ROOT));
  return await openFolder(flags.folder ?? sample, listen, warn);
}

function openConfig(path: string, env: Terminal["env"], listen: ListenOptions, warn: Terminal["err"]): KnowledgeSource {
  let follower: Follower | null = null;
  const watch = watchConfig({
    path,
    env,
    server: listen,
    onLoaded: ({ config, warnings }) => follower?.loaded(config, warnings),
    onRejected: (error) => follower?.rejected(error)
  });
  const first = watch.current();
  if (first.warnings.length > 0) warn(renderProblems(path, first.warnings));
  const names = Object.keys(first.config.upstreams);
  return {
    config: first.config,
    description: `${path} (upstreams: ${names.join(", ")})`,
    follow(next) {
      follower = next;
      const rejection = watch.rejection();
      const now = watch.current();
      if (now !== first) next.loaded(now.config, now.warnings);
      if (rejection !== null) next.rejected(rejection);
    },
    close: async () => watch.close()
  };
}

async function openFolder(folder: string, listen: ListenOptions, warn: Terminal["err"]): Promise<KnowledgeSource> {
  const { host = "127.0.0.1", port = 4000 } = listen;
  if (!isLoopbackHost(host)) {
    throw new UsageError(
      `The host ${host} (--host or HOST) would show everything to everybody: without tenants only a loopback host is served. ` +
        "Name tenants in a file and use --config."
    );
  }
  const embedded = await startOn(folder, warn);
  return {
    // The embedded upstream's own cursors end with the process too, so that nobody need be warned.
    config: folderConfig(embedded, { server: { host, port, cursorSecret: randomBytes(32).toString("hex") } }),
    description: folder,
    follow: () => undefined,
    close: () => embedded.close()
  };
}

async function startOn(folder: string, warn: Terminal["err"]): Promise<EmbeddedUpstream> {
  // With the readers of Markdown, which a configuration's upstreams do not need.
  const { startEmbedded } = await import("../../embedded/embedded.ts");
  try {
    return await startEmbedded({
      folder,
      onWarning: ({ file, reason }) => warn(`warning: ${onOneLine(file)}: ${reason}`)
    });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    throw new UsageError(`--folder ${folder} cannot be served${code}.`);
  }
}

/** Names of files may hold line ends, and what terminals act on. */
function onOneLine(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => JSON.stringify(character).slice(1, -1));
}
