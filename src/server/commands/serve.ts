/** `serve`: runs the gateway until it is asked to stop. */
import { setTimeout as delay } from "node:timers/promises";
import pino, { type Logger } from "pino";
import { type RunningGateway, startGateway } from "../gateway.ts";
import { startTelemetry } from "../telemetry.ts";
import type { Command, Terminal } from "./command.ts";
import { readVersion } from "./package.ts";
import { type KnowledgeSource, openSource } from "./source.ts";
import { whatToTry } from "./what-to-try.ts";

/**
 * How long requests are still taken after a signal. Each is answered and told that its connection closes; one that was on
 * its way when an idle connection was closed would be lost, and a client does not send a POST again by itself.
 */
const LAST_CALL_MS = 250;

export const serve: Command = {
  usage: "serve [--config FILE | --folder DIR] [--host HOST] [--port PORT]",
  summary: "Serves the upstreams of a configuration, a folder of Markdown, or (with neither) the packaged sample.",
  options: {
    config: { type: "string" },
    folder: { type: "string" },
    host: { type: "string" },
    port: { type: "string" }
  },
  async run(flags, terminal) {
    const source = await openSource(flags, terminal.env, terminal.err);
    const {
      telemetry,
      log: { level }
    } = source.config;
    const log = pino({ level, base: null }, terminal.logSink);
    const stopTelemetry = await startTelemetry(telemetry, readVersion(), log);
    try {
      return await serveSource(source, terminal, log);
    } finally {
      await stopTelemetry();
      await source.close();
    }
  }
};

async function serveSource(source: KnowledgeSource, terminal: Terminal, log: Logger): Promise<number> {
  const gateway = await listen(source, log, terminal);
  if (gateway === null) return 1;
  const { runtime } = gateway;
  source.follow({
    loaded: (config, warnings) => {
      const { host, port } = runtime.config.server;
      const moved = host !== config.server.host || port !== config.server.port;
      runtime.apply(config);
      log.info({ warnings }, "the configuration was reloaded");
      if (moved) log.warn("server.host and server.port have changed; they need a restart");
    },
    rejected: ({ problems }) => {
      runtime.refuse();
      log.error({ problems }, "the configuration was refused; the one before stays in force");
    }
  });
  terminal.out(whatToTry(gateway.url, source));
  const signal = await terminal.stopped();
  log.info({ signal }, "stopping");
  runtime.beginStop();
  await delay(LAST_CALL_MS);
  const clean = await gateway.stop();
  log.info({ clean }, "stopped");
  return 0;
}

const ADDRESS_PROBLEMS: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there. Choose another port with --port or PORT",
  EADDRNOTAVAIL: "this machine has no such address. Choose another host with --host or HOST",
  EACCES: "this user may not listen there. Choose a port from 1024 up with --port or PORT",
  ENOTFOUND: "the name is not known. Choose another host with --host or HOST"
};

async function listen({ config }: KnowledgeSource, log: Logger, terminal: Terminal): Promise<RunningGateway | null> {
  try {
    return await startGateway({ config, version: readVersion(), log, standardOutput: terminal.outSink });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const problem = Object.hasOwn(ADDRESS_PROBLEMS, code) ? ADDRESS_PROBLEMS[code] : undefined;
    if (problem === undefined) throw error;
    const { host, port } = config.server;
    terminal.err(`Cannot listen on ${host}:${port}: ${problem}.`);
    return null;
  }
}
