/**
 * A configuration as far as its parts are valid each on its own, so that one mistake in its shape does not hide what is
 * wrong between its parts.
 */
import type * as z from "zod";
import {
  type CredentialConfig,
  CredentialSchema,
  type GrantConfig,
  GrantSchema,
  KnowledgeBaseSchema,
  type Limits,
  LimitsSchema,
  type ServerConfig,
  ServerSchema,
  type UpstreamConfig,
  UpstreamSchema
} from "./schema.ts";
import type { Targets } from "./targets.ts";

/** Parts that are not valid are null and keep their place, so that indexes are those of the file. */
export interface TenantDraft {
  readonly name: string;
  readonly credentials: readonly (CredentialConfig | null)[];
  readonly grants: readonly (GrantConfig | null)[];
  readonly limits: Limits | null;
}

export interface ConfigDraft {
  readonly server: ServerConfig | null;
  readonly upstreams: readonly { readonly name: string; readonly upstream: UpstreamConfig | null }[];
  readonly knowledgeBases: Targets["knowledgeBases"];
  /** Null where the configuration has no tenants, as against none yet. */
  readonly tenants: readonly TenantDraft[] | null;
}

/** @param value a document's value, secrets filled in */
export function draftOf(value: unknown): ConfigDraft {
  const root = entries(value);
  const knowledgeBases = [...entries(root.get("knowledgeBases"))].flatMap(([slug, entry]) => {
    const knowledgeBase = part(KnowledgeBaseSchema, entry);
    return knowledgeBase === null ? [] : [[slug, knowledgeBase] as const];
  });
  return {
    server: part(ServerSchema, root.get("server") ?? {}),
    upstreams: [...entries(root.get("upstreams"))].map(([name, entry]) => ({
      name,
      upstream: part(UpstreamSchema, entry)
    })),
    knowledgeBases: Object.fromEntries(knowledgeBases),
    tenants: root.has("tenants")
      ? [...entries(root.get("tenants"))].map(([name, tenant]) => draftTenant(name, tenant))
      : null
  };
}

/** What names in grants are resolved against. */
export function targetsOfDraft({ upstreams, knowledgeBases }: ConfigDraft): Targets {
  return { upstreams: Object.fromEntries(upstreams.map(({ name }) => [name, {}])), knowledgeBases };
}

function draftTenant(name: string, value: unknown): TenantDraft {
  const tenant = entries(value);
  return {
    name,
    credentials: items(tenant.get("credentials")).map((credential) => part(CredentialSchema, credential)),
    grants: items(tenant.get("grants")).map((grant) => part(GrantSchema, grant)),
    limits: part(LimitsSchema, tenant.get("limits") ?? {})
  };
}

/** Keys that the schema does not know, or whose values it refuses, are left out; they are reported on their own. */
function part<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> | null {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const refused = new Set(
    parsed.error.issues.flatMap((issue) => (issue.code === "unrecognized_keys" ? issue.keys : [String(issue.path[0])]))
  );
  const kept = [...entries(value)].filter(([key]) => !refused.has(key));
  return kept.length < entries(value).size ? part(schema, Object.fromEntries(kept)) : null;
}

function entries(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : []);
}

function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
