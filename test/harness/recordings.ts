/**
 * The recorded answers of a real upstream, where they are at hand, and the program that replays them over HTTP.
 *
 * This file alone knows where they lie. Tests that need them call `recordingsFolder()` and skip with
 * `RECORDINGS_ABSENT` as their message where it is `null`.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const FOLDER = fileURLToPath(new URL("../../../shared/upstream/", import.meta.url));
const STARTED = /http:\/\/127\.0\.0\.1:\d+/;

export const RECORDINGS_ABSENT = "the recorded upstream answers are not on this machine";

/** The knowledge base that the recordings and the crawl were taken of. */
export const RECORDED_KNOWLEDGE_BASE = "knowledge-base-20a5b969-ea5e-44bb-be4c-774b0c07e2a9";

export interface Recording {
  /** `search.no-candidates`, `crawl.content-index-md`: the file's name without its ending. */
  readonly name: string;
  /** `recordings` are single requests; `crawl` is one coherent snapshot with default parameters. */
  readonly folder: "recordings" | "crawl";
  readonly request: { readonly method: string; readonly path: string; readonly headers: Record<string, string> };
  readonly response: {
    readonly status: number;
    readonly headers: Record<string, string>;
    /** Parsed where it was JSON, else text; `null` where there was none. */
    readonly body: unknown;
  };
}

/** The folder with `recordings/`, `crawl/` and `replay.mjs`, or `null` where it is absent. */
export function recordingsFolder(): string | null {
  return existsSync(join(FOLDER, "replay.mjs")) ? FOLDER : null;
}

let loaded: readonly Recording[] | undefined;

/** All recordings, read once a process; an empty list where the folder is absent. */
export function loadRecordings(): readonly Recording[] {
  loaded ??= recordingsFolder() === null ? [] : [...readFolder("recordings"), ...readFolder("crawl")];
  return loaded;
}

function readFolder(folder: Recording["folder"]): Recording[] {
  return readdirSync(join(FOLDER, folder))
    .filter((file) => file.endsWith(".json"))
    .sort()
    .map((file) => {
      const { request, response } = JSON.parse(readFileSync(join(FOLDER, folder, file), "utf8"));
      return {
        name: file.slice(0, -".json".length),
        folder,
        request: { headers: {}, ...request },
        response: { body: null, ...response }
      };
    });
}

export interface ReplayOptions {
  /** Names of recordings of a passing state (`outage.…`, `rate-limit.…`) to lay over the usual ones. */
  readonly with?: readonly string[];
  /** Serve the revision labels as they were recorded instead of one for all. */
  readonly asRecorded?: boolean;
}

export interface Replay extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  close(): Promise<void>;
}

/**
 * Starts the replay program as a child process on a free loopback port.
 * @throws Error with `RECORDINGS_ABSENT` where there is nothing to replay, or with what the program wrote when it failed.
 */
export async function startReplay(options: ReplayOptions = {}): Promise<Replay> {
  const folder = recordingsFolder();
  if (folder === null) throw new Error(RECORDINGS_ABSENT);
  const key = "replay-key";
  const overlays = (options.with ?? []).flatMap((name) => ["--with", name]);
  const asRecorded = options.asRecorded ? ["--as-recorded", "true"] : [];
  const child = spawn(
    process.execPath,
    [join(folder, "replay.mjs"), "--port", "0", "--key", key, ...asRecorded, ...overlays],
    { stdio: ["ignore", "pipe", "pipe"] }
  );
  const exited = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = () => child.kill();
  process.once("exit", stop);
  const url = await new Promise<string>((resolve, reject) => {
    let written = "";
    const read = (chunk: Buffer) => {
      written += chunk.toString("utf8");
      const address = STARTED.exec(written);
      if (address) resolve(address[0]);
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`the replay program ended with ${code}: ${written}`)));
  });
  const close = async (): Promise<void> => {
    process.off("exit", stop);
    stop();
    await exited;
  };
  return { url, key, close, [Symbol.asyncDispose]: close };
}
