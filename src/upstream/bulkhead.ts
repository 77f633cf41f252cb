/**
 * Bounds the calls in flight to one upstream. Searches and reads cannot take each other's last slots, so that a hung
 * search leaves the tree readable; among those who wait, tenants take turns, so that a flood of one delays nobody else by
 * more than a turn.
 * A waiting call leaves the queue when it is ended.
 */
import type { Call, Layer, Reply, Send } from "./call.ts";
import type { Ending } from "./ending.ts";
import type { OperationKind } from "./operations.ts";

interface Waiting {
  readonly kind: OperationKind;
  readonly start: () => void;
}

export class Bulkhead {
  readonly #slots: number;
  /** A quarter is kept for the other kind; a single slot cannot be divided. */
  readonly #slotsOfKind: number;
  readonly #inFlight: Record<OperationKind, number> = { search: 0, reads: 0 };
  readonly #waiting: Record<OperationKind, number> = { search: 0, reads: 0 };
  /** By tenant; the first tenant is the next one to be served. */
  readonly #queues = new Map<string, Set<Waiting>>();

  constructor(slots: number) {
    this.#slots = slots;
    this.#slotsOfKind = slots - (slots > 1 ? Math.max(1, Math.floor(slots / 4)) : 0);
  }

  /** Waits for a slot, and gives it back after the call. The queue is bounded by the callers' own limits and deadlines. */
  readonly layer: Layer = (call, next) => {
    const { kind } = call;
    if (!this.#hasSlot(kind) || this.#isAwaited(kind)) {
      return this.#wait(kind, call.tenant, call.ending).then(() => this.#occupy(call, next));
    }
    this.#inFlight[kind] += 1;
    return this.#occupy(call, next);
  };

  #occupy(call: Call, next: Send): Promise<Reply> {
    const reply = next(call);
    const leave = this.#leave[call.kind];
    reply.then(leave, leave);
    return reply;
  }

  readonly #leave: Readonly<Record<OperationKind, () => void>> = {
    search: () => this.#giveBack("search"),
    reads: () => this.#giveBack("reads")
  };

  #giveBack(kind: OperationKind): void {
    this.#inFlight[kind] -= 1;
    this.#startWaiting();
  }

  #hasSlot(kind: OperationKind): boolean {
    const { search, reads } = this.#inFlight;
    return search + reads < this.#slots && this.#inFlight[kind] < this.#slotsOfKind;
  }

  #isAwaited(kind: OperationKind): boolean {
    return this.#waiting[kind] > 0;
  }

  #wait(kind: OperationKind, tenant: string, ending: Ending): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#remove(tenant, waiting);
        reject(ending.reason);
      };
      const start = () => {
        ending.off(leave);
        resolve();
      };
      const waiting: Waiting = { kind, start };
      ending.on(leave);
      const queue = this.#queues.get(tenant);
      if (queue === undefined) this.#queues.set(tenant, new Set([waiting]));
      else queue.add(waiting);
      this.#waiting[kind] += 1;
    });
  }

  /** Gives free slots to those who wait: the longest waiting call of each tenant in turn. */
  #startWaiting(): void {
    for (const [tenant, queue] of this.#queues) {
      const next = this.#longestWaiting(queue);
      if (next === undefined) continue;
      this.#inFlight[next.kind] += 1;
      this.#remove(tenant, next);
      next.start();
      return;
    }
  }

  /** Of those for whom there is a slot. */
  #longestWaiting(queue: Set<Waiting>): Waiting | undefined {
    for (const waiting of queue) if (this.#hasSlot(waiting.kind)) return waiting;
    return undefined;
  }

  /** The tenant goes to the end of the line, or out of it. */
  #remove(tenant: string, waiting: Waiting): void {
    const queue = this.#queues.get(tenant);
    if (queue === undefined || !queue.delete(waiting)) return;
    this.#waiting[waiting.kind] -= 1;
    this.#queues.delete(tenant);
    if (queue.size > 0) this.#queues.set(tenant, queue);
  }
}
