/**
 * The shape of `gateway.yaml`, the one source of its validation, its types and its published JSON Schema.
 *
 * Objects are strict: a key that nobody reads is a mistake. Secrets arrive here already filled in. Every `describe` is
 * shown by editors. Reference for readers: docs/configuration.md.
 */
import * as z from "zod";

/** What a grant can open. Source: docs/invariants.md, Operations. */
export const OPERATION_NAMES = [
  "search_files",
  "read_file",
  "list_tree",
  "get_file",
  "read_related",
  "expand_graph"
] as const;
export type OperationName = (typeof OPERATION_NAMES)[number];

/** Slugs that are routes below `/agent/` and so cannot name a knowledge base. */
const RESERVED_SLUGS: readonly string[] = ["tree", "files", "graph", "search", "tools", "skill.zip"];

const name = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, "1 to 64 letters, digits, dots, dashes, underscores");
const slug = name.refine((value) => !RESERVED_SLUGS.includes(value), `reserved: one of ${RESERVED_SLUGS.join(", ")}`);
const positive = z.int().positive();
const url = z.url({ protocol: /^https?$/, message: "an absolute http or https URL" });
const globs = z
  .array(z.string().min(1))
  .describe("Globs on the file's path; ** crosses directories, dotfiles included.");
const duration = z
  .string()
  .regex(/^\d+(s|m|h|d)$/, "a whole number and one of s, m, h, d, such as 1h")
  .describe("A duration, such as 15m or 1h.");

const PathRulesSchema = z
  .strictObject({
    allow: globs.min(1).optional().describe("What may be seen. Left out: everything but generated files."),
    deny: globs.optional().describe("What may not, whatever allows it. A deny of any of the caller's grants wins.")
  })
  .describe("Path rules. A caller with path rules sees generated files only where a rule names them.");

const operations = z.array(z.enum(OPERATION_NAMES)).min(1).optional().describe("Left out: all six.");
const subjects = z
  .array(z.string().min(1))
  .min(1)
  .optional()
  .describe("Only these subjects; * stands for any run of characters. Left out: every subject of the tenant.");

export const GrantSchema = z.strictObject({
  knowledgeBases: z.array(z.string().min(1)).min(1).optional().describe("Slugs from knowledgeBases, or upstream ids."),
  upstream: name.optional().describe("Every knowledge base of this upstream; or, with knowledgeBases, where ids live."),
  subjects,
  operations,
  paths: PathRulesSchema.optional()
});

const ApiKeyCredential = z.strictObject({
  apiKeySha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/i, "64 hexadecimal digits: the SHA-256 of the key")
    .describe("As printed by `focowiki-gateway keys new`."),
  subject: z.string().min(1).max(200),
  expiresAt: z.union([z.iso.date(), z.iso.datetime({ offset: true })]).optional()
});

const JwtCredential = z.strictObject({
  jwt: z
    .strictObject({
      issuer: z.string().min(1),
      audience: z.string().min(1),
      jwksUrl: url.optional().describe("https, or http on loopback."),
      publicKey: z.string().min(1).optional().describe("A PEM public key, instead of jwksUrl."),
      algorithms: z
        .array(z.enum(["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"]))
        .min(1),
      tenantClaim: z.string().min(1).describe("The claim that names the tenant; it must be a string."),
      tenantValue: z.string().min(1),
      subjectClaim: z.string().min(1).default("sub"),
      maxTokenAge: duration.optional(),
      typ: z.string().min(1).optional()
    })
    .refine((jwt) => (jwt.jwksUrl === undefined) !== (jwt.publicKey === undefined), "exactly one of jwksUrl, publicKey")
});

export const LimitsSchema = z.strictObject({
  requestsPerMinute: positive.default(600),
  concurrentRequests: positive.default(50),
  pageSize: positive.max(500).default(500).describe("The largest first or limit; each list's own maximum also holds."),
  queryDepth: positive.default(12),
  queryComplexity: positive.default(5000),
  queryTokens: positive.default(2000),
  aliases: positive.default(30).describe("Aliased fields in one operation."),
  bodyBytes: positive.default(1048576),
  requestTimeoutMs: positive.default(30000),
  upstreamCallsPerRequest: positive.default(200).describe("Counted for the whole HTTP request, batches included."),
  searchSources: positive.max(50).default(20).describe("Knowledge bases that one search may go through."),
  directoryProbeCalls: z.int().nonnegative().default(5).describe("Upstream calls to find out if a directory is empty."),
  contentBytes: positive.default(10485760).describe("The largest content of one file."),
  mcpContentBytes: positive.default(262144).describe("Where MCP's read_file splits content into parts."),
  rerank: z.boolean().default(false).describe("Whether searches may ask for reranking.")
});

export const CredentialSchema = z.union([ApiKeyCredential, JwtCredential]);

