/** Starts and stops a gateway in this process: the runtime, its HTTP server, its logs. */
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createListener } from "./listener.ts";
import { createLoadMonitor, type LoadBounds } from "./load.ts";
import { startReplicas } from "./replicas/start.ts";
import { Runtime, type RuntimeOptions } from "./runtime.ts";
import { drain, followConnections } from "./shutdown.ts";

export interface GatewayOptions extends Omit<RuntimeOptions, "replicas"> {
  /** What the process can take; for tests. */
  readonly loadBounds?: LoadBounds;
}

export interface RunningGateway {
  /** `http://host:port`, with the port that is listened on. */
  readonly url: string;
  readonly runtime: Runtime;
  /**
   * Readiness goes at once; then answers in flight are given until the grace time.
   * @returns whether every answer arrived
   */
  stop(): Promise<boolean>;
}

/**
 * Connections that the system may hold while the event loop is busy. Beyond it a client waits a second or more until its
 * system tries again, which no shedding of load can help. Node.js's own is 511; the system's bound also holds.
 */
const BACKLOG = 4096;

/** Listens on `server.host` and `server.port`. @throws the system's error, such as EADDRINUSE */
export async function startGateway(options: GatewayOptions): Promise<RunningGateway> {
  const { config, log } = options;
  const replicas = await startReplicas(config, log);
  const runtime = new Runtime({ ...options, replicas });
  const load = createLoadMonitor(options.loadBounds, runtime.metrics.shed);
  const server = createListener({ runtime, load, log });
  const connections = followConnections(server);
  const { host, port } = config.server;
  try {
    server.listen({ host, port, backlog: BACKLOG });
    await once(server, "listening");
  } catch (error) {
    load.close();
    await runtime.close();
    throw error;
  }
  return {
    url: urlOf(server.address() as AddressInfo),
    runtime,
    async stop() {
      runtime.beginStop();
      const clean = await drain(server, connections, runtime.config.server.shutdownGraceMs);
      load.close();
      await runtime.close();
      return clean;
    }
  };
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;
}
