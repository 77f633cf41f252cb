import { createHash } from "node:crypto";

/** Names an upstream alike in all replicas, whatever their configurations call it, without telling its address. */
export function upstreamKey(url: string): string {
  return createHash("sha256").update(new URL(url).href).digest("hex").slice(0, 16);
}
