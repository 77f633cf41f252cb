/** Gathers one response from undici's dispatcher, to its end, to a limit, or until its caller is gone. */
import type { Dispatcher } from "undici";

/** The body is larger than the limit; the rest was not read. */
export class BodyTooLarge extends Error {}

/** A response as it came, its body still encoded. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly bytes: Buffer;
}

/**
 * Sends a request and gathers its response, whatever the status; redirects are responses.
 *
 * Uses `dispatch`, on which undici's `request` is built: there is no stream between the socket and the bytes, and one
 * listener on the signal covers the wait for a socket, the headers and the body, at two thirds of the time.
 * @param limit the most bytes to take
 * @throws BodyTooLarge, the signal's reason, or the error of the connection; the socket is closed in each case
 */
export function collectResponse(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  signal: AbortSignal,
  limit: number
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      reject(signal.reason);
      return;
    }
    const collector = new ResponseCollector(limit, signal, resolve, reject);
    dispatcher.dispatch(request, collector);
  });
}

class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #limit: number;
  readonly #signal: AbortSignal;
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #size = 0;
  #status = 0;
  #headers: RawResponse["headers"] = {};

  constructor(
    limit: number,
    signal: AbortSignal,
    resolve: (response: RawResponse) => void,
    reject: (reason: unknown) => void
  ) {
    this.#limit = limit;
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener("abort", this.#leave, { once: true });
  }

  /** The request has a socket. One whose caller left while it waited for that is not sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#signal.aborted) this.#leave();
  }

  /** Called for interim responses (1xx) too; the last one counts. */
  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: RawResponse["headers"]): void {
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#limit) controller.abort(new BodyTooLarge());
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    this.#stopListening();
    const [only] = this.#chunks;
    const bytes = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks, this.#size);
    this.#resolve({ status: this.#status, headers: this.#headers, bytes });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#stopListening();
    this.#reject(error);
  }

  /** Rejects at once, also while there is no socket yet that could be closed. */
  readonly #leave = (): void => {
    this.#reject(this.#signal.reason);
    this.#controller?.abort(new Error("aborted"));
  };

  #stopListening(): void {
    this.#signal.removeEventListener("abort", this.#leave);
  }
}
