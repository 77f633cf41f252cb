/** A knowledge base in an answer: known by its key, read when a field asks for more. */
import type { KnowledgeBase, KnowledgeBaseItem, KnowledgeBaseReader, Reader } from "../../knowledge/types.ts";

export class KnowledgeBaseNode {
  readonly __typename = "KnowledgeBase";
  readonly key: string;
  /** The upstream's id of it. */
  readonly knowledgeBaseId: string;
  readonly reads: () => Promise<KnowledgeBaseReader>;
  readonly detail: () => Promise<KnowledgeBase>;

  private constructor(
    key: string,
    knowledgeBaseId: string,
    reads: () => Promise<KnowledgeBaseReader>,
    detail: () => Promise<KnowledgeBase>
  ) {
    this.key = key;
    this.knowledgeBaseId = knowledgeBaseId;
    this.reads = reads;
    this.detail = once(detail);
  }

  /** From its reader: the detail is read when first asked for. */
  static reading(reads: KnowledgeBaseReader): KnowledgeBaseNode {
    return new KnowledgeBaseNode(
      reads.key,
      reads.id,
      async () => reads,
      () => reads.detail()
    );
  }

  /** From a listing, which carries the detail; the reader is asked for when first needed. */
  static listed(item: KnowledgeBaseItem, reader: Reader): KnowledgeBaseNode {
    return new KnowledgeBaseNode(
      item.key,
      item.knowledgeBase.knowledgeBaseId,
      once(() => reader.knowledgeBase(item.key)),
      async () => item.knowledgeBase
    );
  }
}

/** One outcome for all who ask, a failure included: fields that need the same read succeed or fail together. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let outcome: Promise<T> | undefined;
  return () => {
    outcome ??= read();
    return outcome;
  };
}
