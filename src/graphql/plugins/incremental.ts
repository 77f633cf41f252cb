/**
 * `@defer` and `@stream`, for clients that take an answer in parts. For all others the whole answer comes at once, as if
 * the directives were not there. Source: GraphQL's "Incremental Delivery" working draft, in its form of 2022-08-24.
 */
import { type DocumentNode, Kind, visit } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { GraphQLContext } from "../context.ts";

const DIRECTIVES: ReadonlySet<string> = new Set(["defer", "stream"]);
/** Named in so many words: what takes anything is better served with JSON. */
const IN_PARTS = /\b(?:multipart\/mixed|text\/event-stream)\b/i;

export function deliverInParts(): Plugin<GraphQLContext, GraphQLContext> {
  const whole = new WeakMap<DocumentNode, DocumentNode>();
  return {
    onExecute({ args }) {
      const { request } = args.contextValue as { readonly request?: Request };
      if (IN_PARTS.test(request?.headers.get("accept") ?? "")) return;
      const { document } = args;
      const known = whole.get(document) ?? withoutDirectives(document);
      whole.set(document, known);
      args.document = known;
    }
  };
}

function withoutDirectives(document: DocumentNode): DocumentNode {
  return visit(document, {
    [Kind.DIRECTIVE]: (directive) => (DIRECTIVES.has(directive.name.value) ? null : undefined)
  });
}
