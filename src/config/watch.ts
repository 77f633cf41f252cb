/** Notices that files have changed, whichever way they were changed. */
import { type FSWatcher, realpathSync, statSync, watch } from "node:fs";
import { dirname } from "node:path";

export interface FileWatchOptions {
  /** How long the files must be unchanged before `onChanged`. */
  readonly debounceMs: number;
  /** How often stamps are compared where no event came. */
  readonly pollMs: number;
  /** Reads the files; returns those to watch from then on. */
  readonly onChanged: () => readonly string[];
}

/** Calls `onChanged` once after each burst of changes, when the last is over. */
export function watchFiles(first: readonly string[], { debounceMs, pollMs, onChanged }: FileWatchOptions) {
  let files = first;
  let read = stampOf(files);
  let settling: NodeJS.Timeout | undefined;
  let endWatching = watchDirectories(files, compare);
  const polling = setInterval(compare, pollMs).unref();

  function compare(): void {
    if (settling === undefined && stampOf(files) !== read) settle(stampOf(files));
  }

  function settle(seen: string): void {
    settling = setTimeout(() => {
      const now = stampOf(files);
      if (now !== seen) return settle(now);
      settling = undefined;
      change(now);
    }, debounceMs).unref();
  }

  function change(stamp: string): void {
    const next = onChanged();
    // Taken before the reading, so that a change in between is seen; new files have no stamp yet.
    read = next.join() === files.join() ? stamp : stampOf(next);
    files = next;
    endWatching();
    // Symlinks may lead elsewhere now.
    endWatching = watchDirectories(files, compare);
  }

  return {
    close: (): void => {
      clearTimeout(settling);
      clearInterval(polling);
      endWatching();
    }
  };
}

/** Equal as long as the files, at the end of their symlinks, are the same and unchanged. */
function stampOf(files: readonly string[]): string {
  return files
    .map((file) => {
      const stat = statSync(file, { bigint: true, throwIfNoEntry: false });
      return stat === undefined ? "-" : [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(":");
    })
    .join("|");
}

/**
 * Calls back when anything happens in the files' directories: where they are named, and where their symlinks lead.
 * @returns a function that ends the watching
 */
function watchDirectories(files: readonly string[], onEvent: () => void): () => void {
  const directories = new Set(files.flatMap((file) => [dirname(file), dirname(realPath(file))]));
  const watchers = [...directories].flatMap((directory) => watchDirectory(directory, onEvent) ?? []);
  return () => {
    for (const watcher of watchers) watcher.close();
  };
}

/** Null where the system has no watches left or no such directory: then polling has to do. */
function watchDirectory(directory: string, onEvent: () => void): FSWatcher | null {
  try {
    const watcher = watch(directory, { persistent: false }, onEvent);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}

function realPath(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
