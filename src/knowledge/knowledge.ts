/** What all requests share: the upstreams with their caches, the cursor keys, and what was learned of page limits. */
import type { CallerAccess } from "../policy/access.ts";
import type { Operation } from "../upstream/operations.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { OnCall, OnError } from "./audit.ts";
import { createCursors } from "./cursor.ts";
import type { KnowledgeObserver } from "./observer.ts";
import { ReadSpans } from "./read-spans.ts";
import { createReader } from "./reader.ts";
import { RequestScope } from "./request.ts";
import type { OnCheck, RevisionCheck } from "./revisions.ts";
import { createSealer } from "./seal.ts";
import { Source } from "./source.ts";
import type { Reader, Surface } from "./types.ts";
import type { LearnedMaximum } from "./walk.ts";

export type { OnCall, OnError, ReaderCall } from "./audit.ts";
export type { KnowledgeObserver } from "./observer.ts";
export type { OnCheck, RevisionCheck } from "./revisions.ts";

export interface KnowledgeOptions {
  /** By the configuration's names. */
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** The first seals cursors, all open them. */
  readonly cursorSecrets: readonly string[];
  readonly cache: { readonly maxBytes: number; readonly revisionCheckMs: number };
  readonly now?: () => number;
  readonly observer?: KnowledgeObserver;
  /** Told of each revision that was checked, for other replicas. */
  readonly onCheck?: OnCheck;
}

interface ReaderOptions {
  readonly access: CallerAccess;
  readonly requestId: string;
  readonly surface: Surface;
  /** Aborts every read of the request that nobody else waits for. */
  readonly signal: AbortSignal;
  /** Milliseconds since the epoch after which reads are UPSTREAM_TIMEOUT. */
  readonly deadline: number;
  readonly onCall?: OnCall | undefined;
  readonly onError?: OnError | undefined;
}

export interface Knowledge {
  /** The reader of one HTTP request. */
  reader(options: ReaderOptions): Reader;
  /** Bytes of answers held. */
  cachedBytes(): number;
  /** Takes over what another replica's check brought; see `Revisions.adopt`. */
  adopt(check: RevisionCheck): void;
}

export function createKnowledge(options: KnowledgeOptions): Knowledge {
  const now = options.now ?? Date.now;
  const { observer, onCheck } = options;
  const { revisionCheckMs, maxBytes } = options.cache;
  const share = Math.floor(maxBytes / Math.max(1, options.upstreams.size));
  const sources = new Map(
    [...options.upstreams].map(([name, upstream]) => [
      name,
      new Source(upstream, { cacheBytes: share, revisionCheckMs, now, observer, onCheck })
    ])
  );
  const cursors = createCursors(createSealer(options.cursorSecrets));
  const learned = learnedMaxima();
  return {
    adopt: ({ upstream, ...check }) => sources.get(upstream)?.adopt(check),
    cachedBytes: () => [...sources.values()].reduce((sum, source) => sum + source.cachedBytes, 0),
    reader({ access, requestId, surface, signal, deadline, onCall, onError }) {
      const { tenant, subject, limits } = access;
      const request = new RequestScope({ tenant, limits, signal, deadline });
      return createReader({
        access,
        sources,
        request,
        cursors,
        learned,
        auditor: { requestId, tenant, subject, surface, onCall, onError, spans: new ReadSpans() }
      });
    }
  };
}

/** One number an upstream and operation, shared by all requests: what an upstream refuses it refuses everybody. */
function learnedMaxima(): (upstream: string, operation: Operation) => LearnedMaximum {
  const maxima = new Map<string, number>();
  return (upstream, operation) => {
    const key = `${upstream} ${operation}`;
    return { get: () => maxima.get(key), set: (maximum) => void maxima.set(key, maximum) };
  };
}
