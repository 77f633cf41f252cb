/** GraphQL over HTTP, on Yoga's own handler. Source of the protocol: GraphQL over HTTP. */
import { useDeferStream } from "@graphql-yoga/plugin-defer-stream";
import { createYoga, type Plugin } from "graphql-yoga";
import type { Reader } from "../knowledge/types.ts";
import type { GraphQLContext } from "./context.ts";
import { createDocumentCache } from "./document-cache.ts";
import type { OnUnexpected } from "./errors.ts";
import { refuseMediaTypes, refuseMethod } from "./failure.ts";
import { graphiqlPage } from "./graphiql.ts";
import { showErrorsBesideData } from "./plugins/beside-data.ts";
import { renderErrors } from "./plugins/error-rendering.ts";
import { deliverInParts } from "./plugins/incremental.ts";
import { type PersistedOptions, resolvePersisted } from "./plugins/persisted-operations.ts";
import { boundCost, boundShape, boundTokens } from "./plugins/query-bounds.ts";
import { readRequests } from "./plugins/request-body.ts";
import { validateQueries } from "./plugins/validation.ts";
import { createShortWay, type ShortWay } from "./short-way.ts";
import { subgraph } from "./subgraph.ts";

export interface GraphQLOptions {
  /** False refuses introspection, and leaves hints at names out of messages. */
  readonly introspection: boolean;
  /** Whether browsers get GraphiQL's page. */
  readonly graphiql: boolean;
  /** How many operations one request may hold; 1 takes no arrays. */
  readonly batchSize: number;
  /** Operations that are sent by name; left out, none are. */
  readonly persisted?: PersistedOptions;
  /** The path that it is served at; left out, `/graphql`. */
  readonly endpoint?: string;
  /** Told of every error that was masked as INTERNAL_ERROR. */
  readonly onUnexpected?: OnUnexpected;
}

export interface GraphQLSurface {
  /** Answers a request whose caller is known and whose body is bounded. Never rejects for what the request holds. */
  handle(request: Request, reader: Reader): Promise<Response>;
  /** The same in the short way, for a request that can take it; null for any other. */
  readonly handlePost: ShortWay;
  /** GraphiQL's page, which needs no caller; null where it is off. */
  page(): Promise<Response> | null;
}

const NONE_PERSISTED: PersistedOptions = { mode: "off", documents: {} };

export function createGraphQL(options: GraphQLOptions): GraphQLSurface {
  const { introspection, graphiql, batchSize, persisted = NONE_PERSISTED } = options;
  const { endpoint = "/graphql", onUnexpected = () => undefined } = options;
  const yoga = createYoga<GraphQLContext>({
    schema: subgraph,
    graphqlEndpoint: endpoint,
    plugins: pipeline({ introspection, batchSize, persisted, onUnexpected }),
    batching: batchSize === 1 ? false : { limit: batchSize },
    // Refusals are not remembered: some are about one tenant's limits.
    parserAndValidationCache: {
      documentCache: createDocumentCache(),
      errorCache: { get: () => undefined, set: () => undefined }
    },
    // Ours, below.
    maskedErrors: false,
    // The server's: bodies are bounded, origins checked and visitors logged before a request comes here.
    maxRequestBodySize: false,
    cors: false,
    logging: false,
    graphiql: false,
    landingPage: false,
    multipart: false
  });
  return {
    async handle(request, reader) {
      if (request.method !== "GET" && request.method !== "POST") {
        return refuseMethod(reader, request.headers.get("accept"));
      }
      const response = await yoga.handle(request, { reader });
      return response.status === 406 ? refuseMediaTypes(reader) : response;
    },
    handlePost: createShortWay(yoga, onUnexpected),
    page: () => (graphiql ? graphiqlPage(endpoint) : null)
  };
}

function pipeline(options: {
  readonly introspection: boolean;
  readonly batchSize: number;
  readonly persisted: PersistedOptions;
  readonly onUnexpected: OnUnexpected;
}): Plugin<GraphQLContext, GraphQLContext>[] {
  return [
    // First of all: nothing is read of a body that a page of another site could have sent.
    readRequests(options.batchSize),
    // Before what is asked for its text: by name, it has none yet.
    resolvePersisted(options.persisted),
    // Before the parser and its cache, so that a text that is too long is neither parsed nor remembered.
    boundTokens(),
    // Before the validator, whose work grows with what this bounds.
    boundShape(),
    // In the validator's place; its verdict is cached by document.
    validateQueries(options.introspection),
    // Its rules are the validator's too. (Its type knows of no context.)
    useDeferStream() as object,
    // After validation, because only a valid query can be added up; before the first resolver.
    boundCost(!options.introspection),
    // Before execution, which goes by the directives that are left.
    deliverInParts(),
    // Before errors are rendered.
    showErrorsBesideData(),
    // Last, so that no plugin's error escapes it.
    renderErrors(options.onUnexpected)
  ];
}
