/** Ends a server without cutting off an answer. */
import type { Server } from "node:http";
import type { Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";

const SWEEP_MS = 50;

/** @returns a server's open connections, from here on */
export function followConnections(server: Server): ReadonlySet<Socket> {
  const open = new Set<Socket>();
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  return open;
}

/**
 * Takes no new connection, lets requests in flight finish, and closes idle connections.
 * @param connections the server's, as followed since it began to listen
 * @param graceMs after this, what is still open is cut off
 * @returns whether everything ended by itself
 */
export async function drain(server: Server, connections: ReadonlySet<Socket>, graceMs: number): Promise<boolean> {
  const closed = new Promise<true>((resolve) => server.close(() => resolve(true)));
  const sweeper = setInterval(() => {
    // A keep-alive connection becomes idle only once its answer was written; nobody else would close it then.
    server.closeIdleConnections();
    // To Node.js one that has not said anything yet, as spare ones of browsers and balancers, is not idle.
    for (const socket of connections) if (socket.bytesRead === 0) socket.destroy();
  }, SWEEP_MS);
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
