/**
 * `@defer` and `@stream`, for clients that take an answer in parts. For all others the whole answer comes at once, as if
 * the directives were not there. Source: GraphQL's "Incremental Delivery" working draft, in its form of 2022-08-24.
 */
import { type DocumentNode, execute, Kind, visit } from "graphql";
import type { Plugin } from "graphql-yoga";
import type { GraphQLContext } from "../context.ts";

const DIRECTIVES: ReadonlySet<string> = new Set(["defer", "stream"]);
/** Named in so many words: what takes anything is better served with JSON. */
export const IN_PARTS = /\b(?:multipart\/mixed|text\/event-stream)\b/i;

export function deliverInParts(): Plugin<GraphQLContext, GraphQLContext> {
  const whole = new WeakMap<DocumentNode, DocumentNode>();
  return {
    onExecute({ args, setExecuteFn }) {
      const { request } = args.contextValue as { readonly request?: Request };
      const { document } = args;
      const known = whole.get(document) ?? withoutDirectives(document);
      whole.set(document, known);
      if (known !== document && IN_PARTS.test(request?.headers.get("accept") ?? "")) return;
      args.document = known;
      // Yoga's own executor knows of parts, but writes fields in the order in which they settle; a result's fields
      // stand in the order in which they were selected. Source: GraphQL, section 7.2.2 "Serialized Map Ordering".
      setExecuteFn(execute);
    }
  };
}

function withoutDirectives(document: DocumentNode): DocumentNode {
  return visit(document, {
    [Kind.DIRECTIVE]: (directive) => (DIRECTIVES.has(directive.name.value) ? null : undefined)
  });
}
