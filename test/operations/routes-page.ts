/** docs/routes.md, as the router and the OpenAPI document say it. */
import { openApiDocument } from "../../src/agent/openapi/document.ts";
import { matchRoute } from "../../src/server/routes.ts";
import { markdownTable } from "./table.ts";

/** Routes that are not REST, and those that need no tenant. */
const BESIDE_REST = [
  ["GET, POST", "/graphql", "GraphQL over HTTP; GraphiQL for a browser."],
  ["POST", "/mcp", "MCP over all granted knowledge bases."],
  ["POST", "/mcp/{kb}", "MCP bound to one knowledge base."],
  ["GET", "/healthz", "Liveness; needs no credential."],
  ["GET", "/readyz", "Readiness; needs no credential."],
  [
    "GET",
    "/metrics",
    "Prometheus; needs `server.metricsToken`, or to be asked from this machine. See [metrics.md](metrics.md)."
  ]
] as const;

interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

export function routesPage(): string {
  const { paths } = openApiDocument({ version: "0" }) as { paths: Record<string, Record<string, Operation>> };
  const rest = Object.entries(paths)
    .filter(([path]) => !isShort(path, paths))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { summary, parameters = [] }]) => {
        const query = parameters.filter((each) => each.in === "query").map(({ name }) => `\`${name}\``);
        return [method.toUpperCase(), `\`${path}\``, summary, query.join(", ") || "–"];
      })
    );
  const beside = BESIDE_REST.map(([methods, path, summary]) => {
    if (matchRoute(path) === null) throw new Error(`${path} is not a route`);
    return [methods, `\`${path}\``, summary];
  });
  return `# Routes

<!-- Generated from the code by \`npx vitest run test/operations/reference.test.ts -u\`. -->

All need \`Authorization: Bearer …\` with an API key or a JWT, but for those that say otherwise. \`{kb}\` is a knowledge base's
slug in the configuration or its upstream id; the routes below \`/agent/{kb}\` also exist without it, for callers granted
exactly one. [schema/openapi.json](../schema/openapi.json), served as \`/openapi.json\`, has every parameter and answer.

${markdownTable(["method", "route", "what"], beside)}

## REST

${markdownTable(["method", "route", "what", "query parameters"], rest)}
`;
}

/** Whether a route is one below \`/agent/{kb}\`, without the knowledge base. */
function isShort(path: string, paths: Readonly<Record<string, unknown>>): boolean {
  return path !== "/agent/search" && path.replace(/^\/agent\//, "/agent/{kb}/") in paths && !path.includes("{kb}");
}
