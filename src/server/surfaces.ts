/** The surfaces, each behind the same two words: a request and a reader. */
import { createAgent } from "../agent/agent.ts";
import type { GatewayConfig } from "../config/schema.ts";
import { createGraphQL, type GraphQLSurface } from "../graphql/graphql.ts";
import type { AutomaticOperations } from "../graphql/persisted/automatic.ts";
import type { WholeAnswer, WholeRequest } from "../http.ts";
import type { Reader, Surface } from "../knowledge/types.ts";
import { createMcp } from "../mcp/mcp.ts";
import { toRequest } from "./request.ts";
import { boundKnowledgeBase } from "./routes.ts";

interface SurfaceHandler {
  handle(request: WholeRequest, reader: Reader): Promise<Response | WholeAnswer>;
}

export interface Surfaces extends Readonly<Record<Surface, SurfaceHandler>> {
  readonly graphql: SurfaceHandler & Pick<GraphQLSurface, "page">;
}

export interface SurfaceOptions {
  readonly version: string;
  /** The operations that clients have registered, which outlive a reload. */
  readonly automatic: AutomaticOperations;
  /** An error that no table foresees; the surface has masked it. */
  onUnexpected(error: unknown, requestId: string): void;
}

export function createSurfaces(
  { graphql, server }: GatewayConfig,
  { version, automatic, onUnexpected }: SurfaceOptions
): Surfaces {
  const { introspection, graphiql, batchSize, persistedOperations, persistedManifest = {} } = graphql;
  const persisted = { mode: persistedOperations, documents: persistedManifest, automatic };
  const { publicUrl } = server;
  const graphqlSurface = createGraphQL({ introspection, graphiql, batchSize, persisted, onUnexpected });
  const agent = createAgent({ publicUrl: () => publicUrl, version, onUnexpected });
  const mcp = createMcp({ publicUrl, version, onUnexpected });
  return {
    graphql: {
      page: graphqlSurface.page,
      // At its request's end Yoga would give the answer up, where the reader's own ends let it show what there is.
      handle: (request, reader) =>
        graphqlSurface.handlePost(request, reader) ?? graphqlSurface.handle(toRequest(request, null), reader)
    },
    agent,
    mirror: agent,
    mcp: {
      handle: (request, reader) => mcp.handle(toRequest(request), reader, boundKnowledgeBase(request.pathname))
    }
  };
}
