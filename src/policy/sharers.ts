/** Who shares an upstream's rate limit. */
import type { GatewayConfig } from "../config/schema.ts";
import { targetsOf } from "./scope.ts";

/** By upstream, the tenants that are granted anything in it, whichever of their subjects. */
export function tenantsByUpstream(config: GatewayConfig): ReadonlyMap<string, readonly string[]> {
  const sharers = new Map<string, string[]>();
  for (const [tenant, { grants }] of Object.entries(config.tenants ?? {})) {
    const targets = grants.map((grant) => targetsOf(config, grant));
    const upstreams = new Set(
      targets.flatMap(({ wholeUpstream, knowledgeBases }) => [
        ...(wholeUpstream === null ? [] : [wholeUpstream]),
        ...knowledgeBases.map((knowledgeBase) => knowledgeBase.upstream)
      ])
    );
    for (const upstream of upstreams) sharers.set(upstream, [...(sharers.get(upstream) ?? []), tenant]);
  }
  return sharers;
}
