/** A supergraph's router: Apollo Gateway over a composed supergraph. It hands the caller's credentials on. */
import { ApolloGateway, RemoteGraphQLDataSource } from "@apollo/gateway";
import { composeServices } from "@theguild/federation-composition";
import { type ExecutionResult, getOperationAST, parse } from "graphql";

export interface Subgraph {
  readonly name: string;
  readonly url: string;
  readonly sdl: string;
}

/** @throws Error with what composition says */
export function compose(subgraphs: readonly Subgraph[]): { supergraph: string; api: string } {
  const composed = composeServices(subgraphs.map(({ sdl, ...rest }) => ({ ...rest, typeDefs: parse(sdl) })));
  if (composed.errors !== undefined) throw new Error(composed.errors.map(({ message }) => message).join("\n"));
  return { supergraph: composed.supergraphSdl, api: composed.publicSdl };
}

export interface Router extends AsyncDisposable {
  ask(query: string, token: string): Promise<ExecutionResult<ReturnType<typeof JSON.parse>>>;
}

type Executor = Awaited<ReturnType<ApolloGateway["load"]>>["executor"];

const QUIET = { debug() {}, info() {}, warn() {}, error() {} };

export async function startRouter(supergraphSdl: string): Promise<Router> {
  const gateway = new ApolloGateway({
    supergraphSdl,
    logger: QUIET,
    buildService: ({ url = "" }) =>
      new RemoteGraphQLDataSource({
        url,
        willSendRequest({ request, context }) {
          const { token } = context as { token?: string };
          if (token !== undefined) request.http?.headers.set("authorization", `Bearer ${token}`);
        }
      })
  });
  const { executor, schema } = await gateway.load();
  return {
    async ask(query, token) {
      const document = parse(query);
      const operation = getOperationAST(document);
      if (operation == null) throw new Error("no operation");
      const context: Partial<Parameters<Executor>[0]> = {
        request: { query },
        document,
        operation,
        operationName: null,
        schema,
        queryHash: query,
        source: query,
        logger: QUIET,
        metrics: {},
        context: { token }
      };
      return executor(context as Parameters<Executor>[0]);
    },
    [Symbol.asyncDispose]: () => gateway.stop()
  };
}
