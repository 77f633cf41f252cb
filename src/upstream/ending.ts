/**
 * Ends one call, at most once: what an AbortController does, without an EventTarget, which costs as much as all the rest
 * that a call does before it is on the wire.
 */
export class Ending {
  #ended = false;
  #reason: unknown;
  readonly #listeners: (() => void)[] = [];

  get ended(): boolean {
    return this.#ended;
  }

  /** What it was ended with; undefined before. */
  get reason(): unknown {
    return this.#reason;
  }

  /** Ends the call; a second time does nothing. */
  end(reason: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reason = reason;
    for (const listener of this.#listeners.splice(0)) listener();
  }

  /** Calls the listener when the call is ended; not at all where it was ended before. */
  on(listener: () => void): void {
    this.#listeners.push(listener);
  }

  off(listener: () => void): void {
    const index = this.#listeners.indexOf(listener);
    if (index >= 0) this.#listeners.splice(index, 1);
  }

  /** @throws the reason, where it was ended */
  throwIfEnded(): void {
    if (this.#ended) throw this.#reason;
  }
}
