/**
 * From the configuration to what one caller may reach. Patterns are compiled once a version of the configuration, and
 * callers to whom the same grants apply share their decisions.
 */
import { LRUCache } from "lru-cache";
import { defaultLimits, type GatewayConfig, type Limits } from "../config/schema.ts";
import { compileSubjects } from "../config/subjects.ts";
import { GatewayError } from "../errors.ts";
import type { CallerAccess } from "./access.ts";
import { ANONYMOUS, type Identity } from "./identity.ts";
import { compileGrant } from "./rules.ts";
import { createScope, type Scope, type TenantGrant, targetsOf } from "./scope.ts";

/** One tenant of one version of the configuration. */
interface CompiledTenant {
  readonly limits: Limits;
  scopeFor(subject: string): Scope;
}

/** Distinct sets of grants that are kept a tenant; a set is needed again for each request. */
const SCOPES_KEPT = 256;

const compiled = new WeakMap<GatewayConfig, Map<string, CompiledTenant>>();

/**
 * @param config a validated configuration; a request uses the same one from start to end
 * @param identity who authenticated; `ANONYMOUS` where the configuration has no tenants
 * @throws GatewayError UNAUTHORIZED where the configuration has no such tenant
 */
export function createAccess(config: GatewayConfig, identity: Identity): CallerAccess {
  if (config.tenants === undefined && identity.tenant === ANONYMOUS.tenant) return anonymousAccess(config);
  const tenant = compiledOnce(config, identity.tenant, () => compileTenant(config, identity.tenant));
  return accessOf(identity, tenant);
}

/**
 * Everything, to everybody: what a configuration without tenants means. It may be served on loopback only.
 * @throws GatewayError UNAUTHORIZED where the configuration has tenants
 */
export function anonymousAccess(config: GatewayConfig): CallerAccess {
  if (config.tenants !== undefined) throw new GatewayError("UNAUTHORIZED");
  const tenant = compiledOnce(config, ANONYMOUS.tenant, () => compileAnonymous(config));
  return accessOf(ANONYMOUS, tenant);
}

/** Member by member, because it is done for each request: copying objects into one takes many times as long. */
function accessOf({ tenant, subject }: Identity, { limits, scopeFor }: CompiledTenant): CallerAccess {
  const { named, known, wholeUpstreams, candidates, forId } = scopeFor(subject);
  return { tenant, subject, limits, named, known, wholeUpstreams, candidates, forId };
}

function compiledOnce(config: GatewayConfig, name: string, compile: () => CompiledTenant): CompiledTenant {
  const tenants = compiled.get(config) ?? new Map<string, CompiledTenant>();
  compiled.set(config, tenants);
  const tenant = tenants.get(name) ?? compile();
  tenants.set(name, tenant);
  return tenant;
}

function compileTenant(config: GatewayConfig, name: string): CompiledTenant {
  const tenant = Object.hasOwn(config.tenants ?? {}, name) ? config.tenants?.[name] : undefined;
  if (tenant === undefined) throw new GatewayError("UNAUTHORIZED");
  const grants = tenant.grants.map((grant, index) => ({
    appliesTo: compileSubjects(grant.subjects),
    ...targetsOf(config, grant),
    rules: compileGrant(["tenants", name, "grants", index], grant)
  }));
  const scopes = new LRUCache<string, Scope>({ max: SCOPES_KEPT });
  return {
    limits: tenant.limits,
    scopeFor: (subject) => {
      const applying = grants.filter((grant) => grant.appliesTo(subject));
      const key = applying.map((grant) => grant.rules.at.at(-1)).join();
      const scope = scopes.get(key) ?? createScope(config, applying);
      scopes.set(key, scope);
      return scope;
    }
  };
}

function compileAnonymous(config: GatewayConfig): CompiledTenant {
  const grants: TenantGrant[] = Object.keys(config.upstreams).map((upstream) => ({
    wholeUpstream: upstream,
    knowledgeBases: [],
    rules: compileGrant(["upstreams", upstream], {})
  }));
  const scope = createScope(config, grants);
  // Loopback only, and nobody to share with: the bounds on one request stay, those between tenants have no meaning.
  const limits = { ...defaultLimits(), requestsPerMinute: Number.MAX_SAFE_INTEGER, rerank: true };
  return { limits, scopeFor: () => scope };
}
