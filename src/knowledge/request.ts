/**
 * One HTTP request's reads: equal ones are one call, all count against one budget, and no more than so many run at once.
 * Source: docs/invariants.md 10.
 */
import { setMaxListeners } from "node:events";
import type { Limits } from "../policy/access.ts";
import type { KnowledgeBase } from "../upstream/contract.ts";
import type { AnswerOf, Operation, OperationInput } from "../upstream/operations.ts";
import { Reading, RequestBudget } from "./budget.ts";
import { Gate } from "./gate.ts";
import { labelOf } from "./held.ts";
import { Patience } from "./patience.ts";
import { type Question, questionOf } from "./question.ts";
import type { Source } from "./source.ts";

/** A page of fifty files is read at once; a query for hundreds must not take the upstream for itself. */
const CONCURRENT_READS = 64;

export interface RequestOptions {
  readonly tenant: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
}

/** What all parts of a request have in common. */
class Shared {
  readonly reads = new Map<string, Promise<unknown>>();
  readonly checks = new Map<string, Promise<KnowledgeBase>>();
  readonly gate = new Gate(CONCURRENT_READS);
  readonly budget: RequestBudget;

  constructor(upstreamCalls: number) {
    this.budget = new RequestBudget(upstreamCalls);
  }
}

export class RequestScope {
  readonly tenant: string;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch. */
  readonly deadline: number;
  readonly #options: RequestOptions;
  readonly #shared: Shared;
  readonly #patience: Patience;

  constructor(options: RequestOptions, shared = new Shared(options.limits.upstreamCallsPerRequest)) {
    this.tenant = options.tenant;
    this.limits = options.limits;
    this.signal = options.signal;
    this.deadline = options.deadline;
    this.#options = options;
    this.#shared = shared;
    this.#patience = new Patience(options.signal, options.deadline);
    // Each part of a request listens to the one signal; a dozen parts are no leak.
    setMaxListeners(0, options.signal);
  }

  /** A part of the request that must end sooner; it shares reads, budget and gate with the whole. */
  until(deadline: number): RequestScope {
    return new RequestScope({ ...this.#options, deadline: Math.min(deadline, this.deadline) }, this.#shared);
  }

  /** A count of its own for one reader call. */
  reading(): Reading {
    return new Reading(this.tenant, this.#patience, this.#shared.budget);
  }

  /** See {@link Source.knowledgeBase}. Fifty files of one request wait for one check, and pay for one. */
  knowledgeBase(source: Source, id: string, reading: Reading, fresh: boolean): Promise<KnowledgeBase> {
    if (fresh) return source.knowledgeBase(id, reading, true);
    const trusted = source.trusted(id);
    if (trusted !== undefined) return Promise.resolve(trusted);
    const key = JSON.stringify([source.upstream.name, id, this.deadline]);
    const waiting = this.#shared.checks.get(key);
    if (waiting !== undefined) return waiting;
    const check = source.knowledgeBase(id, reading, false).finally(() => this.#shared.checks.delete(key));
    this.#shared.checks.set(key, check);
    return check;
  }

  /** See {@link Source.read}. Asked twice in one request, the second joins the first, its failure included. */
  read<O extends Operation>(
    source: Source,
    operation: O,
    input: OperationInput,
    revision: number | null,
    reading: Reading
  ): Promise<AnswerOf<O>> {
    const question = questionOf(operation, input, revision);
    // A part with a deadline of its own waits for itself: what it gives up, the whole may still have.
    const key = `${this.deadline} ${source.upstream.name} ${question.name}`;
    const known = this.#shared.reads.get(key) as Promise<AnswerOf<O>> | undefined;
    if (known !== undefined) return known;
    const held = source.held(question);
    const read = held === undefined ? this.#ask(source, question, key, reading) : Promise.resolve(held);
    this.#shared.reads.set(key, read);
    return read;
  }

  #ask<O extends Operation>(source: Source, question: Question<O>, key: string, reading: Reading) {
    const { operation, revision } = question;
    const read = this.#shared.gate.pass(() => source.read(question, reading));
    // An answer under another label is asked for again once the revision was checked; the question stays the same.
    read.then(
      (body) => {
        if (revision !== null && (labelOf(operation, body) ?? 0) !== revision) this.#shared.reads.delete(key);
      },
      () => undefined
    );
    return read;
  }
}
