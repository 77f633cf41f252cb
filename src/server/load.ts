/**
 * Sheds load before any work is done for a request: by the requests in flight, and by how late the event loop runs.
 *
 * A request that is answered from memory begins and ends in one turn of the event loop, so that a flood of such is never
 * in flight: it shows only in the length of the turn. The sockets that became ready meanwhile are all read in the next
 * one. What they ask for beyond a turn's time is refused there and then, judged by the time that the turn has taken and by
 * what requests cost in earlier ones; refusing costs little, and keeps the wait of what was accepted short.
 *
 * The bounds are the process's, not a tenant's: they say when one more request would make every answer late.
 */
import { GatewayError } from "../errors.ts";

export interface LoadBounds {
  /** Requests in flight above which new ones are refused. */
  readonly maxInFlight: number;
  /**
   * How late the event loop may run, in milliseconds: in the turn at hand, as far as that can be told, or in the mean over
   * one sampling interval. Above it new requests are refused.
   */
  readonly maxDelayMs: number;
  /**
   * With so many requests or fewer, in flight or come in this turn, the delay is not this process's load but the
   * machine's: refusing helps nobody.
   */
  readonly delayCountsAbove: number;
}

export const DEFAULT_LOAD_BOUNDS: LoadBounds = { maxInFlight: 1_000, maxDelayMs: 250, delayCountsAbove: 100 };

const BEAT_MS = 10;
const SAMPLE_MS = 250;
/** How much the last turn counts in what a request is expected to cost. */
const COST_SMOOTHING = 0.2;

export interface LoadMonitor {
  readonly inFlight: number;
  /** Mean delay of the event loop over the last sampling interval, in milliseconds. */
  readonly delayMs: number;
  /** @throws GatewayError OVERLOADED with a wait of one second */
  admit(): void;
  /** Counts a request in; the function returned counts it out. */
  enter(): () => void;
  close(): void;
}

/** @param onShed told of each request that is refused */
export function createLoadMonitor(
  bounds: LoadBounds = DEFAULT_LOAD_BOUNDS,
  onShed: () => void = () => {}
): LoadMonitor {
  const { maxInFlight, maxDelayMs, delayCountsAbove } = bounds;
  let inFlight = 0;
  let entered = 0;
  let admitted = 0;
  let costMs = 0;
  let beatAt = performance.now();
  let delayMs = 0;
  const sample = { since: beatAt, sum: 0, beats: 0 };

  const lateness = (now: number): number => Math.max(0, now - beatAt - BEAT_MS);
  const heart = setInterval(() => {
    const now = performance.now();
    const late = lateness(now);
    // Short turns are mostly waiting, and tell nothing of what a request costs.
    if (late > BEAT_MS && admitted > 0) costMs += COST_SMOOTHING * (late / admitted - costMs);
    sample.sum += late;
    sample.beats += 1;
    beatAt = now;
    entered = 0;
    admitted = 0;
    if (now - sample.since < SAMPLE_MS) return;
    delayMs = sample.sum / sample.beats;
    Object.assign(sample, { since: now, sum: 0, beats: 0 });
  }, BEAT_MS);
  heart.unref();

  return {
    get inFlight() {
      return inFlight;
    },
    get delayMs() {
      return delayMs;
    },
    admit() {
      const late = Math.max(delayMs, lateness(performance.now()), admitted * costMs) > maxDelayMs;
      const isOurs = Math.max(inFlight, entered) > delayCountsAbove;
      if (!(late && isOurs) && inFlight <= maxInFlight) {
        admitted += 1;
        return;
      }
      onShed();
      throw new GatewayError("OVERLOADED", { retryAfterSeconds: 1 });
    },
    enter() {
      inFlight += 1;
      entered += 1;
      return () => {
        inFlight -= 1;
      };
    },
    close() {
      clearInterval(heart);
    }
  };
}
