/** Whether the names in a configuration mean what is there, and one thing only. */
import type { ConfigDraft, TenantDraft } from "./draft.ts";
import { targetsOfDraft } from "./draft.ts";
import { error, type Finding, type KeyPath } from "./problems.ts";
import type { GrantConfig } from "./schema.ts";
import { type KnowledgeBaseRef, resolveKnowledgeBase, sluggedKnowledgeBases, type Targets } from "./targets.ts";

export function checkReferences(draft: ConfigDraft): readonly Finding[] {
  const targets = targetsOfDraft(draft);
  return [...checkKnowledgeBases(targets), ...(draft.tenants ?? []).flatMap((tenant) => checkGrants(tenant, targets))];
}

function checkKnowledgeBases(targets: Targets): readonly Finding[] {
  const slugged = sluggedKnowledgeBases(targets);
  return slugged.flatMap((ref, index) => {
    const path = ["knowledgeBases", ref.key];
    const unknown = unknownUpstream([...path, "upstream"], ref.upstream, targets);
    const twin = slugged.slice(0, index).find((other) => other.id === ref.id && other.upstream === ref.upstream);
    const twice = twin === undefined ? [] : [error([...path, "id"], `the same knowledge base as ${twin.key}`)];
    const shadowed = slugged.find((other) => other !== ref && other.id === ref.key);
    const shadows =
      shadowed === undefined ? [] : [error(path, `the slug is the upstream id of ${shadowed.key}; choose another`)];
    return [...unknown, ...twice, ...shadows];
  });
}

function checkGrants({ name, grants }: TenantDraft, targets: Targets): readonly Finding[] {
  const findings: Finding[] = [];
  const granted = new Map<string, KnowledgeBaseRef>();
  grants.forEach((grant, index) => {
    if (grant === null) return;
    const path = ["tenants", name, "grants", index];
    findings.push(...checkTargets(path, grant, targets));
    for (const ref of refsOf(grant, targets)) {
      const other = granted.get(ref.id);
      if (other === undefined) granted.set(ref.id, ref);
      else if (other.upstream !== ref.upstream) {
        const message = `grants two knowledge bases with the upstream id ${ref.id}, of ${other.upstream} and ${ref.upstream}; a tenant can have one`;
        findings.push(error(path, message));
      }
    }
  });
  return findings;
}

function checkTargets(path: KeyPath, grant: GrantConfig, targets: Targets): readonly Finding[] {
  const { knowledgeBases, upstream } = grant;
  if (knowledgeBases === undefined && upstream === undefined) {
    return [error(path, "grants nothing; add knowledgeBases, or upstream for all of one")];
  }
  const unknown = upstream === undefined ? [] : unknownUpstream([...path, "upstream"], upstream, targets);
  if (unknown.length > 0) return unknown;
  return (knowledgeBases ?? []).flatMap((name, index) => {
    const ref = resolveKnowledgeBase(targets, name, upstream);
    return typeof ref === "string" ? [error([...path, "knowledgeBases", index], ref)] : [];
  });
}

/** All that a grant opens and the configuration knows of. */
function refsOf(grant: GrantConfig, targets: Targets): readonly KnowledgeBaseRef[] {
  if (grant.knowledgeBases === undefined) {
    return sluggedKnowledgeBases(targets).filter((ref) => ref.upstream === grant.upstream);
  }
  return grant.knowledgeBases
    .map((name) => resolveKnowledgeBase(targets, name, grant.upstream))
    .filter((ref) => typeof ref !== "string");
}

function unknownUpstream(path: KeyPath, upstream: string, targets: Targets): readonly Finding[] {
  if (Object.hasOwn(targets.upstreams, upstream)) return [];
  return [error(path, `no upstream ${upstream}; there are ${Object.keys(targets.upstreams).join(", ") || "none"}`)];
}
