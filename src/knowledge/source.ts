/**
 * One upstream, read through the revision cache: the only place in the gateway that asks it for content.
 *
 * Order matters: what is `held` first; then, in `read`, the charge and the shared flight; in it, what the answer teaches
 * the cache. Source: docs/invariants.md 7.
 */
import { GatewayError } from "../errors.ts";
import type { KnowledgeBase, Search, Tree } from "../upstream/contract.ts";
import type { AnswerOf, Operation, OperationInput } from "../upstream/operations.ts";
import type { Answer, CallOptions, Upstream } from "../upstream/upstream.ts";
import type { Reading } from "./budget.ts";
import { AnswerCache } from "./cache.ts";
import { Flights } from "./flights.ts";
import { askedFiles, heldFiles, labelOf, pathName } from "./held.ts";
import { closeLinks } from "./links.ts";
import type { KnowledgeObserver } from "./observer.ts";
import { markShared } from "./print.ts";
import type { Question } from "./question.ts";
import { type OnCheck, type RevisionCheck, Revisions } from "./revisions.ts";

/** A search's cursor lives 900 s upstream; what is kept must leave a reader time to follow it. */
const SEARCH_KEPT_MS = 300_000;

/** Answers that a caller without path rules is given as they are. */
const WHOLE: ReadonlySet<Operation> = new Set(["getFileContentById", "getFileContentByPath"]);

export interface SourceOptions {
  readonly cacheBytes: number;
  readonly revisionCheckMs: number;
  readonly now: () => number;
  readonly observer?: KnowledgeObserver | undefined;
  readonly onCheck?: OnCheck | undefined;
}

export class Source {
  readonly upstream: Upstream;
  /** Ids of the knowledge bases that it listed last, to whomever; empty before. */
  listed: readonly string[] = [];
  readonly #revisions: Revisions;
  readonly #cache: AnswerCache;
  readonly #flights = new Flights<AnswerOf<Operation>>();
  readonly #observer: KnowledgeObserver | undefined;

  constructor(upstream: Upstream, options: SourceOptions) {
    this.upstream = upstream;
    const { revisionCheckMs, now, observer, onCheck } = options;
    this.#revisions = new Revisions(upstream, revisionCheckMs, now, observer, onCheck);
    this.#observer = options.observer;
    this.#cache = new AnswerCache(options.cacheBytes, options.now);
  }

  /** Bytes held, for metrics. */
  get cachedBytes(): number {
    return this.#cache.bytes;
  }

  /** The knowledge base as last seen; see {@link Revisions.check}. */
  knowledgeBase(id: string, reading: Reading, fresh = false): Promise<KnowledgeBase> {
    return this.#revisions.check(id, reading, fresh);
  }

  /** See {@link Revisions.adopt}. */
  adopt(check: Omit<RevisionCheck, "upstream">): void {
    this.#revisions.adopt(check);
  }

  /** See {@link Revisions.trusted}. */
  trusted(id: string): KnowledgeBase | undefined {
    return this.#revisions.trusted(id);
  }

  /** The answer, where it is held at the question's revision; costs nothing. */
  held<O extends Operation>({ name, revision }: Question<O>): AnswerOf<O> | undefined {
    if (revision === null) return undefined;
    // The name tells the operation, so what is held under it has that operation's shape.
    const held = this.#cache.get(name) as AnswerOf<O> | undefined;
    if (held !== undefined) this.#observer?.cacheRead(this.upstream.name, "hit");
    return held;
  }

  /** Asks the upstream, or joins who asks it already. What is held was looked for before. */
  read<O extends Operation>(question: Question<O>, reading: Reading): Promise<AnswerOf<O>> {
    if (question.revision !== null) this.#observer?.cacheRead(this.upstream.name, "miss");
    const { tenant } = reading;
    const landed = this.#flights.join(question.name, reading, (ending) => this.#send(question, { ending, tenant }));
    // The name tells the operation, so what lands under it has that operation's shape.
    return landed as Promise<AnswerOf<O>>;
  }

  async #send<O extends Operation>(question: Question<O>, options: CallOptions): Promise<AnswerOf<O>> {
    const { operation, input, knowledgeBaseId } = question;
    try {
      const answer = await this.upstream.read(operation, input, options);
      // Before anybody sees it: afterwards the answer is shared and stays as it is.
      const closed = closeLinks(answer.body);
      if (WHOLE.has(operation)) markShared(answer.body, answer.bytes, closed);
      this.#learn(question, answer);
      return answer.body;
    } catch (error) {
      if (knowledgeBaseId !== null && error instanceof GatewayError && error.code === "NOT_FOUND") {
        for (const file of askedFiles(input)) this.#cache.evict(knowledgeBaseId, file);
      }
      throw error;
    }
  }

  /** Only what carries the revision that was known before it was asked for is kept. */
  #learn<O extends Operation>(question: Question<O>, answer: Answer<O>): void {
    const { operation, input, knowledgeBaseId, revision, name } = question;
    const { body } = answer;
    if (knowledgeBaseId === null || revision === null || (labelOf(operation, body) ?? 0) !== revision) return;
    if (operation === "listKnowledgeBaseTree") this.#evictUnlisted(knowledgeBaseId, input, body as Tree);
    const isSearch = operation === "searchGeneratedFiles";
    if (isSearch && degraded(body as Search)) return;
    const key = { knowledgeBaseId, revision, name };
    this.#cache.set(
      key,
      body,
      answer.bytes.byteLength,
      heldFiles(operation, input, body),
      isSearch ? SEARCH_KEPT_MS : undefined
    );
  }

  /** A complete listing without a held file says that the file is being withdrawn. */
  #evictUnlisted(knowledgeBaseId: string, input: OperationInput, tree: Tree): void {
    if (tree.nextCursor !== null || input.query?.cursor || input.query?.entryType === "directory") return;
    const parent = input.query?.parentPath ?? "root";
    const listed = new Set(tree.items.map((entry) => entry.path));
    for (const path of this.#cache.heldIn(knowledgeBaseId, parent === "root" ? "" : parent)) {
      if (!listed.has(path)) this.#cache.evict(knowledgeBaseId, pathName(path));
    }
  }
}

/** A search that lost a part of its evidence may find more in a moment, so its answer is not kept. */
function degraded(search: Search): boolean {
  return (
    (search.evidenceStatus?.degradedFamilies?.length ?? 0) > 0 ||
    search.semanticStatus?.state === "degraded" ||
    search.rerankerStatus?.state === "degraded"
  );
}
