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
   * @param left called once, whichever way the waiting ends
   * @throws UPSTREAM_TIMEOUT at the deadline; the signal's reason when it aborts
   */
  wait<T>(work: Promise<T>, left: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const give = (reason: unknown) => {
        left();
        reject(reason);
      };
      this.#enter(give);
      work.then(
        (value) => {
          if (!this.#leave(give)) return;
          left();
          resolve(value);
        },
        (error: unknown) => {
          if (this.#leave(give)) give(error);
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

  /** @returns false for one that has left before */
  #leave(reject: Reject): boolean {
    if (!this.#waiting.delete(reject)) return false;
    if (this.#waiting.size === 0) {
      clearTimeout(this.#timer);
      this.signal.removeEventListener("abort", this.#abandon);
    }
    return true;
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
