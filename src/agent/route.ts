/** What a route is: enough to serve it and to document it, so that nothing is served that the document does not name. */
import type * as z from "zod";
import type { WholeAnswer, WholeRequest } from "../http.ts";
import type { KnowledgeBaseReader, Reader } from "../knowledge/types.ts";
import { parseArguments } from "../tools/arguments.ts";
import { withPageSize } from "../tools/page-size.ts";

/** One request on its way through its route. */
export interface AgentContext {
  readonly request: WholeRequest;
  /** Bound to the caller of this request. */
  readonly reader: Reader;
  /** The path's parameters, decoded once. */
  readonly params: Readonly<Record<string, string>>;
  /** Where callers reach the gateway, without a trailing slash. */
  readonly baseUrl: string;
  /** The OpenAPI document, made when it is first asked for. */
  readonly openApi: () => object;
}

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
  handle(context: AgentContext): Promise<WholeAnswer>;
}

/** The first value of each query parameter, as the upstream takes it. */
export function firstValues(context: AgentContext): Readonly<Record<string, string>> {
  const values: Record<string, string> = Object.create(null);
  for (const [name, value] of parametersOf(context)) values[name] ??= value;
  return values;
}

/** All query parameters, decoded, in the order in which they stand. */
export function parametersOf({ request }: AgentContext): URLSearchParams {
  return new URLSearchParams(request.search);
}

/** @throws VALIDATION_ERROR naming the parameter */
export function queryOf<S extends z.ZodObject>(context: AgentContext, schema: S): z.output<S> {
  const { pageSize } = context.reader.viewer.limits;
  return parseArguments(withPageSize(schema, pageSize), firstValues(context));
}

/** A path parameter. Whether it is an id, the reader decides. */
export function parameter({ params }: AgentContext, name: string): string {
  return params[name] ?? "";
}

/**
 * The knowledge base that the path names, or the caller's only one where it names none.
 * @throws NOT_FOUND; VALIDATION_ERROR with the choices where several are granted and none is named
 */
export function knowledgeBaseOf({ reader, params }: AgentContext): Promise<KnowledgeBaseReader> {
  const key = params.kb;
  return key === undefined ? reader.onlyKnowledgeBase() : reader.knowledgeBase(key);
}
