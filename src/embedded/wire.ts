/** The Developer OpenAPI's objects, made from a knowledge base's own. Fields stand in the order the upstream gives them. */
import type { GeneratedFile, OkfSignals, ReadActions, RelatedFile } from "../upstream/contract.ts";
import type { Document } from "./document.ts";
import { okfSignals } from "./okf.ts";
import type { Page } from "./page.ts";
import type { Relation } from "./relations.ts";
import type { Snapshot } from "./snapshot.ts";

export function basePath(knowledgeBaseId: string): string {
  return `/openapi/v2/knowledge-bases/${knowledgeBaseId}`;
}

/** Only uploaded pages have relations to read. The state of an upload is nothing that a folder has. */
export function readActions(knowledgeBaseId: string, document: Document): ReadActions {
  const base = basePath(knowledgeBaseId);
  const page = document.kind === "page";
  return {
    fileDetailById: `${base}/files/${document.id}`,
    fileContentById: `${base}/files/${document.id}/content`,
    fileContentByPath: `${base}/files/content?path=${encodeURIComponent(document.path)}`,
    relatedFilesById: page ? `${base}/files/${document.id}/related` : null,
    graphExpansionByFileId: page ? `${base}/graph/expand?fileId=${document.id}` : null,
    sourceFileStatusById: null
  };
}

export function fileObject(snapshot: Snapshot, document: Document): GeneratedFile {
  const page = document.kind === "page" ? document : null;
  return {
    activeContentRevision: snapshot.revision,
    fileId: document.id,
    knowledgeBaseId: snapshot.knowledgeBaseId,
    sourceFileId: page?.id ?? null,
    path: document.path,
    fileKind: document.kind === "page" ? "page" : document.fileKind,
    contentType: document.kind === "page" ? "text/markdown; charset=utf-8" : document.contentType,
    sizeBytes: sizeOf(document),
    okfType: page?.type ?? null,
    title: document.title,
    description: page?.description ?? null,
    tags: [...(page?.tags ?? [])],
    frontmatter: { ...page?.frontmatter },
    okfSignals: signalsOf(document),
    deletable: false,
    contentAvailable: true,
    readActions: readActions(snapshot.knowledgeBaseId, document)
  };
}

export function sizeOf(document: Document): number {
  return document.kind === "page" ? document.sizeBytes : Buffer.byteLength(document.content);
}

/** Judged on today's date, in UTC. */
export function signalsOf(document: Document): OkfSignals {
  return okfSignals(document.kind === "page" ? document.frontmatter : {}, new Date().toISOString().slice(0, 10));
}

export function relatedFile(snapshot: Snapshot, from: Page, relation: Relation, depth: number): RelatedFile {
  return {
    activeContentRevision: snapshot.revision,
    fileId: relation.target.id,
    sourceFileId: relation.target.id,
    path: relation.target.path,
    title: relation.target.title,
    relationType: relation.relationType,
    direction: relation.direction,
    fromFileId: from.id,
    relationshipDepth: depth,
    reason: relation.reason,
    contentAvailable: true,
    readActions: readActions(snapshot.knowledgeBaseId, relation.target)
  };
}
