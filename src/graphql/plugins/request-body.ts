/**
 * How a request is read. Only application/json is a body: a page of another site can send the other kinds with a plain
 * form, and so in its visitor's name. Source: docs/invariants.md 10; GraphQL over HTTP, "Request".
 */
import type { GraphQLParams, Plugin } from "graphql-yoga";
import { GatewayError } from "../../errors.ts";
import type { GraphQLContext } from "../context.ts";
import { tooComplex } from "../limits.ts";
import { ID_PARAMETERS } from "../persisted/reference.ts";

/** @param batchSize how many operations a request may hold; 1 refuses arrays altogether */
export function readRequests(batchSize: number): Plugin<GraphQLContext, GraphQLContext> {
  return {
    onRequestParse({ request, requestParser, setRequestParser }) {
      if (request.method === "POST") {
        if (!isJsonBody(request.headers.get("content-type"))) {
          throw new GatewayError("UNSUPPORTED_MEDIA_TYPE", {
            message: "A GraphQL request has the content type application/json."
          });
        }
        setRequestParser((posted) => readJson(posted, batchSize));
      } else if (request.method === "GET" && requestParser !== undefined) {
        setRequestParser((asked) => readQueryString(asked, () => requestParser(asked)));
      }
    }
  };
}

/** @param contentType the header, where it was sent */
export function isJsonBody(contentType: string | null | undefined): boolean {
  return contentType?.split(";", 1)[0]?.trim().toLowerCase() === "application/json";
}

/** JSON in UTF-8, whatever charset it came with; a byte order mark is no part of it. Source: RFC 8259, section 8.1. */
export function parseJson(bytes: Uint8Array): unknown {
  return JSON.parse(new TextDecoder().decode(bytes));
}

/** What the operations are made of is checked by Yoga, one by one. */
async function readJson(request: Request, batchSize: number): Promise<GraphQLParams | GraphQLParams[]> {
  let body: unknown;
  try {
    body = parseJson(new Uint8Array(await request.arrayBuffer()));
  } catch (cause) {
    throw badRequest("The body is not JSON.", cause);
  }
  if (!Array.isArray(body)) {
    if (typeof body !== "object" || body === null) {
      throw badRequest("The body is a JSON object with a query.");
    }
    return body;
  }
  if (batchSize === 1 || body.length === 0) {
    throw badRequest("This gateway takes one operation a request: send an object, not an array.");
  }
  if (body.length > batchSize) {
    throw tooComplex("batchSize", batchSize, body.length);
  }
  return body;
}

/** Yoga's reading of the query string, and the parameters that name a persisted operation, which it leaves out. */
async function readQueryString<T extends object>({ url }: Request, read: () => T | Promise<T>): Promise<T> {
  const { searchParams } = new URL(url);
  const ids = ID_PARAMETERS.filter((name) => searchParams.has(name)).map((name) => [name, searchParams.get(name)]);
  try {
    return Object.assign(await read(), Object.fromEntries(ids));
  } catch (cause) {
    throw badRequest("The parameters variables and extensions are JSON objects.", cause);
  }
}

function badRequest(message: string, cause?: unknown): GatewayError {
  return new GatewayError("BAD_REQUEST", { message, cause });
}
