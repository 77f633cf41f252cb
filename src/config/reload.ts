/**
 * Keeps a configuration current with its file.
 *
 * Directories are watched, so that a change is seen at once even where the file is replaced by renaming or a symlink on
 * the way to it is swapped, as Kubernetes does with mounted volumes; and the files' stamps are polled, because not every
 * file system reports changes. A version is new when the configuration, with its secrets, is.
 */
import { resolve } from "node:path";
import { type Environment, type LoadedConfig, type LoadOptions, loadConfig } from "./load.ts";
import { ConfigError, type Problem } from "./problems.ts";
import type { GatewayConfig } from "./schema.ts";
import { watchFiles } from "./watch.ts";

export interface ConfigVersion {
  /** Counts from 1; each load that is taken into force adds one. */
  readonly number: number;
  readonly loadedAt: Date;
  readonly config: GatewayConfig;
  readonly warnings: readonly Problem[];
  /** SHA-256 of the configuration with its secrets. */
  readonly digest: string;
}

export interface WatchOptions extends LoadOptions {
  readonly path: string;
  readonly env: Environment;
  /** A new version is in force; also called when a refused file is well again. */
  readonly onLoaded: (version: ConfigVersion) => void;
  /** The file is not valid; the version in force stays. Not called again for the same problems. */
  readonly onRejected: (error: ConfigError) => void;
  /** How long the files must be unchanged before they are read, so that half a file is not; 100 where left out. */
  readonly debounceMs?: number;
  /** How often stamps are compared where no event came; 2000 where left out. */
  readonly pollMs?: number;
}

export interface ConfigWatch {
  /** The version in force. */
  current(): ConfigVersion;
  /** Why the file as it is now is not in force; null where it is. */
  rejection(): ConfigError | null;
  close(): void;
}

/**
 * Loads the file and watches it from then on.
 * @throws ConfigError where the file is not valid at the start
 */
export function watchConfig(options: WatchOptions): ConfigWatch {
  const { path, env, onLoaded, onRejected, debounceMs = 100, pollMs = 2000 } = options;
  const first = loadConfig(path, env, options);
  let version = versionOf(1, first);
  let rejection: ConfigError | null = null;
  const files = watchFiles(first.files, { debounceMs, pollMs, onChanged: reload });

  function reload(): readonly string[] {
    try {
      const loaded = loadConfig(path, env, options);
      if (loaded.digest !== version.digest || rejection !== null) {
        const next = versionOf(version.number + 1, loaded);
        onLoaded(next);
        version = next;
      }
      rejection = null;
      return loaded.files;
    } catch (error) {
      const refused = error instanceof ConfigError ? error : notInForce(path);
      const news = refused.message !== rejection?.message;
      rejection = refused;
      if (news) onRejected(refused);
      return refused.files;
    }
  }

  return { current: () => version, rejection: () => rejection, close: () => files.close() };
}

function versionOf(number: number, { config, warnings, digest }: LoadedConfig): ConfigVersion {
  return { number, loadedAt: new Date(), config, warnings, digest };
}

/** The file is valid, and what is built from it could not be. */
function notInForce(path: string): ConfigError {
  const message = "valid, but it could not be taken into force";
  return new ConfigError(path, [{ path: "", line: 1, column: 1, message, severity: "error" }], [resolve(path)]);
}
