/** A real Redis or Valkey in a test's hands, on a free loopback port, without anything on disk. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { Redis } from "ioredis";

const PROGRAM = ["redis-server", "valkey-server"].find(
  (name) => spawnSync(name, ["--version"], { stdio: "ignore" }).status === 0
);

/** Why tests with a real server are skipped; null where one is installed. */
export const redisMissing = PROGRAM === undefined ? "no redis-server or valkey-server is installed" : null;

export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  /** Ends the server at once; what it held is gone. */
  stop(): Promise<void>;
  /** Starts it again on the same port. */
  start(): Promise<void>;
  /** Lets it hang: connections are taken, and nothing is answered. */
  freeze(): void;
  thaw(): void;
}

export async function startRedis(): Promise<TestRedis> {
  const port = await freePort();
  let server: ChildProcess | null = null;

  const start = async () => {
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    server = spawn(PROGRAM ?? "redis-server", args, { stdio: "ignore" });
    await untilAnswering(port);
  };
  const stop = async () => {
    if (server === null || server.exitCode !== null) return;
    const gone = once(server, "exit");
    server.kill("SIGKILL");
    await gone;
    server = null;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    stop,
    freeze: () => void server?.kill("SIGSTOP"),
    thaw: () => void server?.kill("SIGCONT"),
    [Symbol.asyncDispose]: stop
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  if (address === null || typeof address === "string") throw new Error("no port");
  return address.port;
}

async function untilAnswering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const redis = new Redis({ port, host: "127.0.0.1", lazyConnect: true, retryStrategy: null });
    redis.on("error", () => undefined);
    try {
      await redis.connect();
      await redis.ping();
      return;
    } catch {
      await delay(50);
    } finally {
      redis.disconnect();
    }
  }
  throw new Error("Redis did not start");
}
