/**
 * The list of granted knowledge bases, over all upstreams.
 *
 * It is walked like any other list, in sections: each upstream that is granted whole is a section of its own pages, and
 * what is granted by name elsewhere is the last. A page's cursor is the section's number, a colon, and the place in it.
 */
import { createHash } from "node:crypto";
import { GatewayError } from "../errors.ts";
import type { CallerAccess, KnowledgeBaseAccess } from "../policy/access.ts";
import type { KnowledgeBaseList } from "../upstream/contract.ts";
import { type Auditor, audited } from "./audit.ts";
import type { Learned } from "./binding.ts";
import type { Reading } from "./budget.ts";
import type { Cursors } from "./cursor.ts";
import { type BodyPage, extraOf, pageParameters, readList, type Verbatim } from "./list.ts";
import { LISTS } from "./lists.ts";
import type { RequestScope } from "./request.ts";
import type { Source } from "./source.ts";
import type { KnowledgeBaseItem, Page, PageInput } from "./types.ts";

const OPERATION = "listKnowledgeBases";

export interface Shelves {
  readonly access: CallerAccess;
  readonly sources: ReadonlyMap<string, Source>;
  readonly request: RequestScope;
  readonly cursors: Cursors;
  readonly learned: Learned;
  readonly auditor: Auditor;
}

type ItemPage = BodyPage<KnowledgeBaseItem, KnowledgeBaseList>;
type Section = (place: string, limit: number | undefined, verbatim: Verbatim | undefined) => Promise<ItemPage>;

export function listKnowledgeBases(
  shelves: Shelves,
  page: PageInput
): Promise<Page<KnowledgeBaseItem, KnowledgeBaseList>> {
  const { access, request } = shelves;
  const reading = request.reading();
  const sections = sectionsOf(shelves, reading);
  const places = placesOf(access);
  return audited(shelves.auditor, { operation: OPERATION, knowledgeBase: null }, reading, () =>
    readList<KnowledgeBaseItem, KnowledgeBaseList>(
      { cursors: shelves.cursors, pageSize: request.limits.pageSize },
      {
        list: LISTS.knowledgeBases,
        operation: OPERATION,
        scope: {
          tenant: request.tenant,
          knowledgeBaseId: "",
          operation: OPERATION,
          args: { subject: access.subject, places }
        },
        // More than one section is no upstream page that could pass as it is.
        restricted: sections.length !== 1 || access.wholeUpstreams.length !== 1,
        // A page may be of any of the sections, so what is learned is of all of them together.
        learned: shelves.learned(places, OPERATION),
        revision: () => Promise.resolve(null),
        fetch: (cursor, limit, _revision, verbatim) => fetchSection(sections, cursor, limit, verbatim),
        show: (items) => items,
        identity: (item) => item.key,
        finish: ({ rows, bodies }) => ({ ...bodies[0], items: rows.map((row) => row.knowledgeBase), nextCursor: null })
      },
      page
    )
  );
}

/** Names the sections and what is in the last, so that a cursor of theirs fits no others: a reload may change grants. */
function placesOf(access: CallerAccess): string {
  const named = access.named.map(({ upstream, id }) => [upstream, id]);
  return createHash("sha256")
    .update(JSON.stringify([access.wholeUpstreams, named]))
    .digest("base64url");
}

function sectionsOf(shelves: Shelves, reading: Reading): Section[] {
  const { access } = shelves;
  const sections = access.wholeUpstreams.map((upstream) => wholeUpstream(shelves, upstream, reading));
  const elsewhere = access.named.filter((named) => !access.wholeUpstreams.includes(named.upstream));
  return elsewhere.length === 0 ? sections : [...sections, byName(shelves, elsewhere, reading)];
}

async function fetchSection(
  sections: readonly Section[],
  cursor: string | null,
  limit: number | undefined,
  verbatim: Verbatim | undefined
): Promise<ItemPage> {
  const [, number = "0", place = ""] = /^(\d+):(.*)$/s.exec(cursor ?? "") ?? [];
  const index = Number(number);
  const section = sections[index];
  if (section === undefined) return { body: { items: [], nextCursor: null }, rows: [], next: null, label: null };
  const page = await section(place, limit, verbatim);
  const following = index + 1 < sections.length ? `${index + 1}:` : null;
  return { ...page, next: page.next === null ? following : `${index}:${page.next}` };
}

function wholeUpstream({ access, sources, request }: Shelves, upstream: string, reading: Reading): Section {
  return async (place, limit, verbatim) => {
    const source = sources.get(upstream);
    if (source === undefined) throw new GatewayError("UPSTREAM_UNAVAILABLE");
    const query = { ...verbatim?.query, ...pageParameters(place === "" ? null : place, limit) };
    const body = await request.read(source, OPERATION, { query, ...extraOf(verbatim) }, null, reading);
    const rows = body.items.flatMap((knowledgeBase) => {
      const granted = access.forId(upstream, knowledgeBase.knowledgeBaseId);
      return granted === null ? [] : [{ key: granted.key, knowledgeBase }];
    });
    return { body, rows, next: body.nextCursor, label: null };
  };
}

/** Granted by name: there is no list to ask for, so each is asked for; one that does not exist upstream is left out. */
function byName({ sources, request }: Shelves, named: readonly KnowledgeBaseAccess[], reading: Reading): Section {
  return async (place, limit) => {
    const start = Number(place === "" ? 0 : place);
    const end = start + (limit ?? LISTS.knowledgeBases.upstreamDefault);
    const found = await Promise.all(
      named.slice(start, end).map(async (access) => {
        const source = sources.get(access.upstream);
        if (source === undefined) throw new GatewayError("UPSTREAM_UNAVAILABLE");
        try {
          return { key: access.key, knowledgeBase: await request.knowledgeBase(source, access.id, reading, false) };
        } catch (error) {
          if (error instanceof GatewayError && error.code === "NOT_FOUND") return null;
          throw error;
        }
      })
    );
    const rows = found.filter((item) => item !== null);
    const body: KnowledgeBaseList = { items: rows.map((row) => row.knowledgeBase), nextCursor: null };
    return { body, rows, next: end < named.length ? String(end) : null, label: null };
  };
}
