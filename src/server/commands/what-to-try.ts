/** What to do next, in commands that can be pasted. */
import type { KnowledgeSource } from "./source.ts";

/** @param url where the gateway listens */
export function whatToTry(url: string, { config, description }: KnowledgeSource): string {
  const slugs = Object.keys(config.knowledgeBases);
  const slug = slugs[0];
  const key = config.tenants === undefined ? "" : ' -H "Authorization: Bearer $KEY"';
  const graphiql = config.graphql.graphiql ? [`  GraphiQL in a browser   ${url}/graphql`, ""] : [];
  return [
    `focowiki-gateway serves ${description} on ${url}`,
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
