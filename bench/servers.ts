/** The servers under test and what stands around them. */

import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Job, ServerName } from "./jobs.ts";
import type { LoadRequest } from "./load.ts";
import { type Process, startChild, startGateway } from "./processes.ts";
import { KNOWLEDGE_BASE, SLUG, TENANT_KEY, UPSTREAM_KEY } from "./world.ts";

/** Less than the questions of any job fill, so that each has been forgotten when it comes again. */
const SMALL_CACHE = 1024 * 1024;
const MANY = 1_000_000_000;

export interface Servers {
  readonly upstream: Process;
  readonly load: Process;
  server(name: ServerName, state: Job["state"]): Process;
  /** A further gateway, for what only a fresh process can tell. */
  freshGateway(): Promise<Process>;
  stop(): Promise<void>;
}

export async function startServers(): Promise<Servers> {
  const folder = await mkdtemp(join(tmpdir(), "focowiki-bench-"));
  const upstream = await startChild("./upstream.ts", "load");
  const load = await startChild("./load.ts", "load");
  const reference = await startChild("./reference.ts", "server", upstream.url);
  const naive = await startChild("./naive.ts", "server", upstream.url);
  const configFile = (name: string, cache: object) => {
    const file = join(folder, `${name}.yaml`);
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ ...configuration(upstream.url), cache }));
    return file;
  };
  const warmFile = configFile("warm", {});
  const cold = await startGateway(configFile("cold", { maxBytes: SMALL_CACHE }));
  const warm = await startGateway(warmFile);
  const own = [upstream, load, reference, naive, cold, warm];
  return {
    upstream,
    load,
    server: (name, state) =>
      name === "reference" ? reference : name === "naive" ? naive : state === "cold" ? cold : warm,
    freshGateway: () => startGateway(warmFile),
    async stop() {
      await Promise.all(own.map((process) => process.stop()));
      await rm(folder, { recursive: true });
    }
  };
}

/** One tenant with one key and no path rules; no limit that a benchmark would meet; everything else as by default. */
function configuration(upstreamUrl: string): object {
  return {
    server: { cursorSecret: "a secret of the benchmark, and of nothing else" },
    upstreams: { main: { url: upstreamUrl, apiKey: UPSTREAM_KEY, rateLimit: { requests: MANY } } },
    knowledgeBases: { [SLUG]: { upstream: "main", id: KNOWLEDGE_BASE } },
    tenants: {
      bench: {
        credentials: [{ apiKeySha256: createHash("sha256").update(TENANT_KEY).digest("hex"), subject: "load" }],
        grants: [{ knowledgeBases: [SLUG] }],
        limits: { requestsPerMinute: MANY, concurrentRequests: 1000 }
      }
    }
  };
}

/** Asks once and returns the body. @throws Error for anything but an answer without errors */
export async function askOnce(url: string, { method, path, headers, body }: LoadRequest): Promise<string> {
  const response = await fetch(`${url}${path}`, { method, headers, ...(body === undefined ? {} : { body }) });
  const text = await response.text();
  if (response.status !== 200 || text.startsWith('{"errors"')) {
    throw new Error(`${path} at ${url}: ${response.status} ${text.slice(0, 500)}`);
  }
  return text;
}
