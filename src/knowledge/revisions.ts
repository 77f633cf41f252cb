/**
 * The known content revision of each knowledge base of one upstream.
 *
 * It comes from `getKnowledgeBase` alone, is trusted for a while counted from when the check was *sent*, and one check
 * serves all who wait. Source: docs/invariants.md 7.
 */
import { GatewayError } from "../errors.ts";
import type { KnowledgeBase } from "../upstream/contract.ts";
import type { Ending } from "../upstream/ending.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Reading } from "./budget.ts";
import { Flights } from "./flights.ts";
import type { KnowledgeObserver } from "./observer.ts";

/** What a check brought, as replicas tell each other. */
export interface RevisionCheck {
  /** The configuration's name of it. */
  readonly upstream: string;
  readonly knowledgeBaseId: string;
  /** Null where it was not found. */
  readonly knowledgeBase: KnowledgeBase | null;
  /** When the check was sent, in milliseconds since the epoch. */
  readonly sentAt: number;
}

interface Known {
  readonly knowledgeBase: KnowledgeBase;
  readonly sentAt: number;
}

/** Told of each check of this process that landed. */
export type OnCheck = (check: RevisionCheck) => void;

export class Revisions {
  readonly #upstream: Upstream;
  readonly #trustMs: number;
  readonly #now: () => number;
  readonly #observer: KnowledgeObserver | undefined;
  readonly #onCheck: OnCheck | undefined;
  readonly #known = new Map<string, Known>();
  readonly #flights = new Flights<Known>();

  constructor(upstream: Upstream, trustMs: number, now: () => number, observer?: KnowledgeObserver, onCheck?: OnCheck) {
    this.#upstream = upstream;
    this.#trustMs = trustMs;
    this.#now = now;
    this.#observer = observer;
    this.#onCheck = onCheck;
  }

  /** The knowledge base as last seen, where that can still be trusted: no check is needed, and none is made. */
  trusted(id: string): KnowledgeBase | undefined {
    const known = this.#known.get(id);
    return known !== undefined && this.#now() - known.sentAt < this.#trustMs ? known.knowledgeBase : undefined;
  }

  /**
   * The knowledge base as last seen.
   * @param fresh true to see what is there now: a check that was sent before this call does not count
   * @throws NOT_FOUND where it does not exist, and what the upstream brings
   */
  async check(id: string, reading: Reading, fresh: boolean): Promise<KnowledgeBase> {
    const trusted = fresh ? undefined : this.trusted(id);
    if (trusted !== undefined) return trusted;
    // A fresh check has a flight of its own name: one already under way may have been answered before this call.
    const flight = fresh ? `${id}@${this.#now()}` : id;
    const landed = await this.#flights.join(flight, reading, (ending) => this.#send(id, reading.tenant, ending));
    return landed.knowledgeBase;
  }

  /**
   * Takes over a check that another replica sent: what it brought is trusted as one of our own would be, from when it was
   * sent. One that is older than what is known changes nothing.
   */
  adopt({ knowledgeBaseId: id, knowledgeBase, sentAt: told }: Omit<RevisionCheck, "upstream">): void {
    // Nothing was sent in the future, whatever the clocks say.
    const sentAt = Math.min(told, this.#now());
    if (sentAt <= (this.#known.get(id)?.sentAt ?? 0)) return;
    if (knowledgeBase === null) this.#known.delete(id);
    else this.#known.set(id, { knowledgeBase, sentAt });
    this.#observer?.revisionCheck(this.#upstream.name, "replica");
  }

  async #send(id: string, tenant: string, ending: Ending): Promise<Known> {
    const sentAt = this.#now();
    this.#observer?.revisionCheck(this.#upstream.name, "upstream");
    try {
      const { body } = await this.#upstream.read(
        "getKnowledgeBase",
        { ids: { knowledgeBaseId: id } },
        { ending, tenant }
      );
      const known = { knowledgeBase: body.knowledgeBase, sentAt };
      // Checks may land out of order: the one sent last knows best.
      if (sentAt >= (this.#known.get(id)?.sentAt ?? 0)) this.#known.set(id, known);
      this.#onCheck?.({ upstream: this.#upstream.name, knowledgeBaseId: id, ...known });
      return known;
    } catch (error) {
      this.#known.delete(id);
      if (error instanceof GatewayError && error.code === "NOT_FOUND") {
        this.#onCheck?.({ upstream: this.#upstream.name, knowledgeBaseId: id, knowledgeBase: null, sentAt });
      }
      throw error;
    }
  }
}
