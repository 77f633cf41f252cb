/** The granted knowledge bases as a search needs them: all of them at once, and each upstream's trouble by itself. */
import { GatewayError } from "../errors.ts";
import type { KnowledgeBaseAccess } from "../policy/access.ts";
import { listKnowledgeBases, type Shelves } from "./knowledge-bases.ts";
import { LISTS } from "./lists.ts";

export interface Granted {
  /** Not sorted; none twice. */
  readonly knowledgeBases: readonly KnowledgeBaseAccess[];
  /** Why an upstream that is granted whole could not be listed; of its knowledge bases those known before are given. */
  readonly unlisted: ReadonlyMap<string, GatewayError>;
}

/**
 * Costs nothing for what is granted by name, and a call or more for each upstream that is granted whole.
 * @param atMost of one upstream; more than that are not looked for
 * @throws what an upstream brought that cannot be listed, and of which no knowledge base is known
 */
export async function grantedKnowledgeBases(shelves: Shelves, atMost: number): Promise<Granted> {
  const { access } = shelves;
  const unlisted = new Map<string, GatewayError>();
  const listed = await Promise.all(
    access.wholeUpstreams.map(async (upstream) => {
      try {
        return await listedOf(shelves, upstream, atMost);
      } catch (error) {
        const known = knownOf(shelves, upstream);
        if (!(error instanceof GatewayError) || known.length === 0) throw error;
        unlisted.set(upstream, error);
        return known;
      }
    })
  );
  return { knowledgeBases: [...access.named, ...listed.flat()], unlisted };
}

async function listedOf(shelves: Shelves, upstream: string, atMost: number): Promise<KnowledgeBaseAccess[]> {
  const { access, sources, request } = shelves;
  const alone: Shelves = { ...shelves, access: { ...access, wholeUpstreams: [upstream], named: [] } };
  const pageSize = Math.min(LISTS.knowledgeBases.maximum, request.limits.pageSize);
  const ids: string[] = [];
  let after: string | null = null;
  do {
    const page = await listKnowledgeBases(alone, { first: Math.min(pageSize, atMost - ids.length), after });
    ids.push(...page.rows.map(({ knowledgeBase }) => knowledgeBase.knowledgeBaseId));
    after = page.nextCursor();
  } while (after !== null && ids.length < atMost);
  const source = sources.get(upstream);
  if (source !== undefined) source.listed = ids;
  return granted(shelves, upstream, ids);
}

/** What the configuration names, and what the upstream last listed to anybody, as far as this caller may see it. */
function knownOf(shelves: Shelves, upstream: string): KnowledgeBaseAccess[] {
  const configured = shelves.access.known.filter((access) => access.upstream === upstream).map(({ id }) => id);
  const listed = shelves.sources.get(upstream)?.listed ?? [];
  return granted(shelves, upstream, [...new Set([...configured, ...listed])]);
}

function granted({ access }: Shelves, upstream: string, ids: readonly string[]): KnowledgeBaseAccess[] {
  return ids.map((id) => access.forId(upstream, id)).filter((found) => found !== null);
}
