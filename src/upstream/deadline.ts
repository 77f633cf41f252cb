/** Ends a call at its deadline or when its caller leaves, whatever it is doing then. */
import { setMaxListeners } from "node:events";
import { GatewayError } from "../errors.ts";
import type { Layer } from "./call.ts";
import type { Ending } from "./ending.ts";

/** What a timer can wait; a longer delay would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * @param timeoutMs the upstream's own limit, counted from when the call is made; a caller's earlier deadline also holds
 * @throws GatewayError UPSTREAM_TIMEOUT at the deadline; the caller's abort as the reason that its signal carries
 */
export function deadline(timeoutMs: number, now: () => number): Layer {
  return (call, next) => {
    const { caller, ending, progress } = call;
    if (caller?.aborted) ending.end(caller.reason);
    if (ending.ended) return Promise.reject(ending.reason);
    const left = (call.deadline ?? Number.POSITIVE_INFINITY) - now();
    if (left <= 0) return Promise.reject(new GatewayError("UPSTREAM_TIMEOUT"));
    progress.hurried = left < timeoutMs;
    const ms = Math.min(left, timeoutMs, LONGEST_TIMER_MS);
    const timer = setTimeout(() => ending.end(new GatewayError("UPSTREAM_TIMEOUT")), ms);
    const unfollow = caller === undefined ? undefined : follow(caller, ending);
    const reply = next(call);
    const settled = () => {
      clearTimeout(timer);
      unfollow?.();
    };
    reply.then(settled, settled);
    return reply;
  };
}

/** @returns stops following */
function follow(caller: AbortSignal, ending: Ending): () => void {
  const leave = () => ending.end(caller.reason);
  // One request of a caller makes many calls; listening for its end in each of them is no leak.
  setMaxListeners(0, caller);
  caller.addEventListener("abort", leave, { once: true });
  return () => caller.removeEventListener("abort", leave);
}
