/** One request's answer as the model gives it: authentication and routes first, as upstream, then the operation. */
import type { FakeFile, KnowledgeBaseModel } from "./fake-model.ts";
import { Refused } from "./fake-paging.ts";
import {
  expandGraph,
  fileByPath,
  getContent,
  getFile,
  getKnowledgeBase,
  graphOverview,
  listKnowledgeBases,
  listRelated,
  listTree,
  type World
} from "./fake-reads.ts";
import { bareCode, type FakeResponse, internalError, notFoundAnswer, refusal, unauthorized } from "./fake-refusals.ts";
import { decoded } from "./fake-routes.ts";
import { type Evidence, type SearchCursors, search } from "./fake-search.ts";
import type { FakeRequest } from "./fake-upstream.ts";

export interface Behaviour {
  readonly world: World;
  readonly key: string;
  readonly cursors: SearchCursors;
  readonly evidence: Evidence;
}

export function answerFromModel(request: FakeRequest, behaviour: Behaviour): FakeResponse {
  if (decoded(request.path) === null || decoded(request.path)?.includes("\\")) return bareCode(400, "INVALID_PATH");
  if (!request.path.includes("/openapi/v2")) return bareCode(404, "NOT_FOUND");
  if (!authorized(request.headers.authorization, behaviour.key)) return unauthorized();
  if (request.operation === null || request.method !== "GET") {
    return refusal(404, "UNSUPPORTED_ROUTE", "Route is not supported.");
  }
  if (decoded(request.path)?.includes("\0")) return internalError();
  try {
    return { status: 200, body: bodyOf(request, behaviour) };
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.response;
    throw thrown;
  }
}

function bodyOf(request: FakeRequest, { world, cursors, evidence }: Behaviour): unknown {
  const { operation, query } = request;
  if (operation === "getHealth") return { status: "ok" };
  if (operation === "getVersion") return { product: "focowiki", version: "0.0.0-fake", apiVersion: "v2" };
  if (operation === "listKnowledgeBases") return listKnowledgeBases(world, query);
  const kb = world.knowledgeBases.find(({ id }) => id === request.knowledgeBaseId);
  const label = kb === undefined ? null : (kb.relabel?.(String(operation), kb.revision) ?? kb.revision);
  if (operation === "searchGeneratedFiles") return search(world, kb, query, label, cursors, evidence);
  if (kb === undefined || label === null) throw new Refused(notFoundAnswer());
  switch (operation) {
    case "getKnowledgeBase":
      return getKnowledgeBase(kb);
    case "listKnowledgeBaseTree":
      return listTree(world, kb, query, label);
    case "getFileById":
      return getFile(world, kb, file(kb, request), label);
    case "getFileContentById":
      return getContent(world, kb, file(kb, request), label);
    case "getFileContentByPath":
      return getContent(world, kb, fileByPath(kb, query.path), label);
    case "listRelatedFiles":
      return listRelated(world, kb, file(kb, request), query, label);
    case "expandGraph":
      return expandGraph(world, kb, query, label);
    case "getGraphOverview":
      return graphOverview(kb, label);
    default:
      throw new Refused(notFoundAnswer());
  }
}

function file(kb: KnowledgeBaseModel, request: FakeRequest): FakeFile {
  const found = request.fileId === undefined ? undefined : kb.fileById(request.fileId);
  if (found === undefined) throw new Refused(notFoundAnswer());
  return found;
}

/** The scheme in any case and one or more spaces pass; anything after the key does not. */
function authorized(header: string | undefined, key: string): boolean {
  return /^bearer +(\S+)$/i.exec(header ?? "")?.[1] === key;
}
