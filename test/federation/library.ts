/** Several fake upstreams behind one reader: what a federated search goes through. */
import { type GatewayConfigInput, GatewayConfigSchema } from "../../src/config/schema.ts";
import { createKnowledge, type ReaderCall } from "../../src/knowledge/knowledge.ts";
import type { FederatedPage, FederatedSearchArgs, PageInput, Reader } from "../../src/knowledge/types.ts";
import { anonymousAccess, createAccess } from "../../src/policy/grants.ts";
import { createUpstream } from "../../src/upstream/client.ts";
import { type FakeKnowledgeBase, type FakeUpstream, fakeUpstream } from "../harness/fake-upstream.ts";

type Tenant = NonNullable<GatewayConfigInput["tenants"]>[string];

export interface LibraryOptions {
  /** Upstream → slug → what it holds. */
  readonly upstreams: Readonly<Record<string, Readonly<Record<string, Omit<FakeKnowledgeBase, "id">>>>>;
  /** The tenant `acme`; left out: anonymous, who sees everything. */
  readonly tenant?: Tenant;
  /** Whether the configuration names the knowledge bases. */
  readonly slugs?: boolean;
  readonly revisionCheckMs?: number;
  readonly cacheBytes?: number;
}

export interface Library extends AsyncDisposable {
  upstream(name: string): FakeUpstream;
  /** Requests seen by all upstreams. */
  count(): number;
  reader(who?: { tenant?: string; subject?: string; deadline?: number; signal?: AbortSignal }): Reader;
  readonly calls: ReaderCall[];
  reload(tenant: Tenant): void;
}

export function idOf(slug: string): string {
  return `knowledge-base-${slug}`;
}

export async function library(options: LibraryOptions): Promise<Library> {
  const { upstreams, slugs = true } = options;
  const fakes = new Map<string, FakeUpstream>();
  for (const [name, held] of Object.entries(upstreams)) {
    const knowledgeBases = Object.entries(held).map(([slug, content]) => ({ ...content, id: idOf(slug), name: slug }));
    fakes.set(name, await fakeUpstream({ knowledgeBases, key: `key-of-${name}` }));
  }
  const configOf = (tenant: Tenant | undefined) =>
    GatewayConfigSchema.parse({
      upstreams: Object.fromEntries(
        [...fakes].map(([name, { url, key }]) => [name, { url, apiKey: key, rateLimit: { requests: 1_000_000 } }])
      ),
      knowledgeBases: slugs
        ? Object.fromEntries(
            Object.entries(upstreams).flatMap(([upstream, held]) =>
              Object.keys(held).map((slug) => [slug, { upstream, id: idOf(slug) }])
            )
          )
        : {},
      ...(tenant === undefined ? {} : { tenants: { acme: tenant, other: tenant } })
    });
  let config = configOf(options.tenant);
  const clients = new Map(
    Object.entries(config.upstreams).map(([name, settings]) => [name, createUpstream({ name, ...settings })])
  );
  const calls: ReaderCall[] = [];
  const knowledge = createKnowledge({
    upstreams: clients,
    cursorSecrets: ["a secret of the federation tests"],
    cache: { maxBytes: options.cacheBytes ?? 10_000_000, revisionCheckMs: options.revisionCheckMs ?? 60_000 }
  });
  const upstream = (name: string) => {
    const fake = fakes.get(name);
    if (fake === undefined) throw new Error(`no upstream ${name}`);
    return fake;
  };
  return {
    upstream,
    calls,
    count: () => [...fakes.values()].reduce((sum, fake) => sum + fake.count(), 0),
    reader: ({ tenant = "acme", subject = "tester", deadline = Date.now() + 20_000, signal } = {}) =>
      knowledge.reader({
        access: config.tenants === undefined ? anonymousAccess(config) : createAccess(config, { tenant, subject }),
        requestId: "req-00000000-0000-4000-8000-000000000000",
        surface: "graphql",
        signal: signal ?? new AbortController().signal,
        deadline,
        onCall: (call) => calls.push(call)
      }),
    reload(tenant) {
      config = configOf(tenant);
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients.values()) await client.close();
      for (const fake of fakes.values()) await fake.close();
    }
  };
}

/** `key/path` of each item. */
export const named = (page: FederatedPage): string[] =>
  page.rows.map(({ knowledgeBase, hit }) => `${knowledgeBase.key}/${hit.path}`);

/** All pages, each by a reader of its own, with the given sizes over and over. */
export async function walkAll(
  library: Pick<Library, "reader">,
  args: FederatedSearchArgs,
  sizes: readonly number[],
  from: PageInput["after"] = null
): Promise<FederatedPage[]> {
  const pages: FederatedPage[] = [];
  let after = from;
  for (;;) {
    const page = await library.reader().search(args, { first: sizes[pages.length % sizes.length], after });
    pages.push(page);
    if (!page.hasNextPage) return pages;
    if (pages.length > 500) throw new Error("The walk makes no progress.");
    after = page.endCursor();
  }
}

/** What a search over everything gives as one list: by rank, and by key where ranks are equal. */
export function reference(lists: Readonly<Record<string, readonly string[]>>): string[] {
  const items = Object.entries(lists).flatMap(([key, paths]) => paths.map((path, rank) => ({ key, path, rank })));
  items.sort((one, other) => one.rank - other.rank || (one.key < other.key ? -1 : 1));
  return items.map(({ key, path }) => `${key}/${path}`);
}
