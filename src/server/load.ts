/**
 * Sheds load before any work is done for a request: by the requests in flight, and by how late the event loop runs.
 *
 * The bounds are the process's, not a tenant's: they say when one more request would make every answer late.
 */
import { monitorEventLoopDelay } from "node:perf_hooks";
import { GatewayError } from "../errors.ts";

export interface LoadBounds {
  /** Requests in flight above which new ones are refused. */
  readonly maxInFlight: number;
  /** Mean delay of the event loop, in milliseconds over one sampling interval, above which new ones are refused. */
  readonly maxDelayMs: number;
  /** With so many in flight or fewer, the delay is not this process's load but the machine's: refusing helps nobody. */
  readonly delayCountsAbove: number;
}

export const DEFAULT_LOAD_BOUNDS: LoadBounds = { maxInFlight: 1_000, maxDelayMs: 150, delayCountsAbove: 50 };

const SAMPLE_MS = 250;
const RESOLUTION_MS = 10;
const NANOSECONDS_PER_MS = 1e6;

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
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  let delayMs = 0;
  let inFlight = 0;
  const sampler = setInterval(() => {
    // The histogram holds whole intervals, so an idle loop reads as the resolution.
    delayMs = histogram.count === 0 ? 0 : histogram.mean / NANOSECONDS_PER_MS - RESOLUTION_MS;
    histogram.reset();
  }, SAMPLE_MS);
  sampler.unref();

  return {
    get inFlight() {
      return inFlight;
    },
    get delayMs() {
      return delayMs;
    },
    admit() {
      const late = delayMs > maxDelayMs && inFlight > delayCountsAbove;
      if (!late && inFlight <= maxInFlight) return;
      onShed();
      throw new GatewayError("OVERLOADED", { retryAfterSeconds: 1 });
    },
    enter() {
      inFlight += 1;
      return () => {
        inFlight -= 1;
      };
    },
    close() {
      clearInterval(sampler);
      histogram.disable();
    }
  };
}
