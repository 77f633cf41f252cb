/**
 * Equal upstream reads in flight, shared across requests and tenants.
 *
 * A flight has a deadline of its own (the upstream's `timeoutMs`) and ends early only when nobody waits any more: no
 * caller's limit, abort or deadline becomes another's error. Source: docs/invariants.md 7.
 */
import { GatewayError } from "../errors.ts";
import type { Reading } from "./budget.ts";

interface Flight<T> {
  readonly result: Promise<T>;
  readonly abort: AbortController;
  waiting: number;
}

export class Flights<T> {
  readonly #flights = new Map<string, Flight<T>>();

  get size(): number {
    return this.#flights.size;
  }

  /**
   * Joins the flight of `key`, or starts it.
   * @param start is given a signal that aborts when the last waiter has left
   * @throws what `start` throws; UPSTREAM_TIMEOUT at the caller's deadline; the caller's abort reason
   */
  async join(key: string, reading: Reading, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
    reading.signal.throwIfAborted();
    reading.charge();
    let flight = this.#flights.get(key);
    if (flight === undefined) {
      flight = this.#depart(key, start);
    }
    flight.waiting += 1;
    try {
      return await patience(flight.result, reading);
    } finally {
      flight.waiting -= 1;
      // The key is given up with the flight: whoever asks next must not board one that is being aborted.
      if (flight.waiting === 0) this.#land(key, flight)?.abort.abort(new DOMException("Nobody waits", "AbortError"));
    }
  }

  #depart(key: string, start: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const abort = new AbortController();
    const flight: Flight<T> = { result: start(abort.signal), abort, waiting: 0 };
    this.#flights.set(key, flight);
    const land = () => void this.#land(key, flight);
    flight.result.then(land, land);
    return flight;
  }

  #land(key: string, flight: Flight<T>): Flight<T> | undefined {
    if (this.#flights.get(key) !== flight) return undefined;
    this.#flights.delete(key);
    return flight;
  }
}

/** The result, unless the caller's own signal or deadline comes first. */
function patience<T>(result: Promise<T>, reading: Reading): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const left = () => settle(() => reject(reading.signal.reason));
    const late = () => settle(() => reject(new GatewayError("UPSTREAM_TIMEOUT")));
    const timer = setTimeout(late, Math.max(0, reading.deadline - Date.now()));
    const settle = (then: () => void) => {
      clearTimeout(timer);
      reading.signal.removeEventListener("abort", left);
      then();
    };
    reading.signal.addEventListener("abort", left, { once: true });
    result.then(
      (value) => settle(() => resolve(value)),
      (error: unknown) => settle(() => reject(error))
    );
  });
}
