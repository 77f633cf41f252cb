/**
 * Ids in the forms that the Developer OpenAPI gives them, made from names and paths alone, so that they stay the same
 * over restarts and on every machine that serves the same folder.
 */
import { createHash } from "node:crypto";

type Kind = "knowledge-base" | "source-file" | "generated" | "directory" | "generated-directory";

/** @param name the knowledge base's folder name */
export function knowledgeBaseId(name: string): string {
  return `knowledge-base-${uuid("knowledge-base", name)}`;
}

export function sourceFileId(knowledgeBase: string, path: string): string {
  return `source-file-${uuid("source-file", knowledgeBase, path)}`;
}

/** Generated files have no other id; an uploaded page is also known by this one, which the canonical id supersedes. */
export function generatedFileId(knowledgeBase: string, path: string): string {
  return `generated-${hash("generated", knowledgeBase, path).slice(0, 32)}`;
}

export function directoryId(knowledgeBase: string, path: string): string {
  return `directory-${hash("directory", knowledgeBase, path)}`;
}

export function generatedDirectoryId(knowledgeBase: string, path: string): string {
  return `generated-directory-${hash("generated-directory", knowledgeBase, path).slice(0, 32)}`;
}

/** A name-based UUID. Source: RFC 9562 section 5.5, with SHA-256 in place of SHA-1. */
function uuid(kind: Kind, ...names: string[]): string {
  const hex = hash(kind, ...names);
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) & 0x3) | 0x8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `5${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32)
  ].join("-");
}

function hash(kind: Kind, ...names: string[]): string {
  return createHash("sha256")
    .update([kind, ...names].join("\0"))
    .digest("hex");
}
