/**
 * How long one HTTP request waits for what others may wait for too: until its own signal aborts or its own deadline
 * passes. One timer and one listener serve all its reads, of which fifty may wait at once. docs/invariants.md 7.
 */
import { GatewayError } from "../errors.ts";

type Reject = (reason: unknown) => void;

export class Patience {
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly #waiting = new Set<Reject>();
  #timer: NodeJS.Timeout | undefined;

  constructor(signal: AbortSignal, deadline: number) {
    this.signal = signal;
    this.deadline = deadline;
  }

  /**
   * Settles as the work does, unless the request ends first.
   * @throws UPSTREAM_TIMEOUT at the deadline; the signal's reason when it aborts
   */
  wait<T>(work: Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#enter(reject);
      work.then(
        (value) => {
          this.#leave(reject);
          resolve(value);
        },
        (error: unknown) => {
          this.#leave(reject);
          reject(error);
        }
      );
    });
  }

  #enter(reject: Reject): void {
    if (this.#waiting.size === 0) {
      this.signal.addEventListener("abort", this.#abandon, { once: true });
      this.#timer = setTimeout(this.#expire, Math.max(0, this.deadline - Date.now()));
    }
    this.#waiting.add(reject);
  }

  #leave(reject: Reject): void {
    if (!this.#waiting.delete(reject) || this.#waiting.size > 0) return;
    clearTimeout(this.#timer);
    this.signal.removeEventListener("abort", this.#abandon);
  }

  readonly #abandon = (): void => this.#end(this.signal.reason);
  readonly #expire = (): void => this.#end(new GatewayError("UPSTREAM_TIMEOUT"));

  #end(reason: unknown): void {
    for (const reject of [...this.#waiting]) {
      this.#leave(reject);
      reject(reason);
    }
  }
}
