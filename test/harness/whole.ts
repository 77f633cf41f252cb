/** Requests and answers as the server hands them over, from and to those of the Fetch standard, which tests are written in. */
import type { WholeAnswer, WholeRequest } from "../../src/http.ts";

export async function wholeOf(request: Request): Promise<WholeRequest> {
  const { origin } = new URL(request.url);
  // As it was written: URL would fold dot segments away.
  const target = request.url.slice(origin.length);
  const mark = target.indexOf("?");
  const body = Buffer.from(await request.arrayBuffer());
  return {
    method: request.method,
    pathname: mark === -1 ? target : target.slice(0, mark),
    search: mark === -1 ? "" : target.slice(mark),
    origin,
    headers: Object.fromEntries(request.headers),
    body: body.byteLength === 0 ? null : body,
    signal: request.signal
  };
}

export function responseOf({ status, headers, body }: WholeAnswer): Response {
  return new Response(typeof body === "string" ? body : new Uint8Array(body), { status, headers });
}
