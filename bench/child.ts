/** What the benchmark's processes have in common: a port, and one question after the other from the parent. */
import { once } from "node:events";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

export type Message = Readonly<Record<string, unknown>>;

/** Listens on a free loopback port. @returns the URL */
export async function listening(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Tells the parent the URL, then answers its messages until it goes. */
export function serveParent(options: {
  readonly url?: string;
  handle?(message: Message): Message | Promise<Message>;
}): void {
  process.on("message", (message: Message) => {
    void (async () => process.send?.((await options.handle?.(message)) ?? {}))();
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ url: options.url ?? null });
}

/** The address that the parent gave on the command line. */
export function upstreamUrl(): string {
  const url = process.argv[2];
  if (url === undefined) throw new Error("Started by run.ts, with the upstream's URL.");
  return url;
}
