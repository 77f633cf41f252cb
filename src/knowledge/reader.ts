/** The reader of one HTTP request: resolves the caller's knowledge bases and binds their reads. docs/invariants.md 1, 2. */
import { GatewayError, invalid, notFound } from "../errors.ts";
import type { CallerAccess, KnowledgeBaseAccess } from "../policy/access.ts";
import { audited } from "./audit.ts";
import { Binding } from "./binding.ts";
import { searchAll } from "./federated.ts";
import { grantedKnowledgeBases } from "./granted.ts";
import { knowledgeBaseReader } from "./knowledge-base.ts";
import { listKnowledgeBases, type Shelves } from "./knowledge-bases.ts";
import { resolveKnowledgeBase } from "./resolve.ts";
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
    knowledgeBase: async (key) => bind(await resolveKnowledgeBase(shelves, key)),
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
    async soleKnowledgeBase() {
      const sole = await soleGranted(shelves);
      return sole === null ? null : bind(sole);
    },
    search: (args, page) => searchAll(shelves, bind, args, page),
    health: () => ask(shelves, "getHealth"),
    version: () => ask(shelves, "getVersion"),
    noteError: (code) => auditor.onError?.(code)
  };
  return reader;
}

/** @throws NOT_FOUND where none is granted, and what an upstream brings where only its list could tell */
async function soleGranted(shelves: Shelves): Promise<KnowledgeBaseAccess | null> {
  // As many as a search asks for, so that the search which follows finds the list read.
  const { knowledgeBases, unlisted } = await grantedKnowledgeBases(shelves, shelves.request.limits.searchSources + 1);
  const [only, ...others] = knowledgeBases;
  if (others.length > 0) return null;
  // Whether there are others, only the list could have told: one alone must not be taken for all.
  for (const error of unlisted.values()) throw error;
  if (only === undefined) throw notFound();
  return only;
}

function bindingOf(shelves: Shelves, access: KnowledgeBaseAccess): Binding {
  const source = shelves.sources.get(access.upstream);
  if (source === undefined) throw new GatewayError("UPSTREAM_UNAVAILABLE");
  const { request, cursors, learned, auditor } = shelves;
  return new Binding({ access, source, request, cursors, learned, auditor });
}

async function ask(shelves: Shelves, operation: "getHealth" | "getVersion"): Promise<object> {
  const upstream = shelves.access.wholeUpstreams[0] ?? shelves.access.named[0]?.upstream;
  const source = upstream === undefined ? undefined : shelves.sources.get(upstream);
  if (source === undefined) throw notFound();
  const reading = shelves.request.reading();
  return audited(shelves.auditor, { operation, knowledgeBase: null }, reading, () =>
    shelves.request.read(source, operation, {}, null, reading)
  );
}

function viewerOf(access: CallerAccess): Viewer {
  const whole = new Map(access.wholeUpstreams.map((upstream) => [upstream, access.forId(upstream, "")]));
  // The same grants share one set of operations: another set is of a knowledge base that other grants are for as well.
  const named = access.known.filter(({ upstream, operations }) => operations !== whole.get(upstream)?.operations);
  const grants = [
    ...named.map((granted) => grantOf(granted.key, granted)),
    ...[...whole.values()].filter((granted) => granted !== null).map((granted) => grantOf(null, granted))
  ];
  return { tenant: access.tenant, subject: access.subject, limits: access.limits, grants };
}

function grantOf(knowledgeBase: string | null, access: KnowledgeBaseAccess): ViewerGrant {
  const operations = [...access.operations];
  return { knowledgeBase, operations, hasPathRules: operations.some((operation) => access.restricted(operation)) };
}
