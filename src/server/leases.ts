/** Counts who still uses a thing, so that it can be put away when nobody does. */

export class Leases {
  #holders = 0;
  #waiting: (() => void) | null = null;

  /** @returns ends the lease; harmless when called again */
  take(): () => void {
    this.#holders += 1;
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#holders -= 1;
      if (this.#holders === 0) this.#waiting?.();
    };
  }

  /** Resolves when the last lease has ended. To be called when no more are taken. */
  unused(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting = resolve;
      if (this.#holders === 0) resolve();
    });
  }
}
