/** Who may read `/metrics`. It tells of all tenants at once, so no tenant's credential opens it. */
import { createHash, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { isLoopbackHost } from "../../config/loopback.ts";
import type { ServerConfig } from "../../config/schema.ts";
import { GatewayError } from "../../errors.ts";

/** Headers by which a proxy says that the connection is not the caller's own. */
const FORWARDED: readonly string[] = ["forwarded", "x-forwarded-for", "x-real-ip"];
const IPV4_MAPPED = /^::ffff:/;

/**
 * @param server `host` as configured, and `metricsToken` where one is
 * @throws GatewayError UNAUTHORIZED without the token; FORBIDDEN where none is configured and the caller, or the
 *   address it reached, is not this machine's own
 */
export function guardMetrics(
  incoming: IncomingMessage,
  { host, metricsToken }: Pick<ServerConfig, "host" | "metricsToken">
): void {
  if (metricsToken !== undefined) {
    const presented = /^Bearer +(?<token>.*\S)/i.exec(incoming.headers.authorization ?? "")?.groups?.token;
    if (presented !== undefined && sameText(presented, metricsToken)) return;
    throw new GatewayError("UNAUTHORIZED", {
      message: "/metrics needs the token of server.metricsToken as a bearer token."
    });
  }
  const { localAddress, remoteAddress } = incoming.socket;
  const isForwarded = FORWARDED.some((name) => incoming.headers[name] !== undefined);
  const isLocal = isLoopbackHost(host) && isLoopback(localAddress) && isLoopback(remoteAddress);
  if (isLocal && !isForwarded) return;
  throw new GatewayError("FORBIDDEN", {
    message: "/metrics is for this machine only. To read it from elsewhere, set server.metricsToken."
  });
}

/** Digests first, so that neither content nor length shows in the time that it takes. */
function sameText(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

function isLoopback(address: string | undefined): boolean {
  return address !== undefined && isLoopbackHost(address.replace(IPV4_MAPPED, ""));
}
