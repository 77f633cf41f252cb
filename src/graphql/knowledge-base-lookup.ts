/** Finding one knowledge base, without a call where what is selected of it tells by itself whether it is there. */
import type { Reader } from "../knowledge/types.ts";
import { nullIfNotFound } from "./absent.ts";
import { KnowledgeBaseNode } from "./nodes/knowledge-base.ts";

const FACTS = new Set(["name", "description", "activeContentRevision", "createdAt", "updatedAt"]);
const READS = new Set(["tree", "file", "search", "graphOverview"]);

/**
 * @param key a slug or an upstream id
 * @param selected the fields of the knowledge base that the query asks for
 * @returns null where it is not granted, or known not to exist; where only reads are selected, they say the latter
 */
export async function lookUpKnowledgeBase(
  reader: Reader,
  key: string,
  selected: ReadonlySet<string>
): Promise<KnowledgeBaseNode | null> {
  const reads = await nullIfNotFound(reader.knowledgeBase(key));
  if (reads === null) {
    return null;
  }
  const knowledgeBase = KnowledgeBaseNode.reading(reads);
  const fields = [...selected];
  const tells = fields.some((name) => READS.has(name)) && !fields.some((name) => FACTS.has(name));
  return tells || (await nullIfNotFound(knowledgeBase.detail())) !== null ? knowledgeBase : null;
}
