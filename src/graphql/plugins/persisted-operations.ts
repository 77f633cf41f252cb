/**
 * Operations by name: those of a manifest, which somebody has looked at, and those that clients register by their hash.
 *
 * What is stored is text and nothing more: it is bounded, validated and answered for each caller like any other. Source:
 * GraphQL over HTTP, "Persisted documents"; Apollo's automatic persisted queries, for the words that its clients read.
 */
import { GraphQLError } from "graphql";
import type { GraphQLParams, Plugin } from "graphql-yoga";
import { GatewayError } from "../../errors.ts";
import type { GraphQLContext } from "../context.ts";
import { type AutomaticOperations, createAutomaticOperations, sha256 } from "../persisted/automatic.ts";
import { ID_PARAMETERS, type OperationReference, referenceIn } from "../persisted/reference.ts";

export interface PersistedOptions {
  /** `off`: texts only. `allow`: texts, the manifest's, and those that clients register. `only`: the manifest's alone. */
  readonly mode: "off" | "allow" | "only";
  /** Id → text: the manifest. */
  readonly documents: Readonly<Record<string, string>>;
  /** What clients have registered; left out, this surface's own. */
  readonly automatic?: AutomaticOperations;
}

type Given = GraphQLParams & Readonly<Record<string, unknown>>;

export function resolvePersisted(options: PersistedOptions): Plugin<GraphQLContext, GraphQLContext> {
  const { mode, documents, automatic = createAutomaticOperations() } = options;
  const manifest = new Map(Object.entries(documents));

  const registered = (tenant: string, { id, isHash }: OperationReference): string | Promise<string> => {
    if (mode === "off") throw notSupported();
    const found = mode === "allow" && isHash ? automatic.find(tenant, id) : null;
    if (found instanceof Promise) return found.then(known);
    return known(found);
  };

  const textOf = (
    tenant: string,
    reference: OperationReference,
    given: string | undefined
  ): string | Promise<string> => {
    const listed = mode === "off" ? undefined : manifest.get(reference.id);
    if (listed !== undefined) {
      if (given !== undefined && given !== listed) throw differs();
      return listed;
    }
    if (given === undefined) return registered(tenant, reference);
    if (!reference.isHash || mode === "only") throw notFound();
    if (sha256(given) !== reference.id) throw differs();
    if (mode === "allow") automatic.keep(tenant, reference.id, given);
    return given;
  };

  return {
    onParams({ params, setParams, context }) {
      // Whether it is an object at all, and what else it holds, Yoga says.
      if (typeof params !== "object" || params === null) return;
      const { query, ...rest } = params as Given;
      const reference = referenceIn(params as Given);
      if (reference === null) {
        if (mode === "only" && typeof query === "string") throw onlyPersisted();
        return;
      }
      const named = Object.entries(rest).filter(([name]) => !ID_PARAMETERS.some((parameter) => parameter === name));
      const take = (text: string) => setParams({ ...Object.fromEntries(named), query: text });
      const { tenant } = context.reader.viewer;
      const text = textOf(tenant, reference, typeof query === "string" ? query : undefined);
      return typeof text === "string" ? take(text) : text.then(take);
    }
  };
}

function known(text: string | null): string {
  if (text === null) throw notFound();
  return text;
}

function onlyPersisted(): GatewayError {
  return new GatewayError("BAD_REQUEST", {
    message: "Only persisted operations are answered here. Send the id of one instead of its text.",
    details: { field: "query" }
  });
}

function differs(): GatewayError {
  return new GatewayError("BAD_REQUEST", {
    message: "The query is not the one that its id or hash names. Send one of the two.",
    details: { field: "query" }
  });
}

/** Clients that register operations go by these words and codes: they send the text next. */
function notFound(): GraphQLError {
  return refusal("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND");
}

/** The same: they stop sending hashes. */
function notSupported(): GraphQLError {
  return refusal("PersistedQueryNotSupported", "PERSISTED_QUERY_NOT_SUPPORTED");
}

function refusal(message: string, code: string): GraphQLError {
  return new GraphQLError(message, { extensions: { code, http: { status: 400, spec: true } } });
}
