/** One knowledge base, bound to one caller's request: what all of its reads share. */
import { GatewayError } from "../errors.ts";
import type { KnowledgeBaseAccess, OperationName } from "../policy/access.ts";
import type { KnowledgeBase } from "../upstream/contract.ts";
import type { AnswerOf, Operation, OperationInput } from "../upstream/operations.ts";
import { type Auditor, audited } from "./audit.ts";
import type { Reading } from "./budget.ts";
import type { CursorScope, PositionCursors } from "./cursor.ts";
import { questionOf } from "./question.ts";
import type { RequestScope } from "./request.ts";
import type { Source } from "./source.ts";
import type { Awaitable } from "./types.ts";
import type { LearnedMaximum } from "./walk.ts";

/** The largest page that an upstream accepted, learned where it is lower than documented. */
export type Learned = (upstream: string, operation: Operation) => LearnedMaximum;

export interface BindingOptions {
  readonly access: KnowledgeBaseAccess;
  readonly source: Source;
  readonly request: RequestScope;
  readonly cursors: PositionCursors;
  readonly learned: Learned;
  readonly auditor: Auditor;
}

export class Binding {
  readonly access: KnowledgeBaseAccess;
  readonly source: Source;
  readonly request: RequestScope;
  readonly cursors: PositionCursors;
  readonly #options: BindingOptions;

  constructor(options: BindingOptions) {
    this.access = options.access;
    this.source = options.source;
    this.request = options.request;
    this.cursors = options.cursors;
    this.#options = options;
  }

  /** @throws FORBIDDEN (`details {operation}`) where the caller lacks the operation in this knowledge base */
  require(operation: OperationName): void {
    if (this.access.operations.has(operation)) return;
    throw new GatewayError("FORBIDDEN", {
      message: `The operation ${operation} is not granted in this knowledge base.`,
      details: { operation }
    });
  }

  /** The knowledge base as known; `fresh` to see what is there now. @throws NOT_FOUND where it does not exist */
  knowledgeBase(reading: Reading, fresh = false): Promise<KnowledgeBase> {
    return this.request.knowledgeBase(this.source, this.access.id, reading, fresh);
  }

  async revision(reading: Reading, fresh = false): Promise<number> {
    return (await this.knowledgeBase(reading, fresh)).activeContentRevision;
  }

  /** One read of this knowledge base, at the revision known before it. */
  read<O extends Operation>(
    operation: O,
    input: OperationInput,
    reading: Reading,
    revision: number | null | undefined = this.source.trusted(this.access.id)?.activeContentRevision
  ): Promise<AnswerOf<O>> {
    const at = (known: number | null) => this.request.read(this.source, operation, this.#here(input), known, reading);
    return revision === undefined ? this.revision(reading).then(at) : at(revision);
  }

  /** What {@link read} would answer without asking anybody; undefined where it would have to. */
  held<O extends Operation>(operation: O, input: OperationInput): AnswerOf<O> | undefined {
    const trusted = this.source.trusted(this.access.id);
    if (trusted === undefined) return undefined;
    return this.source.held(questionOf(operation, this.#here(input), trusted.activeContentRevision));
  }

  #here(input: OperationInput): OperationInput {
    return { ...input, ids: { ...input.ids, knowledgeBaseId: this.access.id } };
  }

  learned(operation: Operation): LearnedMaximum {
    return this.#options.learned(this.access.upstream, operation);
  }

  scope(operation: Operation, args: CursorScope["args"]): CursorScope {
    const knowledgeBaseId = `${this.access.upstream}/${this.access.id}`;
    return { tenant: this.request.tenant, knowledgeBaseId, operation, args };
  }

  /** Runs one reader call: the operation is required first, and a line is written whichever way it ends. */
  call<T>(
    operation: Operation,
    granted: OperationName | null,
    target: string | null,
    run: (reading: Reading) => Promise<T>
  ): Promise<T>;
  call<T>(
    operation: Operation,
    granted: OperationName | null,
    target: string | null,
    run: (reading: Reading) => Awaitable<T>
  ): Awaitable<T>;
  call<T>(
    operation: Operation,
    granted: OperationName | null,
    target: string | null,
    run: (reading: Reading) => Awaitable<T>
  ): Awaitable<T> {
    const reading = this.request.reading();
    const { auditor } = this.#options;
    return audited(auditor, { operation, knowledgeBase: this.access.key, target }, reading, () => {
      if (granted !== null) this.require(granted);
      return run(reading);
    });
  }
}
