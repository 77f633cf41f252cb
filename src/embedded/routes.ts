/** The read operations of the Developer OpenAPI, by path. */
import { expandGraph, graphOverview } from "./expansion.ts";
import { documentById, documentByPath, fileContent, fileDetail } from "./files.ts";
import type { KnowledgeBase } from "./knowledge-base.ts";
import { knowledgeBaseObject, listKnowledgeBases, listTree } from "./listings.ts";
import type { Parameters } from "./parameters.ts";
import { GatewayError, notFound } from "./refusals.ts";
import { listRelated } from "./related.ts";
import { search } from "./search.ts";
import type { SearchCursors } from "./search-cursors.ts";
import type { Shelf } from "./shelf.ts";

/** The largest `limit` of each list. */
export interface Maxima {
  readonly list: number;
  readonly tree: number;
  readonly related: number;
  readonly expand: number;
}

export const DEFAULT_MAXIMA: Maxima = { list: 200, tree: 500, related: 200, expand: 200 };

export interface Service {
  readonly shelf: Shelf;
  readonly maxima: Maxima;
  readonly contentBytes: number;
  readonly searchCursors: SearchCursors;
}

/**
 * Answers one request that was let in.
 * @param segments the decoded path below `/openapi/v2/`
 * @throws GatewayError with the code that the answer carries
 */
export function dispatch(service: Service, segments: readonly string[], query: Parameters): unknown {
  const [root, ...rest] = segments;
  if (rest.length === 0) {
    if (root === "health") return { status: "ok" };
    if (root === "version") return { product: "focowiki", version: "embedded", apiVersion: "v2" };
    if (root === "knowledge-bases") return listKnowledgeBases(service.shelf.list(), query, service.maxima.list);
  }
  if (root !== "knowledge-bases" || rest.some((segment) => segment === "")) throw unsupported();
  const [id = "", ...inner] = rest;
  return inKnowledgeBase(service, service.shelf.get(id), inner, query);
}

/** Refusals of the query come before a knowledge base that does not exist. */
function inKnowledgeBase(
  service: Service,
  held: KnowledgeBase | undefined,
  segments: readonly string[],
  query: Parameters
): unknown {
  const { maxima, contentBytes } = service;
  switch (segments.join("/")) {
    case "":
      return { knowledgeBase: knowledgeBaseObject(existing(held)) };
    case "tree":
      return listTree(held?.snapshot, query, maxima.tree);
    case "files/content": {
      const document = documentByPath(held?.snapshot, query);
      return fileContent(existing(held), document, contentBytes);
    }
    case "files/search":
      return search(held, query, service.searchCursors);
    case "graph/expand":
      return expandGraph(held?.snapshot, query, maxima.expand, contentBytes);
    case "graph/overview":
      return graphOverview(existing(held).snapshot);
  }
  const [files, fileId, operation, ...more] = segments;
  if (files !== "files" || fileId === undefined || more.length > 0) throw unsupported();
  if (operation === undefined) return fileDetail(existing(held).snapshot, fileId, contentBytes);
  if (operation === "related") return listRelated(existing(held).snapshot, fileId, query, maxima.related);
  if (operation !== "content") throw unsupported();
  return fileContent(existing(held), documentById(existing(held).snapshot, fileId), contentBytes);
}

function existing(held: KnowledgeBase | undefined): KnowledgeBase {
  if (held === undefined) throw notFound();
  return held;
}

function unsupported(): GatewayError {
  return new GatewayError("UNSUPPORTED_ROUTE");
}
