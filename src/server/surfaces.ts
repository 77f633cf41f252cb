/** The surfaces, each behind the same two words: a request and a reader. */
import { createAgent } from "../agent/agent.ts";
import type { GatewayConfig } from "../config/schema.ts";
import { createGraphQL, type GraphQLSurface } from "../graphql/graphql.ts";
import type { Reader, Surface } from "../knowledge/types.ts";
import { createMcp } from "../mcp/mcp.ts";
import { boundKnowledgeBase } from "./routes.ts";

export interface SurfaceHandler {
  handle(request: Request, reader: Reader): Promise<Response>;
}

export interface Surfaces extends Readonly<Record<Surface, SurfaceHandler>> {
  readonly graphql: GraphQLSurface;
}

export interface SurfaceOptions {
  readonly version: string;
  /** An error that no table foresees; the surface has masked it. */
  onUnexpected(error: unknown, requestId: string): void;
}

export function createSurfaces(
  { graphql, server }: GatewayConfig,
  { version, onUnexpected }: SurfaceOptions
): Surfaces {
  const { introspection, graphiql, batchSize, persistedOperations, persistedManifest = {} } = graphql;
  const persisted = { mode: persistedOperations, documents: persistedManifest };
  const { publicUrl } = server;
  const agent = createAgent({ publicUrl: () => publicUrl, version, onUnexpected });
  const mcp = createMcp({ publicUrl, version, onUnexpected });
  return {
    graphql: createGraphQL({ introspection, graphiql, batchSize, persisted, onUnexpected }),
    agent,
    mirror: agent,
    mcp: { handle: (request, reader) => mcp.handle(request, reader, boundKnowledgeBase(new URL(request.url).pathname)) }
  };
}
