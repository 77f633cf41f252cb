/** Gathers one response from undici's dispatcher, to its end, to a limit, or until its caller is gone. */
import type { Dispatcher } from "undici";
import type { Ending } from "./ending.ts";

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
 * listener covers the wait for a socket, the headers and the body, at two thirds of the time.
 * @param limit the most bytes to take
 * @throws BodyTooLarge, the reason that the call was ended with, or the connection's error; the socket is closed in each case
 */
export function collectResponse(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  ending: Ending,
  limit: number
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    ending.throwIfEnded();
    const collector = new ResponseCollector(limit, ending, resolve, reject);
    dispatcher.dispatch(request, collector);
  });
}

class ResponseCollector implements Dispatcher.DispatchHandler {
  readonly #limit: number;
  readonly #ending: Ending;
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #controller: Dispatcher.DispatchController | undefined;
  #size = 0;
  #status = 0;
  #headers: RawResponse["headers"] = {};

  constructor(
    limit: number,
    ending: Ending,
    resolve: (response: RawResponse) => void,
    reject: (reason: unknown) => void
  ) {
    this.#limit = limit;
    this.#ending = ending;
    this.#resolve = resolve;
    this.#reject = reject;
    ending.on(this.#leave);
  }

  /** The request has a socket. One whose caller left while it waited for that is not sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.#ending.ended) this.#leave();
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
    this.#reject(this.#ending.reason);
    this.#controller?.abort(new Error("aborted"));
  };

  #stopListening(): void {
    this.#ending.off(this.#leave);
  }
}
