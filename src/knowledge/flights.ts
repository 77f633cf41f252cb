/**
 * Equal upstream reads in flight, shared across requests and tenants.
 *
 * A flight has a deadline of its own (the upstream's `timeoutMs`) and ends early only when nobody waits any more: no
 * caller's limit, abort or deadline becomes another's error. Source: docs/invariants.md 7.
 */
import { Ending } from "../upstream/ending.ts";
import type { Reading } from "./budget.ts";

interface Flight<T> {
  readonly result: Promise<T>;
  readonly ending: Ending;
  waiting: number;
}

export class Flights<T> {
  readonly #flights = new Map<string, Flight<T>>();

  get size(): number {
    return this.#flights.size;
  }

  /**
   * Joins the flight of `key`, or starts it.
   * @param start is given the flight's own ending, which comes when the last waiter has left
   * @throws what `start` throws; UPSTREAM_TIMEOUT at the caller's deadline; the caller's abort reason
   */
  join(key: string, reading: Reading, start: (ending: Ending) => Promise<T>): Promise<T> {
    reading.patience.signal.throwIfAborted();
    reading.charge();
    const flight = this.#flights.get(key) ?? this.#depart(key, start);
    flight.waiting += 1;
    return reading.patience.wait(flight.result, () => {
      flight.waiting -= 1;
      // The key is given up with the flight: whoever asks next must not board one that is being aborted.
      if (flight.waiting === 0) this.#land(key, flight)?.ending.end(new DOMException("Nobody waits", "AbortError"));
    });
  }

  #depart(key: string, start: (ending: Ending) => Promise<T>): Flight<T> {
    const ending = new Ending();
    const flight: Flight<T> = { result: start(ending), ending, waiting: 0 };
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
