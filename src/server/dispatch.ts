/** Hands a request to its surface with a reader that is already bound to the caller. Source: docs/invariants.md 1. */
import { setTimeout as delay } from "node:timers/promises";
import type { WholeAnswer } from "../http.ts";
import type { OnCall, OnError } from "../knowledge/knowledge.ts";
import type { Surface } from "../knowledge/types.ts";
import type { CallerAccess } from "../policy/access.ts";
import type { Exchange } from "./exchange.ts";
import { wholeRequest } from "./request.ts";
import type { Target } from "./target.ts";
import type { Version } from "./version.ts";

export interface Dispatch {
  readonly access: CallerAccess;
  readonly surface: Surface;
  readonly target: Target;
  readonly body: Buffer<ArrayBuffer> | null;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  /** Counts the read. */
  readonly onRead: OnCall;
}

/** How long after its deadline a surface may still answer in its own words, with the part that it has. */
const LAST_WORDS_MS = 500;

/** The surface's answer. @throws the reason of the exchange's signal where the surface lets the deadline pass */
export async function dispatch(exchange: Exchange, version: Version, to: Dispatch): Promise<Response | WholeAnswer> {
  const { incoming, requestId, signal } = exchange;
  const { access, surface, target, body, deadline, onRead } = to;
  const onCall: OnCall = (call) => {
    exchange.upstreamCalls += call.upstreamCalls;
    exchange.operations.add(call.operation);
    onRead(call);
    version.onCall?.(call);
  };
  const onError: OnError = (code) => exchange.noteError(code);
  const reader = version.knowledge.reader({ access, requestId, surface, signal, deadline, onCall, onError });
  const request = wholeRequest(incoming, { target, body, signal });
  return await Promise.race([version.surfaces[surface].handle(request, reader), abandoned(signal, exchange)]);
}

/** Rejects some time after the signal was aborted; never settles before. */
function abandoned(signal: AbortSignal, exchange: Exchange): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = async () => {
      await delay(LAST_WORDS_MS, undefined, { ref: false });
      reject(signal.reason);
    };
    signal.addEventListener("abort", giveUp, { once: true });
    exchange.atEnd(() => signal.removeEventListener("abort", giveUp));
  });
}
