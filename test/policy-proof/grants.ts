/** Random tenants, and the configuration that gives them what the model says they have. */
import fc from "fast-check";
import type { GatewayConfigInput } from "../../src/config/schema.ts";
import { Caller, type Grant, OPERATIONS } from "./caller.ts";
import { everyPage, generatedRule, type Rule, ruleOver } from "./rules.ts";
import type { Base, World } from "./world.ts";

type TenantInput = NonNullable<GatewayConfigInput["tenants"]>[string];
type GrantInput = NonNullable<TenantInput["grants"]>[number];

export interface GrantOptions {
  /** Whether rules may open generated files. */
  readonly generated: boolean;
}

function rulesOver(bases: readonly Base[], { generated }: GrantOptions) {
  const rule = ruleOver(bases);
  const named = generated ? fc.array(generatedRule, { maxLength: 2 }) : fc.constant([]);
  const some = fc.array(rule, { minLength: 1, maxLength: 3 });
  const allow = fc
    .tuple(fc.oneof({ weight: 3, arbitrary: everyPage.map((one) => [one]) }, { weight: 2, arbitrary: some }), named)
    .map(([pages, others]): readonly Rule[] => [...pages, ...others]);
  return fc.oneof(
    { weight: 1, arbitrary: fc.constant({ allow: undefined, deny: undefined }) },
    { weight: 4, arbitrary: some.map((deny) => ({ allow: undefined, deny })) },
    { weight: 3, arbitrary: fc.record({ allow, deny: some }) },
    { weight: 2, arbitrary: allow.map((rules) => ({ allow: rules, deny: undefined })) }
  );
}

function grantOver(world: World, options: GrantOptions): fc.Arbitrary<Grant> {
  const { bases } = world;
  const slugs = bases.map(({ slug }) => slug);
  const targets = fc.oneof(
    { weight: 4, arbitrary: fc.subarray(slugs, { minLength: 1 }).map((chosen) => ({ bases: chosen, upstream: "" })) },
    { weight: 1, arbitrary: fc.constantFrom("main", "second").map((upstream) => ({ bases: null, upstream })) }
  );
  return fc
    .tuple(
      targets,
      fc.boolean(),
      fc.option(fc.constantFrom(["test"], ["te*"], ["*"], ["other"], ["other", "test"]), {
        nil: undefined,
        freq: 2
      }),
      fc.option(fc.subarray([...OPERATIONS], { minLength: 3 }), { nil: undefined, freq: 2 }),
      rulesOver(bases, options)
    )
    .map(([target, byId, subjects, operations, paths]) => ({ ...target, byId, subjects, operations, ...paths }));
}

/** One to three grants each. */
export function callersOver(world: World, count: number, options: GrantOptions): fc.Arbitrary<readonly Caller[]> {
  const grants = fc.array(grantOver(world, options), { minLength: 1, maxLength: 3 });
  return fc
    .array(grants, { minLength: count, maxLength: count })
    .map((all) => all.map((given, index) => new Caller(`tenant-${index}`, given)));
}

/** Bounds that no request here comes near: what is refused is refused by policy. */
const LIMITS = {
  requestsPerMinute: 1_000_000,
  concurrentRequests: 1000,
  queryComplexity: 1_000_000,
  upstreamCallsPerRequest: 10_000,
  directoryProbeCalls: 100
};

export function tenantsOf(callers: readonly Caller[], world: World): Record<string, TenantInput> {
  return Object.fromEntries(
    callers.map(({ tenant, grants }) => [
      tenant,
      { grants: grants.map((grant) => grantInput(grant, world)), limits: LIMITS }
    ])
  );
}

export function knowledgeBasesOf({ bases }: World): GatewayConfigInput["knowledgeBases"] {
  return Object.fromEntries(bases.map(({ slug, upstream, id }) => [slug, { upstream, id }]));
}

function grantInput({ bases, upstream, byId, subjects, operations, allow, deny }: Grant, world: World): GrantInput {
  const paths = {
    ...(allow === undefined ? {} : { allow: allow.map(({ glob }) => glob) }),
    ...(deny === undefined ? {} : { deny: deny.map(({ glob }) => glob) })
  };
  const named = bases?.map((slug) => (byId ? (world.bases.find((base) => base.slug === slug)?.id ?? slug) : slug));
  return {
    ...(named === undefined ? { upstream } : { knowledgeBases: named }),
    ...(subjects === undefined ? {} : { subjects: [...subjects] }),
    ...(operations === undefined ? {} : { operations: [...operations] }),
    ...(allow === undefined && deny === undefined ? {} : { paths })
  };
}
