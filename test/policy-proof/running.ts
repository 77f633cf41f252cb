/** A random world behind a running gateway. */
import type fc from "fast-check";
import { fakeUpstream } from "../harness/fake-upstream.ts";
import { startGateway, type TestGateway } from "../harness/gateway.ts";
import type { Caller } from "./caller.ts";
import type { Case } from "./cases.ts";
import { knowledgeBasesOf, tenantsOf } from "./grants.ts";
import { type Reply, SURFACES } from "./surfaces.ts";
import type { World } from "./world.ts";

/** Longer walks than these there are not. */
const MOST_PAGES = 60;

export interface Running extends AsyncDisposable {
  readonly gateway: TestGateway;
}

export async function startWorld(world: World, callers: readonly Caller[]): Promise<Running> {
  const names = [...new Set(world.bases.map(({ upstream }) => upstream))];
  const upstreams = await Promise.all(
    names.map(async (name) => {
      const own = world.bases.filter(({ upstream }) => upstream === name);
      const knowledgeBases = own.map(({ model: { id, name: title, revision, pages, relations } }) => {
        return { id, name: title, revision, pages, relations };
      });
      return [name, await fakeUpstream({ knowledgeBases })] as const;
    })
  );
  const gateway = await startGateway({
    upstreams: Object.fromEntries(upstreams),
    upstreamSettings: { rateLimit: { requests: 1_000_000 } },
    knowledgeBases: knowledgeBasesOf(world),
    tenants: tenantsOf(callers, world),
    // What is refused here is refused by policy, however busy the machine is.
    loadBounds: { maxInFlight: 10_000, maxDelayMs: 600_000, delayCountsAbove: 10_000 }
  });
  return {
    gateway,
    [Symbol.asyncDispose]: async () => {
      await gateway.close();
      await Promise.all(upstreams.map(([, upstream]) => upstream.close()));
    }
  };
}

/** The first page, and those that follow it. */
export async function askThrough(gateway: TestGateway, { surface, caller, question }: Case): Promise<Reply[]> {
  const token = gateway.token(caller.tenant);
  const replies: Reply[] = [];
  let cursor: string | undefined;
  do {
    const reply = await SURFACES[surface](gateway, token, question, cursor);
    replies.push(reply);
    cursor = reply.cursor ?? undefined;
  } while (cursor !== undefined && replies.length < MOST_PAGES);
  return replies;
}

/** How often a property is tried, and how what failed is tried again: `PROOF_SEED=… PROOF_PATH=…`. */
export function runs<T>(usually: number): fc.Parameters<T> {
  const { PROOF_RUNS, PROOF_SEED, PROOF_PATH, PROOF_SHRINK } = process.env;
  return {
    numRuns: Number(PROOF_RUNS ?? usually),
    // Smaller counterexamples take minutes; what is thrown says what failed.
    endOnFailure: PROOF_SHRINK === undefined,
    ...(PROOF_SEED === undefined ? {} : { seed: Number(PROOF_SEED) }),
    ...(PROOF_PATH === undefined ? {} : { path: PROOF_PATH }),
    reporter: report
  };
}

/** A counterexample is pages long; what failed, and how to see it again, is not. */
function report<T>({ failed, seed, counterexamplePath, errorInstance }: fc.RunDetails<T>): void {
  if (failed) throw new Error(`PROOF_SEED=${seed} PROOF_PATH=${counterexamplePath}\n${String(errorInstance)}`);
}

export function describeCase({ caller, base, surface, question, target }: Case): string {
  const what = target.kind === "page" ? target.page.path : JSON.stringify(target);
  return `${surface} ${base.slug} ${JSON.stringify(question)} about ${what}\nas ${describeGrants(caller)}`;
}

export function describeGrants({ grants }: Caller): string {
  return JSON.stringify(
    grants.map((grant) => ({
      ...grant,
      allow: grant.allow?.map(({ glob }) => glob),
      deny: grant.deny?.map(({ glob }) => glob)
    }))
  );
}
