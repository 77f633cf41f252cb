/** The Skill: how an agent that can only make HTTP requests reads a knowledge base. */

import { grantedTools } from "../../tools/call.ts";
import { indexIsOpen } from "../../tools/rules.ts";
import { knowledgeBaseOf, type Route } from "../route.ts";
import { skillArchive } from "../skill/archive.ts";
import { skillFiles, skillName } from "../skill/skill.ts";

const ZIP = "application/zip";

export const skillRoutes: readonly Route[] = [
  {
    method: "GET",
    path: "/agent/{kb}/skill.zip",
    operationId: "readSkill",
    summary: "A Skill for this knowledge base: SKILL.md with references, this gateway's address filled in.",
    answer: ZIP,
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      const { key } = knowledgeBase;
      const { name, description } = await knowledgeBase.detail();
      const archive = skillArchive(
        skillName(key),
        skillFiles({
          baseUrl: context.baseUrl,
          key,
          name,
          description,
          indexOpen: indexIsOpen(context.reader.viewer, key),
          tools: grantedTools(knowledgeBase)
        })
      );
      const headers = { "content-type": ZIP, "content-disposition": `attachment; filename="${skillName(key)}.zip"` };
      return { status: 200, headers, body: archive };
    }
  }
];
