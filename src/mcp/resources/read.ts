/** resources/read: a file's text by its path. Hidden, absent and not granted are the same. docs/invariants.md 2. */
import type { ReadResourceResult } from "@modelcontextprotocol/sdk/types.js";
import * as z from "zod";
import { notFound } from "../../errors.ts";
import type { KnowledgeBaseReader } from "../../knowledge/types.ts";
import { parseArguments } from "../../tools/arguments.ts";
import type { Scope } from "../scope.ts";
import { partOf } from "../tools/part.ts";
import { mediaTypeOf, parseResourceUri, resourceUri } from "./uri.ts";

const parameters = z.object({ uri: z.string().describe("A URI from resources/list.") });

/** A file that passes `limits.mcpContentBytes` comes in parts; a second content then names the URI of the next part. */
export async function readResource(scope: Scope, params: unknown): Promise<ReadResourceResult> {
  const { uri } = parseArguments(parameters, params);
  const { key, path, offset } = parseResourceUri(uri);
  const knowledgeBase = await named(scope, key);
  const { content } = await knowledgeBase.content({ path });
  const mimeType = mediaTypeOf(path);
  const part = partOf(content, offset, scope.reader.viewer.limits.mcpContentBytes);
  if (part === null) return { contents: [{ uri, mimeType, text: content }] };
  const contents = [{ uri, mimeType, text: part.content }];
  if (part.nextOffset !== null) {
    const next = resourceUri({ key, path, offset: part.nextOffset });
    const text = `This is not the end: ${part.nextOffset} of ${part.totalCharacters} characters. Go on with ${next}`;
    contents.push({ uri: next, mimeType: "text/plain", text });
  }
  return { contents };
}

/** At `/mcp/{kb}` another knowledge base is one that does not exist, also where the caller has it. */
async function named({ reader, boundTo }: Scope, key: string): Promise<KnowledgeBaseReader> {
  if (boundTo === null) return reader.knowledgeBase(key);
  const bound = await reader.knowledgeBase(boundTo);
  if (key !== bound.key && key !== bound.id) throw notFound();
  return bound;
}
