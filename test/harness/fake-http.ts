/** The HTTP side of the fake upstream: remembering requests and sending answers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendFault } from "./fake-faults.ts";
import { routeOf } from "./fake-routes.ts";
import type { FakeAnswer, FakeRequest } from "./fake-upstream.ts";

/** What is to be remembered of a request; `changed` is called when it is answered or given up. */
export function observe(
  incoming: IncomingMessage,
  response: ServerResponse,
  prefix: string,
  changed: () => void
): FakeRequest {
  const target = incoming.url ?? "";
  const [path = "", ...rest] = target.split("?");
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(rest.join("?"))) query[name] ??= value;
  const request: FakeRequest = {
    method: incoming.method ?? "",
    target,
    path,
    query,
    headers: incoming.headers,
    at: Date.now(),
    aborted: false,
    finished: false,
    ...routeOf(path.startsWith(prefix) ? path.slice(prefix.length) : "")
  };
  response.once("finish", () => {
    request.finished = true;
    changed();
  });
  response.once("close", () => {
    request.aborted = !request.finished;
    changed();
  });
  return request;
}

/** Sends a decided answer, as JSON unless it says otherwise. */
export function send(response: ServerResponse, request: FakeRequest, answer: FakeAnswer): void {
  if (response.destroyed) return;
  if ("fault" in answer) {
    sendFault(response, answer);
    return;
  }
  const body = answer.raw ?? (answer.body === undefined ? "" : JSON.stringify(answer.body));
  response.writeHead(answer.status ?? 200, {
    "content-type": "application/json",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    ...answer.headers
  });
  const { socket } = response;
  response.end(request.method === "HEAD" ? undefined : body);
  if (answer.trailing !== undefined) socket?.write(answer.trailing);
}
