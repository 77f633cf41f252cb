/** One route as an OpenAPI operation. */
import type * as z from "zod";
import type { RouteDocument } from "../route.ts";
import { schemaOf } from "./schemas.ts";

const PATH_PARAMETERS: Readonly<Record<string, string>> = {
  kb: "The knowledge base's key: its name in the gateway's configuration, or its id.",
  knowledgeBaseId: "The knowledge base's id, or its name in the gateway's configuration.",
  fileId: "A fileId from an earlier answer.",
  tool: "The tool's name."
};

/** Those that a client does well to tell apart; all others have the same body. */
const REFUSALS = ["401", "403", "404", "422", "429", "503"];

export function operation(route: RouteDocument, tag: string): object {
  const { operationId, summary, description } = route;
  const parameters = [...pathParameters(route.path), ...queryParameters(route.query)];
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body && {
      requestBody: { required: false, content: { "application/json": { schema: schemaOf(route.body) } } }
    }),
    responses: {
      "200": { description: "The answer.", content: contentOf(route.answer) },
      ...Object.fromEntries(REFUSALS.map((status) => [status, { $ref: `#/components/responses/${status}` }])),
      default: { $ref: "#/components/responses/default" }
    }
  };
}

function contentOf(answer: RouteDocument["answer"]): object {
  return typeof answer === "string" ? { [answer]: {} } : { "application/json": { schema: schemaOf(answer) } };
}

function pathParameters(path: string): object[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: PATH_PARAMETERS[name],
    schema: { type: "string", minLength: 1 }
  }));
}

function queryParameters(query: z.ZodObject | undefined): object[] {
  return Object.entries<z.ZodType>(query?.shape ?? {}).map(([name, type]) => {
    const { description, ...schema } = schemaOf(type) as { description?: string };
    return { name, in: "query", required: !type.isOptional(), description, schema };
  });
}
