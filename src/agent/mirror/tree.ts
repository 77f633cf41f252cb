import { invalid } from "../../errors.ts";
import { Tree } from "../../knowledge/answers.ts";
import { wholePage } from "../../tools/tool.ts";
import { json } from "../respond.ts";
import { firstValues, type Route } from "../route.ts";
import { BASE, knowledgeBaseOf } from "./knowledge-bases.ts";
import { asked, PARAMETERS, word } from "./parameters.ts";

export const treeRoutes: readonly Route[] = [
  {
    method: "GET",
    path: `${BASE}/tree`,
    operationId: "listKnowledgeBaseTree",
    summary: "The files and directories directly below a directory.",
    query: PARAMETERS.tree,
    answer: Tree,
    async handle(context) {
      const knowledgeBase = await knowledgeBaseOf(context);
      if (firstValues(context).query !== undefined) {
        throw invalid("query", "The tree cannot be searched. Leave query out, or ask files/search.");
      }
      const { values, page } = asked(context, PARAMETERS.tree);
      const parentPath = values.parentPath === "root" ? undefined : values.parentPath;
      const args = { parentPath, entryType: word(values.entryType) };
      return json(wholePage(await knowledgeBase.tree(args, page)));
    }
  }
];
