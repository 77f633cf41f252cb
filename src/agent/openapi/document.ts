/** The OpenAPI document of the REST routes. Source: OpenAPI 3.1.1. */
import * as z from "zod";
import { ERRORS } from "../../errors.ts";
import { json } from "../respond.ts";
import type { Route, RouteDocument } from "../route.ts";
import { isMirror, ROUTES } from "../routes.ts";
import { operation } from "./operation.ts";
import { ERROR_SCHEMA, namedSchemas, reference } from "./schemas.ts";

export interface OpenApiOptions {
  /** The gateway's version. */
  readonly version: string;
}

const TAGS = [
  { name: "agent", description: "The tools' reads, with their arguments in the URL." },
  { name: "tools", description: "The tools as posts, their definitions, and the Skill." },
  { name: "mirror", description: "The Focowiki Developer OpenAPI's reads. Every readActions link is one of them." },
  { name: "service", description: "About this API." }
];

export const openApiRoute: Route = {
  method: "GET",
  path: "/openapi.json",
  operationId: "readOpenApiDocument",
  summary: "This document.",
  answer: z.looseObject({}),
  handle: async ({ openApi, baseUrl }) => json({ ...openApi(), servers: [{ url: baseUrl }] })
};

/** The document as it is published; a running gateway fills in its address. */
export function openApiDocument({ version }: OpenApiOptions): object {
  return {
    openapi: "3.1.1",
    info: {
      title: "focowiki-gateway",
      version,
      description: "Reads of Focowiki knowledge bases, as the caller's grants and limits allow.",
      license: { name: "MIT", identifier: "MIT" }
    },
    servers: [{ url: "/" }],
    security: [{ bearer: [] }],
    tags: TAGS,
    paths: paths([...ROUTES, openApiRoute]),
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer", description: "An API key, or a JWT of a configured issuer." }
      },
      schemas: namedSchemas(),
      responses: responses()
    }
  };
}

function paths(routes: readonly Route[]): Record<string, object> {
  const paths: Record<string, object> = {};
  for (const document of routes.flatMap((route) => route.documentedAs ?? [route])) {
    const method = document.method.toLowerCase();
    paths[document.path] = { ...paths[document.path], [method]: operation(document, tagOf(document)) };
  }
  return paths;
}

function tagOf(route: RouteDocument): string {
  if (isMirror(route)) return "mirror";
  if (!route.path.startsWith("/agent/")) return "service";
  return /\/(?:tools|skill\.zip)/.test(route.path) ? "tools" : "agent";
}

/** A refusal for each status of the table of errors, and one for the rest. */
function responses(): Record<string, object> {
  const content = { "application/json": { schema: reference(ERROR_SCHEMA) } };
  const statuses = [...new Set(Object.values(ERRORS).map(({ httpStatus }) => httpStatus))].sort();
  const waits = {
    "Retry-After": { description: "Whole seconds, where a wait is known.", schema: { type: "integer" } }
  };
  return Object.fromEntries([
    ...statuses.map((status) => {
      const headers = status === 429 || status === 503 ? { headers: waits } : {};
      return [String(status), { description: codesOf(status), ...headers, content }];
    }),
    ["default", { description: "Any other refusal.", content }]
  ]);
}

function codesOf(status: number): string {
  const codes = Object.entries(ERRORS).filter(([, { httpStatus }]) => httpStatus === status);
  return codes.map(([code]) => code).join(", ");
}
