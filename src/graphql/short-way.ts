/**
 * The short way of a plain POST: Yoga's parser cache, validation, plugins, execution and rendering all run, and only its
 * Fetch layer does not, which costs more than a small answer. What is not a single operation in JSON, answered in JSON,
 * goes Yoga's own way; both ways answer alike.
 */
import { GraphQLError } from "graphql";
import { type FetchAPI, type GraphQLParams, processRegularResult, type YogaServerInstance } from "graphql-yoga";
import type { WholeAnswer, WholeRequest } from "../http.ts";
import type { Reader } from "../knowledge/types.ts";
import type { GraphQLContext } from "./context.ts";
import { type OnUnexpected, renderError } from "./errors.ts";
import { IN_PARTS } from "./plugins/incremental.ts";
import { isJsonBody, parseJson } from "./plugins/request-body.ts";

const JSON_TYPE = "application/json";
const GRAPHQL_TYPE = "application/graphql-response+json";
/** Words that a document must hold for its answer to come in parts. */
const ASKS_FOR_PARTS = /defer|stream/;

export type ShortWay = (request: WholeRequest, reader: Reader) => Promise<WholeAnswer> | null;

/** @returns answers a request, or null for one that must go Yoga's own way */
export function createShortWay(
  yoga: YogaServerInstance<GraphQLContext, GraphQLContext>,
  onUnexpected: OnUnexpected
): ShortWay {
  return (request, reader) => {
    const params = plainParams(request);
    const mediaType = params === null ? null : plainMediaType(request.headers.accept, params);
    return params === null || mediaType === null ? null : answer(request, params, mediaType, reader);
  };

  async function answer(
    { method, headers }: WholeRequest,
    params: GraphQLParams,
    mediaType: string,
    reader: Reader
  ): Promise<WholeAnswer> {
    // All that Yoga's plugins and ours ask of the request.
    const request = { method, headers: new Map([["accept", headers.accept]]) } as unknown as Request;
    let result: Awaited<ReturnType<typeof yoga.getResultForParams>>;
    try {
      result = await yoga.getResultForParams({ params, request }, { reader });
    } catch (thrown) {
      result = { errors: [renderError(asGraphQLError(thrown), reader, onUnexpected)] };
    }
    return processRegularResult(result as never, WHOLE, mediaType) as unknown as WholeAnswer;
  }
}

/** The operation of a body that is a JSON object; null for anything else, of which Yoga's own way says what is wrong. */
function plainParams({ method, headers, body }: WholeRequest): GraphQLParams | null {
  if (method !== "POST" || body === null || !isJsonBody(headers["content-type"])) return null;
  try {
    const params: unknown = parseJson(body);
    return typeof params === "object" && params !== null && !Array.isArray(params) ? params : null;
  } catch {
    return null;
  }
}

/**
 * The media type that Yoga answers with: of those that it writes whole, the first that the client takes. Null where it
 * takes none, or where the answer may come in parts.
 */
function plainMediaType(accept: string | undefined, { query }: GraphQLParams): string | null {
  if (accept === undefined || accept === "*/*") return JSON_TYPE;
  if (IN_PARTS.test(accept) && (typeof query !== "string" || ASKS_FOR_PARTS.test(query))) return null;
  for (const range of accept.replace(/\s/g, "").toLowerCase().split(",")) {
    const [type = "", ...parameters] = range.split(";");
    const charset = parameters.find((parameter) => parameter.includes("charset="));
    if (charset !== undefined && charset !== "charset=utf-8") continue;
    const [kind, subtype] = type.split("/");
    if (kind !== "application" && kind !== "*") continue;
    if (subtype === "json" || subtype === "*") return JSON_TYPE;
    if (subtype === "graphql-response+json") return GRAPHQL_TYPE;
  }
  return null;
}

function asGraphQLError(thrown: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown;
  const error = thrown instanceof Error ? thrown : new Error("not an error");
  return new GraphQLError(error.message, { originalError: error });
}

/** Stands where Yoga makes a WHATWG Response of a text, a status and headers. */
class AnswerOfText implements WholeAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;

  constructor(text: string, { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> }) {
    this.status = status;
    this.headers = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
    this.body = text;
  }
}

const WHOLE = { Response: AnswerOfText } as unknown as FetchAPI;
