/**
 * Node ids: base64url over the type, the knowledge base's key and what identifies the object there. Opaque to clients;
 * they carry no secret and open nothing, because the reader decides on every read. Source: docs/invariants.md 2 and 9.
 */
import { invalid } from "../errors.ts";

export type NodeKey =
  | { readonly type: "KnowledgeBase"; readonly key: string }
  | { readonly type: "File"; readonly key: string; readonly fileId: string }
  | { readonly type: "Directory"; readonly key: string; readonly path: string };

/** No real id comes near it: paths are a few hundred characters. */
const LONGEST = 8192;

export function encodeNodeId(node: NodeKey): string {
  return Buffer.from(JSON.stringify(parts(node)), "utf8").toString("base64url");
}

/**
 * @param field the argument's name, for the refusal
 * @throws GatewayError VALIDATION_ERROR for everything that `encodeNodeId` does not write exactly so
 */
export function decodeNodeId(id: string, field: string): NodeKey {
  const node = id.length <= LONGEST ? parse(id) : null;
  if (node === null || encodeNodeId(node) !== id) {
    throw invalid(field, `${field} is not a node id of this gateway. Take it from an object's id field, unchanged.`);
  }
  return node;
}

function parts(node: NodeKey): readonly string[] {
  switch (node.type) {
    case "KnowledgeBase":
      return [node.type, node.key];
    case "File":
      return [node.type, node.key, node.fileId];
    case "Directory":
      return [node.type, node.key, node.path];
  }
}

function parse(id: string): NodeKey | null {
  let read: unknown;
  try {
    read = JSON.parse(Buffer.from(id, "base64url").toString("utf8"));
  } catch {
    return null;
  }
  if (!Array.isArray(read) || !read.every((part) => typeof part === "string")) {
    return null;
  }
  const [type, key, local] = read as readonly (string | undefined)[];
  if (key === undefined) {
    return null;
  }
  if (type === "KnowledgeBase") {
    return { type, key };
  }
  if (local === undefined) {
    return null;
  }
  return type === "File" ? { type, key, fileId: local } : type === "Directory" ? { type, key, path: local } : null;
}
