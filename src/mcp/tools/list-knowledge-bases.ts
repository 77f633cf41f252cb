/** list_knowledge_bases: what `/mcp` has beside the six tools, since its calls name a knowledge base. */
import * as z from "zod";
import { LISTS } from "../../knowledge/lists.ts";
import type { Reader } from "../../knowledge/types.ts";
import { parseArguments } from "../../tools/arguments.ts";
import { pick } from "../../tools/compact.ts";
import { cursor, limit, PAGE_NAMES } from "../../tools/fields.ts";
import { withPageSize } from "../../tools/page-size.ts";
import { fields } from "../../tools/shapes.ts";

const input = z.object({ cursor, limit: limit(LISTS.knowledgeBases.maximum, LISTS.knowledgeBases.default) });

const DESCRIBED = ["knowledgeBaseId", "name", "description", "activeContentRevision", "updatedAt"] as const;

export const listKnowledgeBases = {
  name: "list_knowledge_bases",
  title: "List knowledge bases",
  description:
    "The knowledge bases that you may read. Send the key of the one that fits the question as knowledgeBase to every " +
    "other tool. Not needed where there is only one.",
  input,
  output: z.object({
    items: z.array(z.object({ key: z.string(), name: z.string(), ...fields("description") })),
    ...fields("nextCursor")
  }),
  /** @throws VALIDATION_ERROR for the arguments, and what the reader throws */
  async answer(reader: Reader, given: unknown): Promise<object> {
    const { cursor: after, limit: first } = parseArguments(withPageSize(input, reader.viewer.limits.pageSize), given);
    const page = await reader.knowledgeBases({ first, after, names: PAGE_NAMES });
    return {
      items: page.rows.map(({ key, knowledgeBase }) => ({ key, ...pick(knowledgeBase, DESCRIBED) })),
      nextCursor: page.nextCursor()
    };
  }
};
