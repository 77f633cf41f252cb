/** Told of what happens below the readers, whoever asked; for metrics. */
export interface KnowledgeObserver {
  /** A read of content at a known revision: answered from the cache, or asked upstream. */
  cacheRead(upstream: string, result: "hit" | "miss"): void;
  /** A check of a revision: sent to the upstream, or learned from another replica that sent it. */
  revisionCheck(upstream: string, source: "upstream" | "replica"): void;
}
