/** Whether this process is one replica of many. */
import type { Logger } from "pino";
import type { GatewayConfig } from "../../config/schema.ts";
import type { Replicas } from "./replicas.ts";

/** @returns null where `shared.redisUrl` is not set: every limit is this process's own, and no Redis client is loaded */
export async function startReplicas({ shared }: GatewayConfig, log: Logger): Promise<Replicas | null> {
  const { redisUrl, replicas } = shared;
  if (redisUrl === undefined) return null;
  const { Replicas } = await import("./replicas.ts");
  const started = new Replicas(redisUrl, replicas, log);
  await started.started();
  return started;
}
