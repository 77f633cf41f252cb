/** Readers over a fake upstream, without a server: the read path alone, with a clock in the test's hands. */
import { type GatewayConfigInput, GatewayConfigSchema } from "../../src/config/schema.ts";
import { createKnowledge, type ReaderCall } from "../../src/knowledge/knowledge.ts";
import type { Reader, Surface } from "../../src/knowledge/types.ts";
import { anonymousAccess, createAccess } from "../../src/policy/grants.ts";
import { createUpstream } from "../../src/upstream/client.ts";
import type { Upstream } from "../../src/upstream/upstream.ts";
import { type FakeOptions, type FakeUpstream, fakeUpstream } from "./fake-upstream.ts";

type Tenants = NonNullable<GatewayConfigInput["tenants"]>;

export interface ReadingRoom extends AsyncDisposable {
  readonly fake: FakeUpstream;
  readonly upstream: Upstream;
  readonly calls: ReaderCall[];
  /** A reader of one request; without a tenant, the anonymous one. */
  reader(who?: {
    tenant?: string;
    subject?: string;
    signal?: AbortSignal;
    deadline?: number;
    surface?: Surface;
  }): Reader;
  /** Lets milliseconds pass for the revision cache. */
  pass(milliseconds: number): void;
}

export interface ReadingRoomOptions extends FakeOptions {
  readonly tenants?: Tenants;
  /** Slugs for the fake's knowledge bases, in its order. */
  readonly slugs?: readonly string[];
  readonly cacheBytes?: number;
  readonly revisionCheckMs?: number;
  readonly timeoutMs?: number;
}

/** A tenant with one grant on every knowledge base of the fake, narrowed as the test says. */
export function tenant(grant: Record<string, unknown> = {}, limits: Record<string, unknown> = {}): Tenants[string] {
  return { grants: [{ upstream: "main", ...grant }], limits } as Tenants[string];
}

export async function readingRoom(options: ReadingRoomOptions = {}): Promise<ReadingRoom> {
  const fake = await fakeUpstream(options);
  const config = GatewayConfigSchema.parse({
    upstreams: {
      main: {
        url: fake.url,
        apiKey: fake.key,
        timeoutMs: options.timeoutMs ?? 5000,
        rateLimit: { requests: 1_000_000 }
      }
    },
    knowledgeBases: Object.fromEntries(
      (options.slugs ?? []).map((slug, index) => [slug, { upstream: "main", id: knowledgeBaseId(options, index) }])
    ),
    ...(options.tenants === undefined ? {} : { tenants: options.tenants })
  });
  const settings = config.upstreams.main;
  if (settings === undefined) throw new Error("no upstream");
  const upstream = createUpstream({ name: "main", ...settings });
  let passed = 0;
  const calls: ReaderCall[] = [];
  const knowledge = createKnowledge({
    upstreams: new Map([["main", upstream]]),
    cursorSecrets: ["a secret of the test harness"],
    cache: { maxBytes: options.cacheBytes ?? 10_000_000, revisionCheckMs: options.revisionCheckMs ?? 1000 },
    now: () => Date.now() + passed
  });
  return {
    fake,
    upstream,
    calls,
    pass: (milliseconds) => {
      passed += milliseconds;
    },
    reader: (who = {}) =>
      knowledge.reader({
        access:
          config.tenants === undefined
            ? anonymousAccess(config)
            : createAccess(config, { tenant: who.tenant ?? "acme", subject: who.subject ?? "tester" }),
        requestId: "req-00000000-0000-4000-8000-000000000000",
        surface: who.surface ?? "agent",
        signal: who.signal ?? new AbortController().signal,
        deadline: who.deadline ?? Date.now() + 20_000,
        onCall: (call) => calls.push(call)
      }),
    async [Symbol.asyncDispose]() {
      await upstream.close();
      await fake.close();
    }
  };
}

function knowledgeBaseId(options: ReadingRoomOptions, index: number): string {
  const id = options.knowledgeBases?.[index]?.id;
  if (id === undefined) throw new Error("a knowledge base with a slug needs an id in this harness");
  return id;
}
