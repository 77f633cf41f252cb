/** Asks the surface through its HTTP handler, without a port, and in the types of `schema/operations` where wanted. */
import { createGraphQL, type GraphQLOptions } from "../../src/graphql/graphql.ts";
import type { Reader } from "../../src/knowledge/types.ts";
import { toRequest } from "../../src/server/request.ts";
import { responseOf, wholeOf } from "../harness/whole.ts";
import type { TypedDocumentString } from "./generated/graphql.ts";

export interface AnswerError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions: {
    readonly code: string;
    readonly httpStatus: number;
    readonly requestId: string;
    readonly retryAfterSeconds?: number;
    readonly details?: Record<string, unknown>;
  };
}

export interface Answer<Data> {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: Data | null | undefined;
  readonly errors: readonly AnswerError[] | undefined;
}

const QUIET: GraphQLOptions = { introspection: true, graphiql: true, batchSize: 1 };

export class Client {
  readonly surface;
  readonly #reader: Reader;
  /** What was masked. */
  readonly unexpected: unknown[] = [];

  constructor(reader: Reader, options: Partial<GraphQLOptions> = {}) {
    this.#reader = reader;
    this.surface = createGraphQL({ ...QUIET, onUnexpected: (error) => this.unexpected.push(error), ...options });
  }

  /** Posts a query as most clients do. Text gives data of unknown shape, a typed document its own. */
  async ask<Data = unknown, Variables = Record<string, unknown>>(
    query: string | TypedDocumentString<Data, Variables>,
    variables?: Variables,
    headers: Record<string, string> = {}
  ): Promise<Answer<Data>> {
    return this.send(
      new Request("http://gateway.test/graphql", {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ query: query.toString(), variables })
      })
    );
  }

  /** As the server does: the short way where the request can take it, and `way` does not say otherwise. */
  async respond(request: Request, way: "short" | "yoga" = "short", reader: Reader = this.#reader): Promise<Response> {
    const whole = await wholeOf(request);
    const answer = way === "short" ? this.surface.handlePost(whole, reader) : null;
    return answer === null ? await this.surface.handle(toRequest(whole), reader) : responseOf(await answer);
  }

  async send<Data>(request: Request): Promise<Answer<Data>> {
    const response = await this.respond(request);
    const text = await response.text();
    const body = text.startsWith("{") ? (JSON.parse(text) as Pick<Answer<Data>, "data" | "errors">) : undefined;
    return { status: response.status, headers: response.headers, text, data: body?.data, errors: body?.errors };
  }
}
