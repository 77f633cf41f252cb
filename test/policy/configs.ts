import { type GatewayConfig, type GatewayConfigInput, GatewayConfigSchema } from "../../src/config/schema.ts";

type TenantInput = NonNullable<GatewayConfigInput["tenants"]>[string];
export type GrantInput = NonNullable<TenantInput["grants"]>[number];

/** Two upstreams; `handbook` and `archive` have slugs in the first, `wiki` in the second. */
export function configOf(tenants?: Record<string, TenantInput>, more: Partial<GatewayConfigInput> = {}): GatewayConfig {
  return GatewayConfigSchema.parse({
    upstreams: {
      main: { url: "http://127.0.0.1:43200", apiKey: "main-key" },
      second: { url: "http://127.0.0.1:43201", apiKey: "second-key" }
    },
    knowledgeBases: {
      handbook: { upstream: "main", id: "knowledge-base-h" },
      archive: { upstream: "main", id: "knowledge-base-a" },
      wiki: { upstream: "second", id: "knowledge-base-w" }
    },
    ...(tenants === undefined ? {} : { tenants }),
    ...more
  });
}

/** A configuration with the one tenant `acme`. */
export function acme(...grants: GrantInput[]): GatewayConfig {
  return configOf({ acme: { grants } });
}
