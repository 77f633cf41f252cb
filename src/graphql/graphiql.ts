/** GraphiQL's page. Everything it needs is in it, so that it loads without the internet. */

/** Works on any knowledge: it names nothing. */
const FIRST_QUERY = `# Run it with the button, or with Ctrl-Enter.
# If a key is asked for, enter under Headers:
#   { "Authorization": "Bearer <your key>" }
query Start {
  knowledgeBases(first: 5) {
    edges {
      node {
        key
        name
        tree(first: 20) {
          edges {
            node {
              __typename
              path
              name
            }
          }
          pageInfo {
            hasNextPage
            endCursor
          }
        }
      }
    }
  }
}
`;

/** Only what is in the page runs, and it talks to nobody but this gateway. Its editor compiles code, and needs workers. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval' blob:",
  "worker-src blob:",
  "style-src 'unsafe-inline'",
  "img-src data:",
  "font-src data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'"
].join("; ");

let page: Promise<Buffer> | undefined;

/**
 * The page for a browser's GET. It holds nothing of anybody, so it needs no credentials; its queries do.
 * @param endpoint the path that the page sends its queries to; the first call's holds for the process
 */
export async function graphiqlPage(endpoint = "/graphql"): Promise<Response> {
  page ??= render(endpoint);
  return new Response(new Uint8Array(await page), {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": CONTENT_SECURITY_POLICY
    }
  });
}

async function render(endpoint: string): Promise<Buffer> {
  // Eight megabytes, which a gateway that no browser visits need not load.
  const { renderGraphiQL } = await import("@graphql-yoga/render-graphiql");
  const html = renderGraphiQL({
    endpoint,
    title: "GraphiQL – focowiki-gateway",
    defaultQuery: FIRST_QUERY,
    headers: "{}",
    defaultEditorToolsVisibility: "headers",
    isHeadersEditorEnabled: true,
    shouldPersistHeaders: false
  });
  return Buffer.from(html);
}
