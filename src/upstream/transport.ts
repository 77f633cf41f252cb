/** One HTTP exchange with an upstream: sockets, headers, bytes. What they mean is decided elsewhere. */
import { Pool } from "undici";
import type { Call, Exchange } from "./call.ts";
import { decodeContent } from "./content-encoding.ts";
import { wireFault } from "./faults.ts";
import { traceHeaders } from "./observed.ts";
import { collectResponse } from "./response-collector.ts";

export interface Transport {
  /**
   * Sends one GET and reads the answer, whatever its status.
   * @throws GatewayError UPSTREAM_UNAVAILABLE, UPSTREAM_TIMEOUT or UPSTREAM_INVALID_RESPONSE; the call's reason when
   *   it is ended, and then the socket is closed
   */
  exchange(call: Call): Promise<Exchange>;
  /** Lets running exchanges end, then closes all sockets. May be asked more than once. */
  close(): Promise<void>;
}

export interface TransportOptions {
  readonly origin: string;
  readonly apiKey: string;
  readonly connectTimeoutMs: number;
  /** The most sockets to hold open. */
  readonly sockets: number;
  /** The largest body to accept, in decoded bytes. */
  readonly bodyBytes: number;
}

/** Below the 5 s after which the upstream closes an idle socket, so that a request is not sent into a closing one. */
const KEEP_ALIVE_MS = 4000;

export function createTransport(options: TransportOptions): Transport {
  const pool = new Pool(options.origin, {
    connections: options.sockets,
    // Pipelining would let one slow answer hold up the next.
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    connectTimeout: options.connectTimeoutMs,
    // The call's own deadline covers headers and body; undici's timers count from other moments.
    headersTimeout: 0,
    bodyTimeout: 0
  });
  const headers = {
    accept: "application/json",
    authorization: `Bearer ${options.apiKey}`,
    "user-agent": "focowiki-gateway"
  };

  async function exchange(call: Call): Promise<Exchange> {
    const { target: path, ending } = call;
    call.progress.sent += 1;
    try {
      const request = { method: "GET", path, headers: { ...headers, ...traceHeaders() } } as const;
      const response = await collectResponse(pool, request, ending, options.bodyBytes);
      const encoding = response.headers["content-encoding"];
      if (encoding === undefined) return response;
      return { ...response, bytes: await decodeContent(response.bytes, String(encoding), options.bodyBytes) };
    } catch (error) {
      ending.throwIfEnded();
      throw wireFault(error);
    }
  }

  let closing: Promise<void> | undefined;
  return {
    exchange,
    close() {
      closing ??= pool.close();
      return closing;
    }
  };
}
