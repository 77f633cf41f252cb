/** The knowledge bases that one set of grants opens, and how they are found. */
import type { GatewayConfig, GrantConfig } from "../config/schema.ts";
import { type KnowledgeBaseRef, resolveKnowledgeBase, sluggedKnowledgeBases } from "../config/targets.ts";
import type { CallerAccess, KnowledgeBaseAccess } from "./access.ts";
import { createDecisions, type Decisions } from "./knowledge-base.ts";
import type { CompiledGrant } from "./rules.ts";

/** What a grant is for: all of an upstream, or knowledge bases by name. */
interface GrantTargets {
  readonly wholeUpstream: string | null;
  readonly knowledgeBases: readonly KnowledgeBaseRef[];
}

export interface TenantGrant extends GrantTargets {
  readonly rules: CompiledGrant;
}

export type Scope = Omit<CallerAccess, "tenant" | "subject" | "limits">;

/** A name that cannot be resolved opens nothing; reading the configuration refuses it. */
export function targetsOf(config: GatewayConfig, grant: GrantConfig): GrantTargets {
  const refs = (grant.knowledgeBases ?? []).map((name) => resolveKnowledgeBase(config, name, grant.upstream));
  return {
    wholeUpstream: grant.knowledgeBases === undefined ? (grant.upstream ?? null) : null,
    knowledgeBases: refs.filter((ref) => typeof ref !== "string")
  };
}

export function createScope(config: GatewayConfig, grants: readonly TenantGrant[]): Scope {
  const slugged = sluggedKnowledgeBases(config);
  const wholeUpstreams = Object.keys(config.upstreams).filter((upstream) =>
    grants.some((grant) => grant.wholeUpstream === upstream)
  );
  const byName = grants.flatMap((grant) => grant.knowledgeBases);
  const known = distinct([...slugged, ...byName]);
  const decisionsFor = memoizeDecisions(grants);

  const accessTo = (ref: KnowledgeBaseRef): KnowledgeBaseAccess | null => {
    const decisions = decisionsFor(ref);
    return decisions === null ? null : { ...ref, ...decisions };
  };
  const granted = known.map(accessTo).filter((access) => access !== null);

  return {
    wholeUpstreams,
    known: granted,
    named: granted.filter((access) => !wholeUpstreams.includes(access.upstream)),
    candidates: (key) => {
      const bySlug = slugged.find((ref) => ref.key === key);
      if (bySlug !== undefined) return granted.filter((access) => access.key === key && access.id === bySlug.id);
      const byId = granted.filter((access) => access.id === key);
      if (byId.length > 0) return byId;
      return wholeUpstreams.map((upstream) => accessTo({ key, upstream, id: key })).filter((access) => access !== null);
    },
    forId: (upstream, id) =>
      accessTo(known.find((ref) => ref.upstream === upstream && ref.id === id) ?? { key: id, upstream, id })
  };
}

/** Knowledge bases that the same grants cover share one set of decisions. */
function memoizeDecisions(grants: readonly TenantGrant[]): (ref: KnowledgeBaseRef) => Decisions | null {
  const decisions = new Map<string, Decisions>();
  return (ref) => {
    const covering = grants.filter((grant) => covers(grant, ref)).map((grant) => grant.rules);
    if (covering.length === 0) return null;
    const key = covering.map((rules) => rules.at.join(".")).join();
    const made = decisions.get(key) ?? createDecisions(covering);
    decisions.set(key, made);
    return made;
  };
}

function covers(grant: TenantGrant, { upstream, id }: KnowledgeBaseRef): boolean {
  return (
    grant.wholeUpstream === upstream || grant.knowledgeBases.some((ref) => ref.upstream === upstream && ref.id === id)
  );
}

function distinct(refs: readonly KnowledgeBaseRef[]): readonly KnowledgeBaseRef[] {
  const seen = new Map(refs.toReversed().map((ref) => [`${ref.upstream}\n${ref.id}`, ref]));
  return refs.filter((ref) => seen.get(`${ref.upstream}\n${ref.id}`) === ref);
}
