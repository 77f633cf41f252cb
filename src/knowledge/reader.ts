/** The reader of one HTTP request: resolves the caller's knowledge bases and binds their reads. docs/invariants.md 1, 2. */
import { GatewayError, invalid, notFound } from "../errors.ts";
import type { CallerAccess, KnowledgeBaseAccess } from "../policy/access.ts";
import { audited } from "./audit.ts";
import { Binding } from "./binding.ts";
import { checkId } from "./ids.ts";
import { knowledgeBaseReader } from "./knowledge-base.ts";
import { listKnowledgeBases, type Shelves } from "./knowledge-bases.ts";
import type { KnowledgeBaseReader, Reader, Viewer, ViewerGrant } from "./types.ts";

/** How many choices an error names. */
const CHOICES = 20;

export function createReader(shelves: Shelves): Reader {
  const { access, auditor } = shelves;
  const bound = new Map<string, KnowledgeBaseReader>();

  const bind = (granted: KnowledgeBaseAccess): KnowledgeBaseReader => {
    const name = `${granted.upstream}/${granted.id}`;
    const known = bound.get(name) ?? knowledgeBaseReader(bindingOf(shelves, granted));
    bound.set(name, known);
    return known;
  };

  const reader: Reader = {
    requestId: auditor.requestId,
    viewer: viewerOf(access),
    knowledgeBases: (page) => listKnowledgeBases(shelves, page),
    knowledgeBase: async (key) => bind(await chosen(shelves, candidatesOf(access, key))),
    async onlyKnowledgeBase() {
      const { rows, hasNextPage } = await reader.knowledgeBases({ first: Math.min(CHOICES, access.limits.pageSize) });
      const [only] = rows;
      if (only === undefined) throw notFound();
      if (rows.length === 1 && !hasNextPage) return reader.knowledgeBase(only.key);
      const allowedValues = rows.map((row) => row.key);
      throw invalid("knowledgeBase", `Name one knowledge base in the path: ${allowedValues.join(", ")}.`, {
        allowedValues
      });
    },
    health: () => ask(shelves, "getHealth"),
    version: () => ask(shelves, "getVersion")
  };
  return reader;
}

/** A key that cannot be an id names nothing: there is no such knowledge base, and no upstream request. */
function candidatesOf(access: CallerAccess, key: string): readonly KnowledgeBaseAccess[] {
  try {
    checkId("knowledgeBase", key);
  } catch {
    return [];
  }
  return access.candidates(key);
}

/** The knowledge base meant: the only candidate, or the first of several that exists. */
async function chosen(shelves: Shelves, candidates: readonly KnowledgeBaseAccess[]): Promise<KnowledgeBaseAccess> {
  const [first, ...others] = candidates;
  if (first === undefined) throw notFound();
  if (others.length === 0) return first;
  for (const candidate of candidates) {
    const source = shelves.sources.get(candidate.upstream);
    if (source === undefined) continue;
    try {
      await shelves.request.knowledgeBase(source, candidate.id, shelves.request.reading(), false);
      return candidate;
    } catch (error) {
      if (!(error instanceof GatewayError && error.code === "NOT_FOUND")) throw error;
    }
  }
  throw notFound();
}

function bindingOf(shelves: Shelves, access: KnowledgeBaseAccess): Binding {
  const source = shelves.sources.get(access.upstream);
  if (source === undefined) throw new GatewayError("UPSTREAM_UNAVAILABLE");
  const { request, cursors, learned, auditor } = shelves;
  return new Binding({ access, source, request, cursors, learned, auditor });
}

async function ask(shelves: Shelves, operation: "getHealth" | "getVersion"): Promise<unknown> {
  const upstream = shelves.access.wholeUpstreams[0] ?? shelves.access.named[0]?.upstream;
  const source = upstream === undefined ? undefined : shelves.sources.get(upstream);
  if (source === undefined) throw notFound();
  const reading = shelves.request.reading();
  return audited(shelves.auditor, { operation, knowledgeBase: null }, reading, () =>
    shelves.request.read(source, operation, {}, null, reading)
  );
}

function viewerOf(access: CallerAccess): Viewer {
  const grants: ViewerGrant[] = access.named.map((named) => grantOf(named.key, named));
  for (const upstream of access.wholeUpstreams) {
    const whole = access.forId(upstream, "");
    if (whole !== null) grants.push(grantOf(null, whole));
  }
  return { tenant: access.tenant, subject: access.subject, limits: access.limits, grants };
}

function grantOf(knowledgeBase: string | null, access: KnowledgeBaseAccess): ViewerGrant {
  const operations = [...access.operations];
  return { knowledgeBase, operations, hasPathRules: operations.some((operation) => access.restricted(operation)) };
}
