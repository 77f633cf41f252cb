/** What a route is: enough to serve it and to document it, so that nothing is served that the document does not name. */
import type { Context } from "hono";
import type { z } from "zod";
import type { KnowledgeBaseReader, Reader } from "../knowledge/types.ts";
import { parseArguments } from "../tools/arguments.ts";
import { withPageSize } from "../tools/page-size.ts";

export interface AgentEnv {
  Bindings: {
    /** Bound to the caller of this request. */
    readonly reader: Reader;
    /** Where callers reach the gateway, without a trailing slash. */
    readonly baseUrl: string;
    /** The OpenAPI document, made when it is first asked for. */
    readonly openApi: () => object;
  };
}

export type AgentContext = Context<AgentEnv>;

/** What the OpenAPI document says of a route, and what its handler checks. */
export interface RouteDocument {
  readonly method: "GET" | "POST";
  /** As OpenAPI writes it, with parameters in braces. */
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject | undefined;
  readonly body?: z.ZodObject | undefined;
  /** The 200 answer: JSON of this shape, or the media type of something else. */
  readonly answer: z.ZodType | string;
}

export interface Route extends RouteDocument {
  /** Where one route serves what the document names one by one. */
  readonly documentedAs?: readonly RouteDocument[];
  handle(context: AgentContext): Promise<Response>;
}

/** The first value of each query parameter, as the upstream takes it. */
export function firstValues(context: AgentContext): Readonly<Record<string, string>> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of parametersOf(context)) values[name] ??= value;
  return values;
}

/** All query parameters, decoded, in the order in which they stand. */
export function parametersOf(context: AgentContext): URLSearchParams {
  const { url } = context.req;
  const mark = url.indexOf("?");
  return new URLSearchParams(mark === -1 ? "" : url.slice(mark));
}

/** @throws VALIDATION_ERROR naming the parameter */
export function queryOf<S extends z.ZodObject>(context: AgentContext, schema: S): z.output<S> {
  const { pageSize } = context.env.reader.viewer.limits;
  return parseArguments(withPageSize(schema, pageSize), firstValues(context));
}

/** A path parameter, decoded once. Whether it is an id, the reader decides. */
export function parameter(context: AgentContext, name: string): string {
  return context.req.param(name) ?? "";
}

/**
 * The knowledge base that the path names, or the caller's only one where it names none.
 * @throws NOT_FOUND; VALIDATION_ERROR with the choices where several are granted and none is named
 */
export function knowledgeBaseOf(context: AgentContext): Promise<KnowledgeBaseReader> {
  const { reader } = context.env;
  const key = context.req.param("kb");
  return key === undefined ? reader.onlyKnowledgeBase() : reader.knowledgeBase(key);
}
