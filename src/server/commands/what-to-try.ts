/** What to do next, in commands that can be pasted. */
import type { GatewayConfig } from "../../config/schema.ts";
import type { KnowledgeSource } from "./source.ts";

/** @param listening where the gateway listens; callers go where they are let in, which may be elsewhere */
export function whatToTry(listening: string, { config, description }: KnowledgeSource): string {
  const url = calledAt(listening, config.server);
  const slugs = Object.keys(config.knowledgeBases);
  const slug = slugs[0];
  const key = config.tenants === undefined ? "" : ' -H "Authorization: Bearer $KEY"';
  const graphiql = config.graphql.graphiql ? [`  GraphiQL in a browser   ${url}/graphql`, ""] : [];
  return [
    `focowiki-gateway serves ${description} on ${listening}`,
    ...(url === listening ? [] : [`Callers reach it at ${url}`]),
    ...(slugs.length === 0 ? [] : [`Knowledge bases: ${slugs.join(", ")}`]),
    ...(key === "" ? [] : ["Callers need a key of a tenant; put one into KEY."]),
    "",
    "Try:",
    ...graphiql,
    "  GraphQL",
    `  curl -s${key} ${url}/graphql -H 'Content-Type: application/json' \\`,
    `    -d '${JSON.stringify({ query: query(slug) })}'`,
    "",
    "  The tools that agents use, over REST",
    ...agentRoutes(slug).map((route) => `  curl -s${key} '${url}${route}'`),
    "",
    `  MCP (Streamable HTTP)   ${url}/mcp`,
    `  OpenAPI document        ${url}/openapi.json`,
    ""
  ].join("\n");
}

/** The `Host` check lets in what the configuration names, and loopback names only where it names nothing. */
function calledAt(listening: string, { publicUrl, allowedHosts }: GatewayConfig["server"]): string {
  if (publicUrl !== undefined) return publicUrl.replace(/\/+$/, "");
  const [named] = allowedHosts;
  if (named === undefined) return listening;
  const { port } = new URL(listening);
  return /:\d+$/.test(named) ? `http://${named}` : `http://${named}:${port}`;
}

function query(slug: string | undefined): string {
  if (slug === undefined) return "{ knowledgeBases { edges { node { key name } } } }";
  return `{ knowledgeBase(key: "${slug}") { name tree(first: 5) { edges { node { path name } } } } }`;
}

function agentRoutes(slug: string | undefined): readonly string[] {
  if (slug === undefined) return ["/openapi/v2/knowledge-bases"];
  return [
    `/agent/${slug}/search?query=how+to+start&view=compact`,
    `/agent/${slug}/tree?parentPath=pages`,
    `/agent/${slug}/files/content?path=index.md`,
    `/agent/${slug}/tools?format=openai`
  ];
}
