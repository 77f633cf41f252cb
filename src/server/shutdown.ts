/** Ends a server without cutting off an answer. */
import type { Server } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Takes no new connection, lets requests in flight finish, and closes idle connections.
 * @param graceMs after this, what is still open is cut off
 * @returns whether everything ended by itself
 */
export async function drain(server: Server, graceMs: number): Promise<boolean> {
  const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
  // A keep-alive connection becomes idle only once its answer was written; nobody else would close it then.
  const sweeper = setInterval(() => server.closeIdleConnections(), 50);
  const expiry = new AbortController();
  const expired = delay(graceMs, false, { signal: expiry.signal }).catch(() => false);
  const clean = await Promise.race([closed, expired]);
  clearInterval(sweeper);
  expiry.abort();
  if (!clean) {
    server.closeAllConnections();
    await closed;
  }
  return clean;
}