const TenantSchema = z.strictObject({
  credentials: z.array(CredentialSchema).default([]),
  grants: z.array(GrantSchema).default([]),
  limits: LimitsSchema.prefault({})
});

export const UpstreamSchema = z.strictObject({
  url: url.describe("Where the Developer OpenAPI is served, without /openapi/v2."),
  apiKey: z.string().min(1),
  timeoutMs: positive.default(10000).describe("The longest one call may take, retries included."),
  rateLimit: z
    .strictObject({ requests: positive.default(1200), perSeconds: positive.default(60) })
    .prefault({})
    .describe("The upstream's own limit, which all tenants share."),
  maxConcurrent: positive.default(256).describe("Calls in flight to this upstream.")
});

export const ServerSchema = z.strictObject({
  host: z.string().min(1).default("127.0.0.1"),
  port: z.int().min(0).max(65535).default(4000),
  publicUrl: url.optional().describe("Where callers reach the gateway; also the base URL in the Skill."),
  allowedHosts: z.array(z.string().min(1)).default([]).describe("Host headers to accept beside publicUrl's."),
  cursorSecret: z
    .union([z.string().min(16, "at least 16 characters"), z.array(z.string().min(16)).min(1)])
    .optional()
    .describe("Seals cursors. A list: the first seals, all open. Left out: cursors die with the process."),
  metricsToken: z.string().min(16).optional().describe("Opens /metrics; left out, only loopback may read it."),
  trustedProxies: z.array(z.string().min(1)).default([]).describe("Addresses or CIDR ranges of proxies before us."),
  cors: z.strictObject({ origins: z.array(z.string().min(1)).default([]) }).prefault({}),
  shutdownGraceMs: positive.default(10000)
});

export const KnowledgeBaseSchema = z.strictObject({ upstream: name, id: z.string().min(1) });

export const GatewayConfigSchema = z
  .strictObject({
    server: ServerSchema.prefault({}),
    upstreams: z.record(name, UpstreamSchema).refine((all) => Object.keys(all).length > 0, "at least one upstream"),
    knowledgeBases: z.record(slug, KnowledgeBaseSchema).default({}),
    tenants: z.record(name, TenantSchema).optional(),
    cache: z
      .strictObject({
        maxBytes: z.int().nonnegative().default(268435456),
        revisionCheckMs: z.int().nonnegative().default(1000).describe("How long a known revision is trusted.")
      })
      .prefault({}),
    shared: z
      .strictObject({
        redisUrl: z
          .string()
          .regex(/^rediss?:\/\//, "a redis:// or rediss:// URL")
          .optional()
          .describe("Redis or Valkey: one set of limits and budgets for all replicas. A change needs a restart."),
        replicas: positive.default(1).describe("How many replicas to expect until Redis has told how many there are.")
      })
      .prefault({}),
    graphql: z
      .strictObject({
        introspection: z.boolean().default(true),
        graphiql: z.boolean().default(true),
        persistedOperations: z
          .enum(["off", "allow", "only"])
          .default("off")
          .describe("allow also answers operations by id or hash; only answers nothing but those of the manifest."),
        persistedManifest: z
          .record(z.string(), z.string())
          .optional()
          .describe("A JSON file of {id: text}; its path is relative to this file's."),
        batchSize: positive.default(1)
      })
      .refine((graphql) => graphql.persistedOperations !== "only" || graphql.persistedManifest !== undefined, {
        path: ["persistedOperations"],
        message: "only needs persistedManifest, the file that lists the operations"
      })
      .prefault({}),
    audit: z
      .strictObject({ file: z.string().min(1).describe("A path, or - for standard output.") })
      .optional()
      .describe("One JSON line a read, denied and cached ones included."),
    telemetry: z
      .strictObject({ otlpUrl: url.optional().describe("Where traces go: OTLP over HTTP, such as .../v1/traces.") })
      .prefault({}),
    log: z.strictObject({ level: z.enum(["silent", "error", "warn", "info", "debug"]).default("info") }).prefault({})
  })
  .describe("Configuration of focowiki-gateway.");

export type GatewayConfig = z.output<typeof GatewayConfigSchema>;
export type GatewayConfigInput = z.input<typeof GatewayConfigSchema>;
type TenantConfig = z.output<typeof TenantSchema>;
export type GrantConfig = z.output<typeof GrantSchema>;
export type CredentialConfig = TenantConfig["credentials"][number];
export type JwtConfig = Extract<CredentialConfig, { jwt: unknown }>["jwt"];
export type ServerConfig = z.output<typeof ServerSchema>;
export type UpstreamConfig = z.output<typeof UpstreamSchema>;
/** A tenant's bounds on one request and over time. Units are in the names; each refusal names its limit. */
export type Limits = z.output<typeof LimitsSchema>;

/** All defaults, as the anonymous tenant of a configuration without tenants has them. */
export function defaultLimits(): Limits {
  return LimitsSchema.parse({});
}
