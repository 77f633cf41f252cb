/** The upstream: prepared answers, after a delay where one is asked for. A process of its own. */
import { createServer } from "node:http";
import { answers, keyOf } from "./answers.ts";
import { listening, serveParent } from "./child.ts";

const bodies = answers();
let delayMs = 0;
let requests = 0;

const server = createServer((incoming, outgoing) => {
  requests += 1;
  const body = bodies.get(keyOf(incoming.url ?? ""));
  const send = () =>
    void outgoing
      .writeHead(body === undefined ? 404 : 200, {
        "content-type": "application/json",
        "content-length": body?.byteLength ?? 0
      })
      .end(body);
  if (delayMs === 0) send();
  else setTimeout(send, delayMs);
});
// Longer than any run, so that no run pays for new sockets.
server.keepAliveTimeout = 600_000;

serveParent({
  url: await listening(server),
  handle(message) {
    if ("delayMs" in message) delayMs = Number(message.delayMs);
    const seen = requests;
    requests = 0;
    return { requests: seen };
  }
});
