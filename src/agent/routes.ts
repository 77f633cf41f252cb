/** Every REST route, in the order in which they are matched. */
import { fileRoutes as mirroredFiles } from "./mirror/files.ts";
import { graphRoutes as mirroredGraph } from "./mirror/graph.ts";
import { knowledgeBaseRoutes } from "./mirror/knowledge-bases.ts";
import { serviceRoutes } from "./mirror/service.ts";
import { treeRoutes as mirroredTree } from "./mirror/tree.ts";
import type { Route, RouteDocument } from "./route.ts";
import { fileRoutes } from "./routes/files.ts";
import { graphRoutes } from "./routes/graph.ts";
import { withoutKey } from "./routes/scope.ts";
import { searchAllRoute, searchRoutes } from "./routes/search.ts";
import { skillRoutes } from "./routes/skill.ts";
import { toolRoutes } from "./routes/tools.ts";
import { treeRoutes } from "./routes/tree.ts";

const READS = [...treeRoutes, ...fileRoutes, ...graphRoutes];
const OFFERS = [...toolRoutes, ...skillRoutes];
const AGENT = [...READS, ...searchRoutes, ...OFFERS];
const WITHOUT_KEY = [...READS.map(withoutKey), searchAllRoute, ...OFFERS.map(withoutKey)];
const MIRROR = [...serviceRoutes, ...knowledgeBaseRoutes, ...mirroredTree, ...mirroredFiles, ...mirroredGraph];

/** Those without a key come first: their words are reserved, so no knowledge base can have one of them as its key. */
export const ROUTES: readonly Route[] = [...WITHOUT_KEY, ...AGENT, ...MIRROR];

export function isMirror({ path }: RouteDocument): boolean {
  return path.startsWith("/openapi/v2/");
}
