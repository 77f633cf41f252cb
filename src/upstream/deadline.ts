/** Ends a call at its deadline or when its caller leaves, whatever it is doing then. */
import { setMaxListeners } from "node:events";
import { GatewayError } from "../errors.ts";
import type { Layer } from "./call.ts";

/** What a timer can wait; a longer delay would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * @param timeoutMs the upstream's own limit, counted from when the call is made; a caller's earlier deadline also holds
 * @throws GatewayError UPSTREAM_TIMEOUT at the deadline; the caller's abort as the reason that its signal carries
 */
export function deadline(timeoutMs: number, now: () => number): Layer {
  return async (call, next) => {
    const { caller } = call;
    (call.ending?.signal ?? caller)?.throwIfAborted();
    const left = (call.deadline ?? Number.POSITIVE_INFINITY) - now();
    if (left <= 0) throw new GatewayError("UPSTREAM_TIMEOUT");
    const ending = call.ending ?? new AbortController();
    const ms = Math.min(left, timeoutMs, LONGEST_TIMER_MS);
    const timer = setTimeout(() => ending.abort(new GatewayError("UPSTREAM_TIMEOUT")), ms);
    const leave = () => ending.abort(caller?.reason);
    if (caller !== undefined) {
      // One request of a caller makes many calls; listening for its end in each of them is no leak.
      setMaxListeners(0, caller);
      caller.addEventListener("abort", leave, { once: true });
    }
    try {
      return await next({ ...call, signal: ending.signal, hurried: left < timeoutMs });
    } finally {
      clearTimeout(timer);
      caller?.removeEventListener("abort", leave);
    }
  };
}
