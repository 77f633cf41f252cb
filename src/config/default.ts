/** The configuration of a gateway that nobody configured: one embedded upstream, no tenants, loopback only. */
import { type GatewayConfig, type GatewayConfigInput, GatewayConfigSchema } from "./schema.ts";

/** Where the embedded upstream listens, and what it serves. */
export interface EmbeddedUpstream {
  readonly url: string;
  readonly apiKey: string;
  readonly knowledgeBases: readonly { readonly slug: string; readonly id: string }[];
}

/** The upstream's name in the configuration. */
export const EMBEDDED = "embedded";

/** The embedded upstream is this process: it has no budget to save. */
const UNLIMITED = { requests: 1_000_000_000, perSeconds: 60 };

/**
 * @param overrides what the command line says: whole sections, over the defaults
 */
export function folderConfig(
  { url, apiKey, knowledgeBases }: EmbeddedUpstream,
  overrides: Omit<GatewayConfigInput, "upstreams" | "knowledgeBases" | "tenants"> = {}
): GatewayConfig {
  return GatewayConfigSchema.parse({
    ...overrides,
    upstreams: { [EMBEDDED]: { url, apiKey, rateLimit: UNLIMITED } },
    knowledgeBases: Object.fromEntries(knowledgeBases.map(({ slug, id }) => [slug, { upstream: EMBEDDED, id }]))
  } satisfies GatewayConfigInput);
}
