/** Starts the benchmark's processes, on cores of their own where the machine allows, and reads what they use. */
import { type ChildProcess, fork, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { Message } from "./child.ts";

/** Upstream and load share one core, the server under test has the other. */
export type Core = "load" | "server";

const PINS = cpus().length > 1 && spawnSync("taskset", ["--version"]).status === 0;
const GATEWAY = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const TICKS_PER_SECOND = 100;

export interface Process {
  readonly pid: number;
  /** Empty for a process that serves nothing. */
  readonly url: string;
  /** One question at a time. */
  ask(message: Message): Promise<Message>;
  stop(): Promise<void>;
}

/** Starts one of the benchmark's own programs, which says where it listens. */
export async function startChild(program: string, core: Core, ...args: readonly string[]): Promise<Process> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), args, { execArgv: ["--import", "tsx"] });
  pin(child, core);
  const [{ url }] = (await once(child, "message")) as [Message];
  return {
    pid: pidOf(child),
    url: String(url ?? ""),
    async ask(message) {
      child.send(message);
      const [answer] = (await once(child, "message")) as [Message];
      return answer;
    },
    stop: () => ended(child, () => child.disconnect())
  };
}

/** Starts the gateway as the image does: the built program, reading a file. */
export async function startGateway(configFile: string): Promise<Process> {
  const args = ["--max-semi-space-size=64", GATEWAY, "serve", "--config", configFile, "--port", "0"];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  pin(child, "server");
  return {
    pid: pidOf(child),
    url: await addressOf(child),
    ask: () => Promise.reject(new Error("The gateway answers over HTTP only.")),
    stop: () => ended(child, () => child.kill("SIGTERM"))
  };
}

/** The address that the gateway prints once it listens. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let printed = "";
    child.stdout?.on("data", (chunk) => {
      printed += String(chunk);
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0];
      if (url !== undefined) resolve(url);
    });
    child.once("exit", (code) => reject(new Error(`The gateway ended with ${code}. Was it built? ${printed}`)));
  });
}

/** Seconds of processor time that a process has used; NaN where the system does not tell. */
export function cpuSeconds(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  } catch {
    return Number.NaN;
  }
}

/** Resident memory in megabytes; NaN where the system does not tell. */
export function residentMegabytes(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return Number.NaN;
  }
}

function pin(child: ChildProcess, core: Core): void {
  if (PINS) spawnSync("taskset", ["-a", "-p", "-c", core === "load" ? "0" : "1", String(pidOf(child))]);
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("The process could not be started.");
  return child.pid;
}

async function ended(child: ChildProcess, end: () => void): Promise<void> {
  if (child.exitCode !== null) return;
  const exit = once(child, "exit");
  end();
  await exit;
}
